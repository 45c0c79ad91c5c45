#include "forms/form_check.h"

#include <string>

#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::forms {
namespace {

// Deeper forms would be built by a mistake, and recursion ends somewhere.
constexpr int kMaxDepth = 100;

class Checker {
 public:
  Checker(const graph::KnowledgeGraph& graph, std::size_t num_before)
      : graph_(graph), num_before_(num_before) {}

  void set(const Set& set, int depth = 0) const {
    if (depth > kMaxDepth)
      throw ConfigError("the form is nested more than " + std::to_string(kMaxDepth) + " deep");
    const std::string name = choice_name(set.kind);
    for (const EntityId entity : set.entities) known(entity);
    num_parts(set, name);
    switch (set.kind) {
      case SetKind::kBefore:
        if (set.before >= num_before_)
          throw ConfigError("the form takes answer " + std::to_string(set.before) + " of before; there are " +
                            std::to_string(num_before_));
        break;
      case SetKind::kOfType:
        if (!graph::details(graph_).type_relation()) throw ConfigError("this graph has no types");
        break;
      case SetKind::kStep:
        relations(set.relations, name);
        for (const Qualified& each : set.qualified) qualified(each);
        break;
      case SetKind::kHaving:
      case SetKind::kWhere:
        relations(set.relations, name);
        break;
      case SetKind::kWhereCount:
      case SetKind::kFirst:
      case SetKind::kLast:
        measure(set.measure, name, depth);
        break;
      default:
        break;
    }
    if (set.kind == SetKind::kWhereCount) count_condition(set.condition, set.measure.kind);
    if (set.kind == SetKind::kWhere) value_condition(set.condition);
    if ((set.kind == SetKind::kFirst || set.kind == SetKind::kLast) && set.n == 0)
      throw ConfigError("'" + name + "' wants one or more");
    for (const Set& part : set.parts) this->set(part, depth + 1);
  }

  void query(const Query& query) const {
    const std::string name = choice_name(query.kind);
    const bool compares = query.kind == QueryKind::kWhich || query.kind == QueryKind::kWhether ||
                          query.kind == QueryKind::kDifference;
    if (!compares) set(query.set);
    if (query.kind == QueryKind::kSum || query.kind == QueryKind::kAverage) {
      if (query.measure.kind != MeasureKind::kValue)
        throw ConfigError("'" + name + "' is of the values of a relation");
      measure(query.measure, name, 0);
    }
    if (compares) compared(query, name);
    if (query.kind == QueryKind::kRelations && query.members.size() != 1)
      throw ConfigError("'relations' wants the set that they lead to");
    if (query.members.size() > 1) throw ConfigError("'" + name + "' takes one set of members");
    for (const Set& members : query.members) set(members);
    if (query.condition) count_condition(*query.condition, MeasureKind::kCount);
  }

 private:
  void known(EntityId entity) const {
    if (entity >= graph_.num_entities())
      throw ConfigError("entity " + std::to_string(entity) + " is not in the graph, which has " +
                        std::to_string(graph_.num_entities()));
  }

  static void num_parts(const Set& set, const std::string& name) {
    std::size_t least = 1, most = 1;
    if (set.kind == SetKind::kEntities || set.kind == SetKind::kBefore || set.kind == SetKind::kOfType ||
        set.kind == SetKind::kHaving)
      least = most = 0;
    if (set.kind == SetKind::kAnd || set.kind == SetKind::kOr || set.kind == SetKind::kBut)
      most = set.parts.size();
    if (set.parts.size() < least || set.parts.size() > most)
      throw ConfigError("'" + name + "' has " + std::to_string(set.parts.size()) + " parts");
  }

  void relations(const Relations& relations, const std::string& name) const {
    if (relations.empty()) throw ConfigError("'" + name + "' names no relation");
    for (const RelationId relation : relations)
      if (relation >= graph_.num_relations())
        throw ConfigError("relation " + std::to_string(relation) + " is not in the graph, which has " +
                          std::to_string(graph_.num_relations()));
  }

  void qualified(const Qualified& given) const {
    relations(given.relations, "with");
    for (const EntityId entity : given.entities) known(entity);
    if (given.entities.empty()) value_condition(given.condition);
  }

  void measure(const Measure& measure, const std::string& name, int depth) const {
    relations(measure.relations, name);
    if (measure.among.size() > (measure.kind == MeasureKind::kCount ? 1U : 0U))
      throw ConfigError("'" + name + "' counts what lies in one set at most, and values in none");
    for (const Set& among : measure.among) set(among, depth + 1);
  }

  void compared(const Query& query, const std::string& name) const {
    measure(query.measure, name, 0);
    const bool which = query.kind == QueryKind::kWhich;
    if (query.compared.size() < 2 || (!which && query.compared.size() > 2))
      throw ConfigError("'" + name + "' compares two" + (which ? " or more" : ""));
    for (const Set& each : query.compared) set(each);
  }

  static void value_condition(const Condition& condition) {
    if (condition.value.kind == graph::ValueKind::kThing ||
        (condition.upper && condition.upper->kind == graph::ValueKind::kThing))
      throw ConfigError("a value is compared with nothing");
  }

  static void count_condition(const Condition& condition, MeasureKind kind) {
    const auto plain = [](const TypedValue& value) {
      return value.kind == graph::ValueKind::kNumber && value.unit == 0;
    };
    if (kind != MeasureKind::kCount || !plain(condition.value) ||
        (condition.upper && !plain(*condition.upper)))
      throw ConfigError("a count is compared with plain numbers only");
  }

  const graph::KnowledgeGraph& graph_;
  std::size_t num_before_;
};

}  // namespace

void check_form(const Query& query, const graph::KnowledgeGraph& graph, std::size_t num_before) {
  Checker(graph, num_before).query(query);
}
void check_form(const Set& set, const graph::KnowledgeGraph& graph, std::size_t num_before) {
  Checker(graph, num_before).set(set);
}

}  // namespace kgwalk::forms
