#include "graph/ingest/formats/json_reader.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/ingest/formats/entity_table.h"
#include "graph/ingest/formats/json_listed.h"
#include "graph/ingest/formats/json_lists.h"
#include "graph/ingest/formats/json_parts.h"
#include "graph/ingest/formats/json_tree.h"
#include "graph/ingest/formats/jsonld_reader.h"
#include "graph/ingest/formats/wikidata_reader.h"
#include "graph/ingest/lines.h"
#include "graph/ingest/tables/cell_types.h"
#include "graph/ingest/tables/table_guess.h"
#include "graph/ingest/tables/table_names.h"
#include "graph/ingest/tables/table_profile.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kLookedAt = 1 << 20;  // bytes that show what a text is: an entity has long labels

Term literal_of(const JsonNode& value) {
  using Kind = JsonNode::Kind;
  Term term{TermKind::kLiteral, value.text, {}, {}};
  if (value.is_boolean()) {
    term.text = value.kind == Kind::kTrue ? "true" : "false";
    term.datatype = "http://www.w3.org/2001/XMLSchema#boolean";
  } else if (value.kind == Kind::kInteger) {
    term.datatype = "http://www.w3.org/2001/XMLSchema#integer";
  } else if (value.kind == Kind::kFloat) {
    const bool decimal = value.text.find_first_of("eE") == std::string::npos;
    term.datatype =
        decimal ? "http://www.w3.org/2001/XMLSchema#decimal" : "http://www.w3.org/2001/XMLSchema#double";
  }
  return term;
}

// A term that owns its text.
struct Thing {
  TermKind kind = TermKind::kBlank;
  std::string text;
  [[nodiscard]] Term term() const { return {kind, text, {}, {}}; }
};

bool is_plain_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

class ObjectReading {
 public:
  ObjectReading(const InputText& text, std::string_view bytes, StatementSink& sink)
      : text_(text), bytes_(bytes), log_(text.log), sink_(sink), elements_(bytes, text.log, sink) {
    if (text.objects == nullptr) return;
    for (const auto& [key, planned] : text.objects->keys)
      if (!planned.rows_of.empty()) planned_id_ = key;
  }

  void run() {
    JsonNode node;
    for (JsonElement element; elements_.next(element);) {
      line_ = element.line;
      if (!elements_.read(element, node)) continue;
      if (node.is_object())
        take_listed(node);
      else
        log_.skip(line_, Reason::kSyntax, "the value is no object; each one is to be a thing");
    }
    tell();
  }

 private:
  // Those of a list are what the list is called, as rows of a table are: each of movies.json is a movie.
  // Where they are called by a key that says what they are, they are that too: {"country": "Japan"}.
  void take_listed(const JsonNode& object) {
    const std::string list(elements_.key());
    if (num_listed_ == 0 || list != list_) {
      list_ = list;
      stem_ = list.empty() ? text_.file_name.substr(0, text_.file_name.find('.')) : list;
      kinds_ = {list.empty() ? kind_of_list(stem_) : kind_of_key(stem_)};
      if (text_.objects != nullptr && text_.objects->kind != kinds_[0]) kinds_.push_back(text_.objects->kind);
      std::erase(kinds_, "");
      waiting_.reset();
      num_listed_ = 0;
    }
    ++num_listed_;
    std::optional<Thing> thing = take(object);
    if (!thing || thing->kind == TermKind::kBlank) return;
    // One object alone is no list.
    if (num_listed_ == 1) {
      waiting_ = std::move(thing);
      return;
    }
    if (waiting_) give_kinds(*waiting_);
    waiting_.reset();
    give_kinds(*thing);
  }

  void give_kinds(const Thing& thing) {
    for (const std::string& kind : kinds_) {
      add({thing.term(), {TermKind::kIri, kRdfType, {}, {}}, {TermKind::kName, kind, {}, {}}});
      ++of_kind_[kind];
    }
  }

  // "altSpellings" -> "alt spellings", as columns of tables have it.
  [[nodiscard]] const std::string& words_of(const std::string& key) {
    const auto known = words_.find(key);
    if (known != words_.end()) return known->second;
    std::string words = invalid_utf8_at(key) ? key : words_of_column(key);
    return words_.emplace(key, words.empty() ? key : std::move(words)).first->second;
  }

  // The thing that an object is, once all that it says is handed on; nullopt where it cannot be one. `known`:
  // what it is already known to be; `key`: what it lies under in another.
  std::optional<Thing> take(const JsonNode& object, const RowThing* known = nullptr,
                            const std::string& key = {}) {
    const NamingKeys keys = naming_keys(object, uses_);
    const std::string called = keys.name == kNoKey ? planned_name(object) : std::string();
    const Thing thing =
        known != nullptr ? Thing{known->kind, known->text} : thing_of(object, keys, called, key);
    const Term subject = thing.term();
    if (thing.kind != TermKind::kBlank && !sink_.mention(subject, line_)) return std::nullopt;
    if (keys.id != kNoKey) ++known_by_[object.keys[keys.id]];
    if (keys.name != kNoKey) ++named_by_[object.keys[keys.name]];
    if (!called.empty()) ++named_by_[text_.objects->name.front()];
    if (known == nullptr) give_name(thing, keys, called);
    for (std::size_t i = 1; i < keys.texts.size(); ++i)
      add({subject, {TermKind::kName, "alias", {}, {}}, {TermKind::kLiteral, keys.texts[i], {}, {}}});
    ++depth_;
    for (std::size_t i = 0; i < object.keys.size(); ++i)
      if (i != keys.id && i != keys.name && (called.empty() || !is_planned_name(object.keys[i])))
        property(subject, object.keys[i], object.items[i], keys.id != kNoKey);
    --depth_;
    return thing;
  }

  // By its id, the plan's, its name, the plan's, its place in the list; else it is known by nothing.
  [[nodiscard]] Thing thing_of(const JsonNode& object, const NamingKeys& keys, const std::string& called,
                               const std::string& key) {
    if (std::string row = row_of(object); !row.empty()) {
      known_by_[planned_id_] += keys.id == kNoKey ? 1 : 0;
      return {TermKind::kId, std::move(row)};
    }
    if (keys.id != kNoKey) {
      const std::string& id = object.items[keys.id].text;
      if (!key.empty() && is_plain_number(id)) {
        if (!is_listed(id, keys, key)) return {TermKind::kId, type_of_table(key) + "/" + id};
        if (!planned_id_.empty()) return {TermKind::kId, planned_rows() + "/" + id};
      }
      const Term term = term_of_id(id);
      const bool blank = term.kind == TermKind::kBlank;
      return {term.kind, blank ? text_.blank_prefix + std::string(term.text) : std::string(term.text)};
    }
    if (keys.name != kNoKey) return {TermKind::kName, std::string(keys.texts.front())};
    if (!called.empty() && text_.objects->name.size() == 1) return {TermKind::kName, called};
    num_unnamed_ += called.empty() ? 1 : 0;
    if (depth_ == 0) return {TermKind::kId, row_by_place()};
    return {TermKind::kBlank, text_.blank_prefix + "object" + std::to_string(num_unnamed_)};
  }

  // Whether what lies under a key and has a number for an id is one of the list: the first user is not the
  // first post.
  [[nodiscard]] bool is_listed(const std::string& id, const NamingKeys& keys, const std::string& key) {
    if (type_of_table(key) == type_of_table(stem_) || leads_to_own_kind(words_of(key))) return true;
    if (keys.texts.empty()) return false;
    if (!listed_) listed_.emplace(bytes_);
    return listed_->has(id, keys.texts.front());
  }

  [[nodiscard]] const std::string& planned_rows() const {
    return text_.objects->keys.find(planned_id_)->second.rows_of;
  }

  // "nations/103": another file may have a list of this name.
  [[nodiscard]] std::string row_by_place() const {
    return text_.blank_prefix + stem_ + "/" + std::to_string(num_listed_);
  }

  // Where it is not its name that it is known by; what is known by its place is called by it.
  void give_name(const Thing& thing, const NamingKeys& keys, const std::string& called) {
    if (thing.kind == TermKind::kName) return;
    if (keys.name != kNoKey)
      sink_.name(thing.term(), keys.texts.front(), line_);
    else if (!called.empty())
      sink_.name(thing.term(), called, line_);
    else if (depth_ == 0 && !planned_id_.empty() && thing.text.starts_with(planned_rows() + "/"))
      sink_.name(thing.term(), name_of_row(thing.text), line_);  // "order 7"
    else if (depth_ == 0 && thing.text == row_by_place())
      sink_.name(thing.term(), name_of_row(stem_ + "/" + std::to_string(num_listed_)), line_);
  }

  [[nodiscard]] bool is_planned_name(const std::string& key) const {
    const std::vector<std::string>& names = text_.objects->name;
    return std::find(names.begin(), names.end(), key) != names.end();
  }

  // What the plan calls an object that does not say it itself; empty where it does not, and for objects in
  // objects.
  [[nodiscard]] std::string planned_name(const JsonNode& object) const {
    std::string name;
    if (text_.objects == nullptr || depth_ > 0) return name;
    for (const std::string& key : text_.objects->name)
      if (const JsonNode* part = object.find(key);
          part != nullptr && part->is_scalar() && !part->text.empty())
        name += (name.empty() ? "" : " ") + part->text;
    return name;
  }

  // What the plan knows the object by, "subdivisions/AD-02"; empty where it does not, and for objects in
  // objects.
  [[nodiscard]] std::string row_of(const JsonNode& object) const {
    const JsonNode* key = planned_id_.empty() || depth_ > 0 ? nullptr : object.find(planned_id_);
    if (key == nullptr || !key->is_scalar() || key->text.empty()) return {};
    return planned_rows() + "/" + key->text;
  }

  // `in_list`: one of several, which are things though they have no name.
  void property(const Term& subject, const std::string& key, const JsonNode& value, bool has_id,
                bool in_list = false) {
    if (value.is_array()) {
      for (const JsonNode& item : value.items) property(subject, key, item, has_id, true);
      return;
    }
    if (value.is_null() || (value.is_string() && value.text.empty()) || key.empty()) return;
    if (value.is_string() && text_.objects != nullptr && says_nothing(value.text, text_.objects->missing))
      return;
    const PlannedKey* planned = planned_for(key);
    if (planned != nullptr && !planned->separator.empty() && value.is_string() &&
        value.text.find(planned->separator) != std::string::npos) {
      for_each_cell_part(value.text, planned->separator, [&](std::string_view part) {
        property(subject, key, JsonNode::string(part), has_id, true);
      });
      return;
    }
    if (planned != nullptr && (planned->is_left_out || link(subject, *planned, value))) return;
    // Several types of what is of a kind already are values as others are: those of Pokemon.
    const bool says_types = uses_[key] == KeyUse::kType;
    const bool is_type = says_types && !(planned != nullptr && planned->is_list && !kinds_.empty());
    std::string words = planned != nullptr && !planned->relation.empty() ? planned->relation : words_of(key);
    if (says_types && !is_type) words = kinds_.front() + ' ' + words;
    const Term predicate =
        is_type ? Term{TermKind::kIri, kRdfType, {}, {}} : Term{TermKind::kName, words, {}, {}};
    if (value.is_object()) {
      if (!in_list && !known_by_itself(value)) return parts(subject, key, value, has_id);
      if (const auto thing = take(value, known_as(planned, value), key))
        add({subject, predicate, thing->term()});
    } else if (value.text.size() > text_.max_line_bytes) {
      log_.skip(line_, Reason::kLongLine,
                "the text of '" + key.substr(0, 60) + "' has " + std::to_string(value.text.size()) +
                    " bytes; at most " + std::to_string(text_.max_line_bytes) + " are taken");
    } else if (is_type && value.is_string()) {
      add({subject, predicate, has_id ? term_of_id(value.text) : Term{TermKind::kName, value.text, {}, {}}});
    } else {
      add({subject, predicate, literal_of(value)});
    }
  }

  // The plan is of the keys of whole values, not of what lies in them.
  [[nodiscard]] const PlannedKey* planned_for(const std::string& key) const {
    if (text_.objects == nullptr || depth_ != 1) return nullptr;
    const auto found = text_.objects->keys.find(key);
    return found == text_.objects->keys.end() ? nullptr : &found->second;
  }

  // The thing of a table whose name an object bears that the plan leads there; null where it has an id.
  [[nodiscard]] const RowThing* known_as(const PlannedKey* planned, const JsonNode& object) {
    if (planned == nullptr || planned->things == nullptr) return nullptr;
    const NamingKeys keys = naming_keys(object, uses_);
    if (keys.id != kNoKey || keys.name == kNoKey) return nullptr;
    const auto found = planned->things->find(std::string(keys.texts.front()));
    return found == planned->things->end() ? nullptr : &found->second;
  }

  // Whether the value leads to a thing; it stays a literal where no thing has it.
  [[nodiscard]] bool link(const Term& subject, const PlannedKey& planned, const JsonNode& value) {
    if (planned.to.empty() || !value.is_scalar()) return false;
    const Term relation{TermKind::kName, planned.relation, {}, {}};
    if (planned.things == nullptr) {
      const std::string row = planned.to.substr(0, planned.to.find('.')) + "/" + value.text;
      return add({.subject = subject,
                  .predicate = relation,
                  .object = {TermKind::kId, row, {}, {}},
                  .between_nodes = true}),
             true;
    }
    const auto found = planned.things->find(value.text);
    if (found == planned.things->end()) return false;
    return add({subject, relation, found->second.term()}), true;
  }

  [[nodiscard]] bool known_by_itself(const JsonNode& object) {
    const NamingKeys keys = naming_keys(object, uses_);
    return keys.id != kNoKey || keys.name != kNoKey;
  }

  // What an object without id and name says is said of the thing that it belongs to.
  void parts(const Term& subject, const std::string& key, const JsonNode& object, bool has_id) {
    const bool filed = is_map_of_codes(object);
    for (std::size_t i = 0; i < object.keys.size(); ++i)
      property(subject, filed ? key : words_of(key) + ' ' + words_of(object.keys[i]), object.items[i],
               has_id);
  }

  void add(const Statement& statement) { (void)sink_.add(statement, line_); }

  // By which keys things are known.
  void tell() const {
    if (!elements_.left_out().empty()) {
      std::string words;
      for (const std::string& key : elements_.left_out()) words += (words.empty() ? "'" : ", '") + key + "'";
      log_.note("what stands beside the lists of objects is not read: " + words);
    }
    if (text_.objects != nullptr)
      for (const auto& [key, planned] : text_.objects->keys)
        if (!planned.to.empty()) log_.note("'" + key + "' holds what leads to " + planned.to);
    const auto list = [](const std::map<std::string, std::size_t>& counts) {
      std::string words;
      for (const auto& [key, count] : counts)
        words +=
            (words.empty() ? "'" : ", '") + key + "' (" + with_commas(static_cast<long long>(count)) + ")";
      return words.empty() ? std::string("nothing") : words;
    };
    if (known_by_.empty() && named_by_.empty() && num_unnamed_ == 0) return;
    std::string note = "objects are known by " + list(known_by_) + " and named by " + list(named_by_);
    if (!of_kind_.empty()) note += "; each is " + list(of_kind_);
    if (num_unnamed_ > 0)
      note += "; " + with_commas(static_cast<long long>(num_unnamed_)) + " have neither id nor name";
    log_.note(note);
  }

  const InputText& text_;
  std::string_view bytes_;
  ProblemLog& log_;
  StatementSink& sink_;
  ListedElements elements_;
  KeyUses uses_;
  std::unordered_map<std::string, std::string> words_;
  std::map<std::string, std::size_t> known_by_, named_by_;  // how many objects by which key
  std::string list_, stem_;              // the list at hand, and what it is called where it has no key
  std::vector<std::string> kinds_;       // what each in it is
  std::optional<Thing> waiting_;         // its first object, until there is another
  std::optional<ListedObjects> listed_;  // once it was asked for
  std::size_t num_listed_ = 0;           // of its objects
  std::map<std::string, std::size_t> of_kind_;
  std::string planned_id_;  // the key that the plan knows objects by
  std::size_t num_unnamed_ = 0, line_ = 0;
  std::size_t depth_ = 0;  // of objects in objects
};

// Whether a text has a key, written with its quotation marks.
bool has_key(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::size_t behind = text.find_first_not_of(" \t\r\n", at + key.size());
    if (behind != std::string_view::npos && text[behind] == ':') return true;
  }
  return false;
}

bool is_jsonld(std::string_view begin) {
  return has_key(begin, "\"@context\"") || has_key(begin, "\"@graph\"") || has_key(begin, "\"@value\"");
}

bool is_wikidata(std::string_view begin) {
  return has_key(begin, "\"labels\"") && has_key(begin, "\"claims\"") && has_key(begin, "\"mainsnak\"");
}

}  // namespace

bool has_plain_objects(std::string_view bytes, const InputOptions& options) {
  const std::string_view begin = bytes.substr(0, kLookedAt);
  const bool open = options.format == InputFormat::kAuto;
  return !open || (!is_jsonld(begin) && !is_wikidata(begin));
}

std::optional<RowThing> thing_of_object(const JsonNode& object) {
  KeyUses uses;
  const NamingKeys keys = naming_keys(object, uses);
  if (keys.id != kNoKey) {
    const Term term = term_of_id(object.items[keys.id].text);
    if (term.kind == TermKind::kBlank) return std::nullopt;
    return RowThing{term.kind, std::string(term.text)};
  }
  if (keys.name == kNoKey) return std::nullopt;
  return RowThing{TermKind::kName, std::string(keys.texts.front())};
}

void read_json(const InputText& text, StatementSink& sink) {
  const std::string_view begin = text.bytes.substr(0, kLookedAt);
  const bool open = text.options.format == InputFormat::kAuto;
  if (open && is_jsonld(begin)) {
    text.counts.format = Choice<InputFormat>(InputFormat::kJsonLd).name();
    return read_jsonld(text, sink);
  }
  if (open && is_wikidata(begin)) {
    text.counts.format = Choice<InputFormat>(InputFormat::kWikidata).name();
    return read_wikidata(text, sink);
  }
  ObjectReading(text, without_byte_order_mark(text.bytes, text.log), sink).run();
  text.counts.lines = lines_of(text.bytes);
}

}  // namespace kgwalk::graph
