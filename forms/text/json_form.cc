// Forms from json, strictly.
#include <algorithm>
#include <initializer_list>

#include "forms/form_check.h"
#include "forms/text/names.h"
#include "forms/text/value_json.h"
#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "runtime/text.h"

namespace kgwalk::forms {
namespace {

// As form_check allows, so that what nests deeper is refused before it is read.
constexpr int kDeepest = 100;

class Reader {
 public:
  explicit Reader(const graph::KnowledgeGraph& graph) : graph_(graph) {}

  [[nodiscard]] Query query(const Json& json) const {
    if (!json.is_object()) refuse("form", "expected an object, not " + json.dump());
    const auto kind = kind_of<QueryKind>(json, "form");
    const std::string key = choice_name(kind);
    Query query{.kind = kind};
    switch (kind) {
      case QueryKind::kFind:
      case QueryKind::kCount:
        known(json, key, {key});
        query.set = set(json[key], key, 0);
        break;
      case QueryKind::kSum:
      case QueryKind::kAverage:
        known(json, key, {key, "of"});
        query.measure.relations = relations(json[key], key);
        query.set = set(needed(json, "of", key), dotted(key, "of"), 0);
        break;
      case QueryKind::kWhich:
      case QueryKind::kWhether:
      case QueryKind::kDifference:
        comparison(json, key, query);
        break;
      case QueryKind::kCheck:
        known(json, key, {key, "members", "test", "value", "between"});
        query.set = set(json[key], key, 0);
        if (json.contains("members"))
          query.members.push_back(set(json["members"], dotted(key, "members"), 0));
        if (json.contains("test") || json.contains("value") || json.contains("between"))
          query.condition = condition(json, key);
        break;
      case QueryKind::kRelations:
        ends(json, key, query);
        break;
    }
    return query;
  }

 private:
  [[noreturn]] static void refuse(const std::string& where, const std::string& why) {
    throw ConfigError(where + ": " + why);
  }

  static std::string dotted(const std::string& path, const std::string& name) { return path + '.' + name; }

  // The kind whose word is a key of the object; exactly one is.
  template <class Kind>
  static Kind kind_of(const Json& json, const std::string& where) {
    std::vector<std::string> found, given;
    const std::vector<std::string> words = Choice<Kind>::names();
    for (const auto& [key, value] : json.items()) {
      given.push_back(key);
      if (std::find(words.begin(), words.end(), key) != words.end()) found.push_back(key);
    }
    if (found.size() == 1) return Choice<Kind>(found.front());
    if (found.size() > 1) refuse(where, "'" + found[0] + "' and '" + found[1] + "' do not go together");
    const std::string one = given.empty() ? std::string() : given.front();
    refuse(where, (given.empty() ? std::string("is empty; it ") : "'" + one + "' is no form; it ") +
                      choice_advice(one, words));
  }

  static void known(const Json& json, const std::string& where, std::vector<std::string> keys) {
    for (const auto& [key, value] : json.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        refuse(where, "there is no '" + key + "' here" + did_you_mean(key, keys));
  }

  static const Json& needed(const Json& json, const std::string& key, const std::string& where) {
    const auto found = json.find(key);
    if (found == json.end()) refuse(where, "'" + key + "' is missing");
    return *found;
  }

  static std::vector<std::string> texts(const Json& json, const std::string& where) {
    std::vector<std::string> list;
    if (json.is_string()) return {json.get<std::string>()};
    if (!json.is_array()) refuse(where, "expected a name or a list of names, not " + json.dump());
    for (const Json& each : json) {
      if (!each.is_string()) refuse(where, "expected a name, not " + each.dump());
      list.push_back(each.get<std::string>());
    }
    return list;
  }

  [[nodiscard]] std::vector<EntityId> entities_of(const Json& json, const std::string& where) const {
    std::vector<EntityId> ids;
    for (const std::string& name : texts(json, where)) ids.push_back(entity_of(name, graph_, where));
    return ids;
  }

  [[nodiscard]] Relations relations(const Json& json, const std::string& where) const {
    Relations ids;
    for (const std::string& name : texts(json, where)) ids.push_back(relation_of(name, graph_, where));
    return ids;
  }

  [[nodiscard]] std::vector<Set> sets(const Json& json, const std::string& where, int depth) const {
    if (!json.is_array()) refuse(where, "expected a list of sets, not " + json.dump());
    std::vector<Set> all;
    for (std::size_t i = 0; i < json.size(); ++i)
      all.push_back(set(json[i], dotted(where, std::to_string(i)), depth));
    return all;
  }

  static Comparison test_of(const Json& json, const std::string& where) {
    const Json& word = needed(json, "test", where);
    Choice<Comparison> test = Comparison::kEqual;
    if (!word.is_string() || !test.assign(word.get<std::string>()))
      refuse(dotted(where, "test"),
             Choice<Comparison>::advice(word.is_string() ? word.get<std::string>() : word.dump()));
    return test;
  }

  static Condition condition(const Json& json, const std::string& where) {
    if (!json.contains("between"))
      return {.test = test_of(json, where),
              .value = value_of_json(needed(json, "value", where), dotted(where, "value"))};
    if (json.contains("test") || json.contains("value"))
      refuse(where, "'between' stands without 'test' and 'value'");
    const Json& bounds = json["between"];
    if (!bounds.is_array() || bounds.size() != 2) refuse(dotted(where, "between"), "expected two values");
    return between(value_of_json(bounds[0], dotted(where, "between")),
                   value_of_json(bounds[1], dotted(where, "between")));
  }

  // One object or a list of them.
  [[nodiscard]] std::vector<Qualified> qualified(const Json& json, const std::string& where) const {
    std::vector<Qualified> all;
    for (const Json& each : json.is_array() ? json : Json::array({json})) {
      if (!each.is_object()) refuse(where, "expected an object or a list of them, not " + each.dump());
      known(each, where, {"qualifier", "is", "test", "value", "between"});
      Qualified one{.relations = relations(needed(each, "qualifier", where), dotted(where, "qualifier"))};
      if (each.contains("is")) {
        known(each, where, {"qualifier", "is"});
        one.entities = entities_of(each["is"], dotted(where, "is"));
      } else {
        one.condition = condition(each, where);
      }
      all.push_back(std::move(one));
    }
    return all;
  }

  [[nodiscard]] Measure measure(const Json& json, const std::string& where, int depth) const {
    const bool counts = json.contains("by_count");
    if (counts == json.contains("by")) refuse(where, "'by' or 'by_count' is wanted, and one of them");
    const std::string key = counts ? "by_count" : "by";
    Measure measure{.kind = counts ? MeasureKind::kCount : MeasureKind::kValue,
                    .relations = relations(json[key], dotted(where, key))};
    if (json.contains("among"))
      measure.among.push_back(set(json["among"], dotted(where, "among"), depth + 1));
    return measure;
  }

  void ends(const Json& json, const std::string& key, Query& query) const {
    known(json, key, {key});
    std::vector<Set> both = sets(json[key], key, 0);
    if (both.size() != 2) refuse(key, "expected two sets, from and to");
    query.set = std::move(both[0]);
    query.members.push_back(std::move(both[1]));
  }

  void comparison(const Json& json, const std::string& key, Query& query) const {
    known(json, key,
          {key, "by", "by_count", "among", query.kind == QueryKind::kWhether ? "test" : key,
           query.kind == QueryKind::kWhich ? "least" : key});
    query.compared = sets(json[key], key, 0);
    query.measure = measure(json, key, 0);
    if (query.kind == QueryKind::kWhether) query.test = test_of(json, key);
    if (!json.contains("least")) return;
    if (!json["least"].is_boolean()) refuse(dotted(key, "least"), "expected true or false");
    query.greatest = !json["least"].get<bool>();
  }

  [[nodiscard]] Set set(const Json& json, const std::string& where, int depth) const {
    if (depth > kDeepest) refuse("form", "is nested more than " + std::to_string(kDeepest) + " deep");
    if (json.is_string() || json.is_array()) return entities(entities_of(json, where));
    if (!json.is_object()) refuse(where, "expected a set, not " + json.dump());
    const auto kind = kind_of<SetKind>(json, where);
    const std::string key = choice_name(kind), path = dotted(where, key);
    Set set{.kind = kind};
    switch (kind) {
      case SetKind::kEntities:
      case SetKind::kOfType:
        known(json, path, {key});
        set.entities = entities_of(json[key], path);
        break;
      case SetKind::kBefore:
        known(json, path, {key});
        if (!json[key].is_number_unsigned()) refuse(path, "expected the number of an answer, from 0");
        set.before = json[key].get<std::size_t>();
        break;
      case SetKind::kHaving:
        known(json, path, {key});
        set.relations = relations(json[key], path);
        break;
      case SetKind::kStep:
        known(json, path, {key, "from", "with"});
        set.relations = relations(json[key], path);
        set.parts.push_back(this->set(needed(json, "from", path), dotted(path, "from"), depth + 1));
        if (json.contains("with")) set.qualified = qualified(json["with"], dotted(path, "with"));
        break;
      case SetKind::kAnd:
      case SetKind::kOr:
      case SetKind::kBut:
        known(json, path, {key});
        set.parts = sets(json[key], path, depth + 1);
        break;
      default:
        limited(json, path, set, depth);
        break;
    }
    return set;
  }

  // where, where_count, first, last
  void limited(const Json& json, const std::string& path, Set& set, int depth) const {
    const std::string key = choice_name(set.kind);
    if (set.kind == SetKind::kWhere || set.kind == SetKind::kWhereCount) {
      const bool counts = set.kind == SetKind::kWhereCount;
      known(json, path, {key, "test", "value", "between", "of", counts ? "among" : key});
      (counts ? set.measure.relations : set.relations) = relations(json[key], path);
      if (counts) set.measure.kind = MeasureKind::kCount;
      if (counts && json.contains("among"))
        set.measure.among.push_back(this->set(json["among"], dotted(path, "among"), depth + 1));
      set.condition = condition(json, path);
      set.parts.push_back(this->set(needed(json, "of", path), dotted(path, "of"), depth + 1));
      return;
    }
    known(json, path, {key, "by", "by_count", "among", "n"});
    set.measure = measure(json, path, depth);
    set.parts.push_back(this->set(json[key], path, depth + 1));
    if (!json.contains("n")) return;
    if (!json["n"].is_number_unsigned()) refuse(dotted(path, "n"), "expected how many, from 1");
    set.n = json["n"].get<std::uint64_t>();
  }

  const graph::KnowledgeGraph& graph_;
};

}  // namespace

Query query_of_json(const Json& json, const graph::TypedValues& values) {
  Query query = Reader(values.graph()).query(json);
  check_form(query, values.graph(), static_cast<std::size_t>(-1));
  return query;
}

}  // namespace kgwalk::forms
