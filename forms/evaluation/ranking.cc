// Values and counts of entities: conditions on them, and the order that they give.
#include <algorithm>
#include <unordered_map>

#include "forms/evaluation/evaluator.h"
#include "forms/rows.h"
#include "graph/values/value_group.h"

namespace kgwalk::forms {
namespace {

// Walking the values in their order looks at entities in no order of memory: it must promise to be so much
// shorter.
constexpr std::uint64_t kWalkGain = 8;

bool by_rank(const RankedEntity& a, const RankedEntity& b, bool greatest) {
  if (a.key != b.key) return greatest ? a.key > b.key : a.key < b.key;
  return a.entity < b.entity;
}

// Whether the members are limited by a value of the relation: those that come first in its order may all lie
// outside.
bool is_limited_by(const Set& set, RelationId relation) {
  const bool here = set.kind == SetKind::kWhere &&
                    std::find(set.relations.begin(), set.relations.end(), relation) != set.relations.end();
  return here || std::any_of(set.parts.begin(), set.parts.end(),
                             [&](const Set& part) { return is_limited_by(part, relation); });
}

// The n first and those equal to the last of them.
void keep_first(std::vector<RankedEntity>& all, std::uint64_t n, bool greatest) {
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return by_rank(a, b, greatest); });
  if (all.size() <= n) return;
  const double last = all[n - 1].key;
  std::size_t end = n;
  while (end < all.size() && all[end].key == last) ++end;
  all.resize(end);
}

}  // namespace

template <class Fn>
void Evaluator::for_each_value(EntityId entity, const Relations& relations, Fn&& fn) {
  for (const RelationId relation : relations) {
    const auto edges = row(graph_, entity, relation);
    budget_.visit(edges.size() + 1);
    for (const graph::Edge& edge : edges) fn(relation, edge.tail);
  }
}

Ids Evaluator::counted(EntityId entity, const Measure& measure) {
  Ids tails;
  for_each_value(entity, measure.relations, [&](RelationId, EntityId tail) { tails.push_back(tail); });
  sort_ids(tails);
  if (measure.among.empty()) return tails;
  return intersection(tails, kept(measure.among.front()));
}

std::optional<RankedEntity> Evaluator::measured(EntityId entity, const Measure& measure, std::uint8_t group,
                                                bool greatest) {
  if (measure.kind == MeasureKind::kCount)
    return RankedEntity{static_cast<double>(counted(entity, measure).size()), entity};
  std::optional<RankedEntity> best;
  for_each_value(entity, measure.relations, [&](RelationId relation, EntityId tail) {
    const TypedValue value = values_.value(relation, tail);
    if (group == 0 || graph::group_of(value) != group) return;
    if (best && (greatest ? value.from <= best->key : value.from >= best->key)) return;
    best = RankedEntity{value.from, entity, tail, relation};
  });
  return best;
}

std::optional<graph::Edge> Evaluator::fulfilling(const Set& where, EntityId entity) {
  const FittedCondition& condition = fitted_of(where);
  for (const RelationId relation : where.relations) {
    const auto edges = row(graph_, entity, relation);
    budget_.visit(edges.size() + 1);
    for (const graph::Edge& edge : edges)
      if (condition.holds(values_.value(relation, edge.tail))) return edge;
  }
  return std::nullopt;
}

bool Evaluator::count_holds(const Set& where_count, EntityId entity) {
  const TypedValue count =
      graph::number_value(static_cast<double>(counted(entity, where_count.measure).size()));
  const FittedCondition condition{.group = graph::kNumbers, .condition = where_count.condition};
  return condition.holds(count);
}

std::vector<RankedEntity> Evaluator::ranking(const Set& set) {
  const bool greatest = set.kind == SetKind::kLast;
  const bool by_value = set.measure.kind == MeasureKind::kValue;
  const std::uint8_t group = by_value ? group_of(set.measure.relations, values_) : std::uint8_t{0};
  if (by_value && group == 0) return {};
  if (by_value)
    if (auto found = ranking_by_index(set, group)) return std::move(*found);
  std::vector<RankedEntity> all;
  for (const EntityId entity : members(set.parts.front()))
    if (const auto ranked = measured(entity, set.measure, group, greatest)) all.push_back(*ranked);
  keep_first(all, set.n, greatest);
  return all;
}

// Along the values of one relation from the first on, until n entities of the set have been met. nullopt
// where finding the whole set is likely cheaper.
std::optional<std::vector<RankedEntity>> Evaluator::ranking_by_index(const Set& set, std::uint8_t group) {
  if (set.measure.relations.size() != 1) return std::nullopt;
  const RelationId relation = set.measure.relations.front();
  const auto ranked = values_.ranked(relation);
  const Set& of = set.parts.front();
  const std::uint64_t in_set = bound(of);
  const std::uint64_t heads = index_.heads(relation).size();
  if (values_.group(relation) != group || in_set == 0 || set.n > in_set) return std::nullopt;
  if (set.n * heads / in_set * kWalkGain > in_set || is_limited_by(of, relation)) return std::nullopt;
  const bool greatest = set.kind == SetKind::kLast;
  std::vector<RankedEntity> all;
  Ids met;  // ascending
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const graph::RankedValue& value = ranked[greatest ? ranked.size() - 1 - i : i];
    if (all.size() >= set.n && value.key != all.back().key) break;
    for (const graph::Edge& edge : row(graph_, value.value, graph_.inverse(relation))) {
      const auto place = std::lower_bound(met.begin(), met.end(), edge.tail);
      if ((place != met.end() && *place == edge.tail) || !contains(of, edge.tail)) continue;
      met.insert(place, edge.tail);
      all.push_back({value.key, edge.tail, value.value, relation});
    }
  }
  keep_first(all, set.n, greatest);
  return all;
}

}  // namespace kgwalk::forms
