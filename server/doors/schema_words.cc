#include "server/doors/schema_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

constexpr int kDeepest = 24;
constexpr std::array<std::string_view, 29> kWords{"type",
                                                  "properties",
                                                  "required",
                                                  "additionalProperties",
                                                  "items",
                                                  "enum",
                                                  "const",
                                                  "default",
                                                  "anyOf",
                                                  "oneOf",
                                                  "allOf",
                                                  "$ref",
                                                  "$defs",
                                                  "definitions",
                                                  "minimum",
                                                  "maximum",
                                                  "minLength",
                                                  "maxLength",
                                                  "minItems",
                                                  "maxItems",
                                                  "title",
                                                  "description",
                                                  "examples",
                                                  "$schema",
                                                  "$id",
                                                  "$comment",
                                                  "nullable",
                                                  "deprecated",
                                                  "propertyOrdering"};

bool names_type(const Json& type, std::string_view wanted) {
  if (type.is_string()) return type == wanted || (type == "number" && wanted == "integer");
  return type.is_array() &&
         std::any_of(type.begin(), type.end(), [&](const Json& one) { return names_type(one, wanted); });
}

bool within(const Json& schema, double amount, const char* least, const char* most) {
  const auto low = schema.find(least), high = schema.find(most);
  return (low == schema.end() || amount >= low->get<double>()) &&
         (high == schema.end() || amount <= high->get<double>());
}

}  // namespace

SchemaWords::SchemaWords(const Json& root, std::string field) : root_(root), field_(std::move(field)) {
  check(root_, 0);
}

void SchemaWords::refuse(const std::string& why) const {
  throw Refusal(400, "the schema of '" + field_ + "' " + why,
                {.param = field_, .code = "invalid_json_schema"});
}

void SchemaWords::check(const Json& schema, int depth) const {
  if (schema.is_boolean()) return;
  if (!schema.is_object() || depth > kDeepest) refuse("is nested too deeply, or holds what is no schema");
  for (const auto& word : schema.items()) {
    const std::string& key = word.key();
    if (std::find(kWords.begin(), kWords.end(), key) == kWords.end())
      refuse("has the keyword '" + key + "', which is not understood; leave it out");
    const bool number = key.starts_with("min") || key.starts_with("max");
    if (number && !word.value().is_number()) refuse("has a '" + key + "' that is no number");
  }
  if (schema.contains("required") && !schema["required"].is_array())
    refuse("has a 'required' that is no list");
  for (const Json& name : schema.value("required", Json::array()))
    if (!name.is_string()) refuse("requires what is no name");
  for (const char* map : {"properties", "$defs", "definitions"}) {
    const Json named = schema.value(map, Json::object());
    for (const auto& inside : named.items()) check(inside.value(), depth + 1);
  }
  for (const char* list : {"anyOf", "oneOf", "allOf"})
    for (const Json& one : schema.value(list, Json::array())) check(one, depth + 1);
  if (schema.value("allOf", Json::array()).size() > 1)
    refuse("has an allOf of several, which is not understood");
  if (schema.contains("items")) check(schema["items"], depth + 1);
  if (schema.contains("$ref")) (void)plain(schema);
}

const Json& SchemaWords::plain(const Json& schema) const {
  const Json* at = &schema;
  for (int steps = 0; steps < kDeepest; ++steps) {
    if (!at->is_object()) return *at;
    if (const auto all = at->find("allOf"); all != at->end() && all->size() == 1) {
      at = &all->front();
      continue;
    }
    const auto reference = at->find("$ref");
    if (reference == at->end()) return *at;
    const std::string path = reference->is_string() ? reference->get<std::string>() : "";
    if (!path.starts_with("#/") && path != "#") refuse("has a '$ref' that does not begin with '#/'");
    const Json::json_pointer pointer(path.substr(1));
    if (!root_.contains(pointer)) refuse("has a '$ref' that leads nowhere: " + path);
    at = &root_.at(pointer);
  }
  refuse("has a '$ref' that leads in a circle");
}

std::vector<const Json*> SchemaWords::choices(const Json& schema, int depth) const {
  if (depth > kDeepest) refuse("has a choice that leads in a circle");
  const Json& at = plain(schema);
  std::vector<const Json*> out;
  for (const char* list : {"anyOf", "oneOf"}) {
    if (!at.is_object() || !at.contains(list)) continue;
    for (const Json& one : at[list])
      for (const Json* choice : choices(one, depth + 1)) out.push_back(choice);
  }
  if (out.empty()) out.push_back(&at);
  return out;
}

bool SchemaWords::may_be(const Json& schema, std::string_view type) {
  if (!schema.is_object()) return true;
  if (type == "object" && !schema.contains("type") && schema.contains("properties")) return true;
  if (type == "null" && schema.value("nullable", Json()) == true) return true;
  const auto told = schema.find("type");
  return told == schema.end() ? type != "null" : names_type(*told, type);
}

bool SchemaWords::only(const Json& schema, std::string_view type) {
  if (!schema.is_object() || !may_be(schema, type)) return false;
  for (const char* other : {"object", "array", "string", "number", "integer", "boolean"})
    if (other != type && may_be(schema, other)) return false;
  return true;
}

bool SchemaWords::holds(const Json& schema, const Json& value) {
  if (!schema.is_object()) return true;
  if (const auto listed = schema.find("enum");
      listed != schema.end() && std::find(listed->begin(), listed->end(), value) == listed->end())
    return false;
  if (const auto set = schema.find("const"); set != schema.end() && *set != value) return false;
  if (value.is_number()) return within(schema, value.get<double>(), "minimum", "maximum");
  if (value.is_string())
    return within(schema, static_cast<double>(value.get_ref<const std::string&>().size()), "minLength",
                  "maxLength");
  return !value.is_array() || within(schema, static_cast<double>(value.size()), "minItems", "maxItems");
}

}  // namespace kgwalk::server
