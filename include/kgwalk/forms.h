// Forms: questions to a knowledge graph as values of a small algebra over sets of entities and their values.
//
// Example:
//   #include "kgwalk/knowledge_graph.h"
//
//   using namespace kgwalk::forms;
//   const auto graph = kgwalk::graph::KnowledgeGraph::from_triples(
//       std::vector<kgwalk::graph::NamedTriple>{{"Memento", "directed_by", "Christopher Nolan"},
//                                               {"Memento", "release_year", "2000"}});
//   const auto nolan = *graph.find_entity("Christopher Nolan");
//   const auto directed = graph.inverse(*graph.find_relation("directed_by"));
//   const Relations released = {*graph.find_relation("release_year")};
//   const Set films = step(entities({nolan}), {directed});
//   const Condition late = {Comparison::kGreater, kgwalk::graph::year_value(1999)};
//   const Query how_many = count(where(films, released, late));
//   const Query oldest = find(first(films, value_of(released)));
//   std::cout << (how_many == oldest) << '\n';
//
// A form names entities and relations of one graph by their ids. Where it says relations, several stand for
// one: an edge of any of them counts ("director", "directedBy"). A relation read backwards is a relation of
// its own (KnowledgeGraph::inverse).
//
// A step may ask for what a fact's statement says beside it (GraphDetails::qualifiers): "population in 2010".
//
// Plain values: copies are independent. kgwalk/query.h evaluates them, kgwalk/form_text.h reads and writes
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/graph_types.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

using graph::Comparison;
using graph::EntityId;
using graph::RelationId;
using graph::TypedValue;

// One or more that stand for one.
using Relations = std::vector<RelationId>;

// A value compared: `value TEST given`, or both bounds of "between", which belong to it.
struct Condition {
  Comparison test = Comparison::kEqual;
  TypedValue value = {};
  std::optional<TypedValue> upper = {};  // between `value` and this; `test` is not looked at
  friend bool operator==(const Condition&, const Condition&) = default;
};
// Between the two, both included.
[[nodiscard]] Condition between(TypedValue lower, TypedValue upper);

// What a statement must say beside the fact that a step takes: a value of one of the relations that holds the
// condition, or one of the entities.
struct Qualified {
  Relations relations = {};
  Condition condition = {};             // where no entities are given
  std::vector<EntityId> entities = {};  // or any of these
  friend bool operator==(const Qualified&, const Qualified&) = default;
};

enum class MeasureKind : std::uint8_t { kValue, kCount };

struct Set;

// What entities are ordered and compared by: the value of a relation, or how many it leads to.
struct Measure {
  MeasureKind kind = MeasureKind::kValue;
  Relations relations = {};
  std::vector<Set> among = {};  // of kCount, none or one: only what lies in it is counted
  friend bool operator==(const Measure&, const Measure&);
};
[[nodiscard]] Measure value_of(Relations relations);
[[nodiscard]] Measure count_of(Relations relations);
[[nodiscard]] Measure count_of(Relations relations, Set among);

enum class SetKind : std::uint8_t {
  kEntities,    // those given
  kBefore,      // the answer of before: a number in what the caller binds
  kStep,        // what the relations lead to from the set
  kOfType,      // of one of the types given, or of a type below it
  kHaving,      // whatever has one of the relations
  kAnd,         // in all parts
  kOr,          // in any part
  kBut,         // in the first part and in none of the others
  kWhere,       // those of the set of which a value of the relations holds the condition
  kWhereCount,  // those of the set whose count (measure) holds the condition
  kFirst,       // of the set, the n with the least measure, and those equal to the last of them
  kLast,        // with the greatest
};
constexpr auto choice_names(SetKind) {
  return choices_in_order<SetKind>("entities", "before", "step", "type", "having", "and", "or", "but",
                                   "where", "where_count", "first", "last");
}

struct Set {
  SetKind kind = SetKind::kEntities;
  std::vector<EntityId> entities = {};    // kEntities; kOfType: the types
  std::size_t before = 0;                 // kBefore
  Relations relations = {};               // kStep, kHaving, kWhere
  std::vector<Set> parts = {};            // one, but of kAnd, kOr, kBut
  std::vector<Qualified> qualified = {};  // kStep: one statement of the fact says all of it
  Condition condition = {};               // kWhere, kWhereCount
  Measure measure = {};                   // kWhereCount, kFirst, kLast
  std::uint64_t n = 1;                    // kFirst, kLast
  friend bool operator==(const Set&, const Set&) = default;
};
inline bool operator==(const Measure& a, const Measure& b) {
  return a.kind == b.kind && a.relations == b.relations && a.among == b.among;
}

[[nodiscard]] Set entities(std::vector<EntityId> ids);
[[nodiscard]] Set before(std::size_t number);
[[nodiscard]] Set step(Set from, Relations relations);
[[nodiscard]] Set step(Set from, Relations relations, std::vector<Qualified> qualified);
[[nodiscard]] Set of_type(std::vector<EntityId> types);
[[nodiscard]] Set having(Relations relations);
[[nodiscard]] Set both(Set a, Set b);
[[nodiscard]] Set either(Set a, Set b);
[[nodiscard]] Set but(Set set, Set without);
[[nodiscard]] Set where(Set set, Relations relations, Condition condition);
// The number is a plain one: where_count(set, count_of(borders), {Comparison::kAtLeast, number_value(3)}).
[[nodiscard]] Set where_count(Set set, Measure measure, Condition condition);
[[nodiscard]] Set first(Set set, Measure measure, std::uint64_t n = 1);
[[nodiscard]] Set last(Set set, Measure measure, std::uint64_t n = 1);

enum class QueryKind : std::uint8_t {
  kFind,        // the entities of the set
  kCount,       // how many there are
  kSum,         // of the values that the measure gives for them
  kAverage,     // likewise
  kWhich,       // which of those compared has the greatest (least) measure
  kWhether,     // whether the first compared TEST the second
  kDifference,  // by how much the measure of the first exceeds that of the second
  // Whether the set has a member; where given, all of `members`; where given, as many as `condition` says.
  kCheck,
  kRelations,  // which relations lead from a member of the set to one of `members`
};
constexpr auto choice_names(QueryKind) {
  return choices_in_order<QueryKind>("find", "count", "sum", "average", "which", "whether", "difference",
                                     "check", "relations");
}

struct Query {
  QueryKind kind = QueryKind::kFind;
  Set set = {};                    // all but kWhich, kWhether, kDifference
  Measure measure = {};            // kSum, kAverage, kWhich, kWhether, kDifference
  std::vector<Set> compared = {};  // kWhich: two or more; kWhether, kDifference: two. Of one entity each
  bool greatest = true;            // kWhich
  Comparison test = Comparison::kGreater;   // kWhether; kEqual: the same?
  std::vector<Set> members = {};            // kCheck: none or one; kRelations: one
  std::optional<Condition> condition = {};  // kCheck
  friend bool operator==(const Query&, const Query&) = default;
};

[[nodiscard]] Query find(Set set);
[[nodiscard]] Query count(Set set);
[[nodiscard]] Query sum(Set set, Relations relations);
[[nodiscard]] Query average(Set set, Relations relations);
[[nodiscard]] Query which(std::vector<Set> compared, Measure measure, bool greatest = true);
[[nodiscard]] Query whether(Set a, Comparison test, Set b, Measure measure);
[[nodiscard]] Query difference(Set a, Set b, Measure measure);
[[nodiscard]] Query check(Set set);                         // is there one?
[[nodiscard]] Query check_among(Set members, Set set);      // are they all in it?
[[nodiscard]] Query check_count(Set set, Condition count);  // are there so many?
[[nodiscard]] Query relations_between(Set from, Set to);

}  // namespace kgwalk::forms
