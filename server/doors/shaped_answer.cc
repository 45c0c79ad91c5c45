#include "server/doors/shaped_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>
#include <vector>

#include "server/doors/schema_words.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

// Under which names a part is asked for; the first is its own.
struct Part {
  const char* name;
  std::initializer_list<const char*> others;
};
const Part kParts[] = {
    {"sentence", {"text", "reply", "response", "said", "message", "content", "output", "explanation"}},
    {"entities", {"names", "answers", "results", "items", "values", "list"}},
    {"entity", {"name", "value", "result", "title", "label"}},
    {"facts", {"triples", "evidence", "path", "hops", "reasoning", "steps"}},
    {"fact", {"triple"}},
    {"kind", {"type", "answertype"}},
    {"truth", {"yes", "istrue", "true", "correct", "holds"}},
    {"known", {"found", "isknown", "answered"}},
    {"count", {"number", "total", "amount", "howmany"}},
    {"relation", {"predicate"}},
    {"start", {"subject", "about", "topic"}},
    {"at", {}},
    {"goal", {}},
    {"distance", {}},
    {"sources", {"source", "citations", "references", "provenance"}},
    {"probability", {"confidence", "score"}},
    {"question", {"query"}}};

// Names of what a fact or an entity holds.
const Part kInside[] = {{"head", {"subject", "from"}}, {"relation", {"predicate", "property"}},
                        {"tail", {"object", "to"}},    {"sources", {"source"}},
                        {"name", {"entity", "label"}}, {"probability", {"confidence", "score"}}};

template <std::size_t N>
const char* part_named(const Part (&parts)[N], const std::string& plain) {
  for (const Part& part : parts)
    if (plain == part.name || std::any_of(part.others.begin(), part.others.end(),
                                          [&](const char* other) { return plain == other; }))
      return part.name;
  return nullptr;
}

constexpr int kMostNested = 24;  // objects in each other

// Parts that are objects themselves; under any other name an object is one more of the answer's parts.
bool holds_objects(const std::string& plain) {
  const char* part = part_named(kParts, plain);
  if (part == nullptr) return false;
  const std::string_view name = part;
  return name == "entities" || name == "entity" || name == "facts" || name == "fact";
}

// What is not there: told to the user in a sentence.
struct Missing {
  std::string name;
};

class Filling {
 public:
  Filling(const AnswerForm& form, const Json& parts, const IsRelation& relations)
      : form_(form), parts_(parts), relations_(relations), words_(form.schema, form.field) {}

  [[nodiscard]] Json whole() const {
    const Json& schema = words_.plain(form_.schema);
    if (!SchemaWords::may_be(schema, "object"))
      throw Refusal(400, "the schema of '" + form_.field + "' must be of type object",
                    {.param = form_.field, .code = "invalid_value"});
    return object(schema, nullptr, 0);
  }

 private:
  // `inside`: the fact or entity that is told; null: the answer itself.
  [[nodiscard]] Json object(const Json& schema, const Json* inside, int depth) const;
  [[nodiscard]] Json property(const std::string& name, const Json& schema, const Json* inside,
                              int depth) const;
  [[nodiscard]] std::optional<Json> value_named(const std::string& name, const Json& schema,
                                                const Json* inside, bool& known) const;
  [[nodiscard]] std::optional<Json> value_of_answer(const char* part, const Json& schema) const;
  [[nodiscard]] std::optional<Json> of_relation(const std::string& plain) const;
  [[nodiscard]] std::optional<Json> fitting(const Json& schema, const Json& value) const;
  [[nodiscard]] std::optional<Json> as_text(const Json& value) const;
  [[noreturn]] void refuse(const std::string& name) const;

  const AnswerForm& form_;
  const Json& parts_;
  const IsRelation& relations_;
  SchemaWords words_;
};

void Filling::refuse(const std::string& name) const {
  std::string list;
  for (const Part& part : kParts) list += std::string(list.empty() ? "" : ", ") + part.name;
  throw Refusal(
      400,
      fmt::format("'{}' asks for '{}', and no part of an answer is called so; there are: answer, {}, and "
                  "the graph's relations",
                  form_.field, name, list),
      {.param = form_.field, .code = "unsupported_value"});
}

Json Filling::object(const Json& schema, const Json* inside, int depth) const {
  if (!schema.is_object()) return inside != nullptr ? *inside : Json::object();
  if (depth > kMostNested)
    throw Refusal(400, "the schema of '" + form_.field + "' holds itself: objects without end",
                  {.param = form_.field, .code = "invalid_json_schema"});
  Json out = Json::object();
  const Json required = schema.value("required", Json::array());
  const Json properties = schema.value("properties", Json::object());
  for (const auto& wanted : properties.items()) {
    const bool must = std::find(required.begin(), required.end(), wanted.key()) != required.end();
    try {
      out[wanted.key()] = property(wanted.key(), wanted.value(), inside, depth);
    } catch (const Missing&) {
      if (must) throw;
    } catch (const Refusal&) {
      if (must) throw;
    }
  }
  for (const Json& name : required)
    if (!out.contains(name.get_ref<const std::string&>())) refuse(name.get<std::string>());
  return out;
}

Json Filling::property(const std::string& name, const Json& schema, const Json* inside, int depth) const {
  bool known = false;
  bool may_be_null = false;
  for (const Json* one : words_.choices(schema)) {
    if (SchemaWords::may_be(*one, "null")) may_be_null = true;
    const std::optional<Json> value = value_named(name, *one, inside, known);
    if (!value) continue;
    if (std::optional<Json> fits = fitting(*one, *value)) return std::move(*fits);
  }
  for (const Json* one : words_.choices(schema)) {
    if (const auto set = one->find("const"); set != one->end()) return *set;
    if (const auto set = one->find("default"); set != one->end()) return *set;
    if (inside == nullptr && !holds_objects(plain_name_of(name)) && SchemaWords::only(*one, "object"))
      return object(*one, inside, depth + 1);
  }
  if (!known) refuse(name);
  if (may_be_null) return nullptr;
  throw Missing{name};
}

// `known`: there is a part of this name, whether or not this answer has it.
std::optional<Json> Filling::value_named(const std::string& name, const Json& schema, const Json* inside,
                                         bool& known) const {
  const std::string plain = plain_name_of(name);
  if (inside != nullptr && inside->is_object()) {
    const char* part = part_named(kInside, plain);
    known = known || part != nullptr;
    const auto found = part == nullptr ? inside->end() : inside->find(part);
    return found == inside->end() ? std::nullopt : std::optional(*found);
  }
  if (plain == "answer") {
    known = true;
    if (SchemaWords::only(schema, "object")) return std::nullopt;
    const char* part = SchemaWords::may_be(schema, "string")    ? "sentence"
                       : SchemaWords::may_be(schema, "boolean") ? "truth"
                       : SchemaWords::may_be(schema, "array")   ? "entities"
                                                                : "count";
    return value_of_answer(part, schema);
  }
  if (const char* part = part_named(kParts, plain)) {
    known = true;
    return value_of_answer(part, schema);
  }
  if (!relations_(plain)) return std::nullopt;
  known = true;
  return of_relation(plain);
}

std::optional<Json> Filling::value_of_answer(const char* part, const Json& schema) const {
  const std::string_view name = part;
  const char* list = name == "entity" ? "entities" : name == "fact" ? "facts" : part;
  const auto found = parts_.find(list);
  if (found == parts_.end()) return std::nullopt;
  if (list == name) return *found;
  if (found->empty()) return std::nullopt;
  return SchemaWords::only(schema, "array") ? *found : found->front();
}

std::optional<Json> Filling::of_relation(const std::string& plain) const {
  Json tails = Json::array();
  for (const Json& fact : parts_.at("facts"))
    if (plain_name_of(fact["relation"].get_ref<const std::string&>()) == plain) tails.push_back(fact["tail"]);
  return tails.empty() ? std::nullopt : std::optional(std::move(tails));
}

// An entity is told by its name, a fact in one line, a list by commas.
std::optional<Json> Filling::as_text(const Json& value) const {
  if (value.is_string()) return value;
  if (value.is_object() && value.contains("name")) return value["name"];
  if (value.is_object())
    return fmt::format("{} | {} | {}", value["head"].get<std::string>(), value["relation"].get<std::string>(),
                       value["tail"].get<std::string>());
  if (!value.is_array() || value.empty()) return std::nullopt;
  std::string text;
  for (const Json& one : value) {
    const auto part = as_text(one);
    if (!part) return std::nullopt;
    text.append(text.empty() ? "" : one.contains("head") ? "; " : ", ").append(part->get<std::string>());
  }
  return text;
}

// The value in the form that the schema wants; nullopt where it has none such.
std::optional<Json> Filling::fitting(const Json& schema, const Json& value) const {
  std::optional<Json> out;
  if (SchemaWords::may_be(schema, "array") && (value.is_array() || SchemaWords::only(schema, "array"))) {
    const Json list = value.is_array() ? value : Json::array({value});
    const Json items = schema.is_object() ? schema.value("items", Json({{"type", "string"}})) : Json(true);
    out = Json::array();
    for (const Json& one : list) {
      std::optional<Json> item;
      for (const Json* choice : words_.choices(items))
        if (!item) item = fitting(*choice, one);
      if (!item) return std::nullopt;
      out->push_back(std::move(*item));
    }
  } else if (SchemaWords::may_be(schema, "object") && value.is_object()) {
    out = object(schema, &value, 0);
  } else if (SchemaWords::may_be(schema, "string") && !value.is_number() && !value.is_boolean()) {
    out = as_text(value);
  } else if (SchemaWords::may_be(schema, "boolean") && value.is_boolean()) {
    out = value;
  } else if (value.is_number() && (SchemaWords::may_be(schema, "number") ||
                                   (SchemaWords::may_be(schema, "integer") && value.is_number_integer()))) {
    out = value;
  }
  return out && SchemaWords::holds(schema, *out) ? out : std::nullopt;
}

// What an object holds that no schema describes.
Json plain_object(const Json& parts) {
  Json entities = Json::array();
  for (const Json& entity : parts.at("entities")) entities.push_back(entity["name"]);
  return {{"answer", parts.at("sentence")},
          {"kind", parts.at("kind")},
          {"entities", std::move(entities)},
          {"facts", parts.at("facts")}};
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string plain_name_of(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) plain += c;
    if (byte < 0x80 && std::isalnum(byte) != 0) plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

ShapedAnswer shaped_answer(const AnswerForm& form, const Json& parts, const IsRelation& relations) {
  const std::string& sentence = parts.at("sentence").get_ref<const std::string&>();
  if (form.kind == AnswerForm::Kind::kText) return {.text = sentence, .refusal = {}};
  if (form.kind == AnswerForm::Kind::kJson) return {.text = text_of(plain_object(parts)), .refusal = {}};
  try {
    return {.text = text_of(Filling(form, parts, relations).whole()), .refusal = {}};
  } catch (const Missing& missing) {
    return {.text = {},
            .refusal = fmt::format("This answer has nothing for '{}' in the form that is asked for. {}",
                                   missing.name, sentence)};
  } catch (const Json::exception&) {  // a '$ref' may lead to what is no schema, or be no pointer
    throw Refusal(400, "the schema of '" + form.field + "' cannot be followed: check its '$ref'",
                  {.param = form.field, .code = "invalid_json_schema"});
  }
}

}  // namespace kgwalk::server
