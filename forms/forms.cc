#include "kgwalk/forms.h"

#include <utility>

namespace kgwalk::forms {
namespace {

Set joined(SetKind kind, Set a, Set b) {
  Set set{.kind = kind};
  set.parts.push_back(std::move(a));
  set.parts.push_back(std::move(b));
  return set;
}

Set ranked(SetKind kind, Set of, Measure measure, std::uint64_t n) {
  Set set{.kind = kind, .measure = std::move(measure), .n = n};
  set.parts.push_back(std::move(of));
  return set;
}

Query compared(QueryKind kind, Set a, Set b, Measure measure) {
  Query query{.kind = kind, .measure = std::move(measure)};
  query.compared.push_back(std::move(a));
  query.compared.push_back(std::move(b));
  return query;
}

}  // namespace

Condition between(TypedValue lower, TypedValue upper) {
  return {.test = Comparison::kAtLeast, .value = std::move(lower), .upper = std::move(upper)};
}

Measure value_of(Relations relations) {
  return {.kind = MeasureKind::kValue, .relations = std::move(relations)};
}
Measure count_of(Relations relations) {
  return {.kind = MeasureKind::kCount, .relations = std::move(relations)};
}
Measure count_of(Relations relations, Set among) {
  Measure measure = count_of(std::move(relations));
  measure.among.push_back(std::move(among));
  return measure;
}

Set entities(std::vector<EntityId> ids) { return {.kind = SetKind::kEntities, .entities = std::move(ids)}; }
Set before(std::size_t number) { return {.kind = SetKind::kBefore, .before = number}; }
Set step(Set from, Relations relations) {
  Set set{.kind = SetKind::kStep, .relations = std::move(relations)};
  set.parts.push_back(std::move(from));
  return set;
}
Set step(Set from, Relations relations, std::vector<Qualified> qualified) {
  Set set = step(std::move(from), std::move(relations));
  set.qualified = std::move(qualified);
  return set;
}

Set of_type(std::vector<EntityId> types) { return {.kind = SetKind::kOfType, .entities = std::move(types)}; }
Set having(Relations relations) { return {.kind = SetKind::kHaving, .relations = std::move(relations)}; }
Set both(Set a, Set b) { return joined(SetKind::kAnd, std::move(a), std::move(b)); }
Set either(Set a, Set b) { return joined(SetKind::kOr, std::move(a), std::move(b)); }
Set but(Set set, Set without) { return joined(SetKind::kBut, std::move(set), std::move(without)); }
Set where(Set of, Relations relations, Condition condition) {
  Set set{.kind = SetKind::kWhere, .relations = std::move(relations), .condition = std::move(condition)};
  set.parts.push_back(std::move(of));
  return set;
}
Set where_count(Set of, Measure measure, Condition condition) {
  Set set{.kind = SetKind::kWhereCount, .condition = std::move(condition), .measure = std::move(measure)};
  set.parts.push_back(std::move(of));
  return set;
}
Set first(Set set, Measure measure, std::uint64_t n) {
  return ranked(SetKind::kFirst, std::move(set), std::move(measure), n);
}
Set last(Set set, Measure measure, std::uint64_t n) {
  return ranked(SetKind::kLast, std::move(set), std::move(measure), n);
}

Query find(Set set) { return {.kind = QueryKind::kFind, .set = std::move(set)}; }
Query count(Set set) { return {.kind = QueryKind::kCount, .set = std::move(set)}; }
Query sum(Set set, Relations relations) {
  return {.kind = QueryKind::kSum, .set = std::move(set), .measure = value_of(std::move(relations))};
}
Query average(Set set, Relations relations) {
  return {.kind = QueryKind::kAverage, .set = std::move(set), .measure = value_of(std::move(relations))};
}
Query which(std::vector<Set> sets, Measure measure, bool greatest) {
  return {.kind = QueryKind::kWhich,
          .measure = std::move(measure),
          .compared = std::move(sets),
          .greatest = greatest};
}
Query whether(Set a, Comparison test, Set b, Measure measure) {
  Query query = compared(QueryKind::kWhether, std::move(a), std::move(b), std::move(measure));
  query.test = test;
  return query;
}
Query difference(Set a, Set b, Measure measure) {
  return compared(QueryKind::kDifference, std::move(a), std::move(b), std::move(measure));
}
Query check(Set set) { return {.kind = QueryKind::kCheck, .set = std::move(set)}; }
Query check_among(Set members, Set set) {
  Query query = check(std::move(set));
  query.members.push_back(std::move(members));
  return query;
}
Query check_count(Set set, Condition count) {
  Query query = check(std::move(set));
  query.condition = std::move(count);
  return query;
}
Query relations_between(Set from, Set to) {
  Query query{.kind = QueryKind::kRelations, .set = std::move(from)};
  query.members.push_back(std::move(to));
  return query;
}

}  // namespace kgwalk::forms
