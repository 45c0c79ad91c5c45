// The members of sets.
#include <algorithm>
#include <array>

#include "forms/evaluation/evaluator.h"
#include "forms/rows.h"

namespace kgwalk::forms {
namespace {

// To look whether an entity lies in a set costs about as much as to find so many members of it.
constexpr std::uint64_t kLookCost = 4;

// The range of `ranked` outside of which no value holds the condition: values begin there.
std::span<const graph::RankedValue> range_of(std::span<const graph::RankedValue> ranked,
                                             const Condition& condition) {
  const auto key_below = [](const graph::RankedValue& each, double key) { return each.key < key; };
  const auto key_above = [](double key, const graph::RankedValue& each) { return key < each.key; };
  auto begin = ranked.begin(), end = ranked.end();
  const bool from_value = condition.upper || condition.test == Comparison::kAtLeast ||
                          condition.test == Comparison::kGreater || condition.test == Comparison::kEqual;
  if (from_value) begin = std::lower_bound(begin, end, condition.value.from, key_below);
  const TypedValue* last = condition.upper ? &*condition.upper : nullptr;
  if (last == nullptr && (condition.test == Comparison::kLess || condition.test == Comparison::kAtMost ||
                          condition.test == Comparison::kEqual))
    last = &condition.value;
  if (last != nullptr) end = std::upper_bound(begin, end, last->to, key_above);
  return {begin, end};
}

}  // namespace

const Ids& Evaluator::kept(const Set& set) {
  const auto known = kept_.find(&set);
  if (known != kept_.end()) return known->second;
  Ids found = members(set);
  return kept_.try_emplace(&set, std::move(found)).first->second;
}

const FittedCondition& Evaluator::fitted_of(const Set& where) {
  const auto known = fitted_.find(&where);
  if (known != fitted_.end()) return known->second;
  return fitted_.try_emplace(&where, fitted(where.condition, where.relations, values_)).first->second;
}

const Ids& Evaluator::types_of(const Set& of_type) {
  const auto known = types_.find(&of_type);
  if (known != types_.end()) return known->second;
  return types_.try_emplace(&of_type, index_.with_subtypes(of_type.entities)).first->second;
}

Ids Evaluator::members(const Set& set) {
  switch (set.kind) {
    case SetKind::kEntities:
    case SetKind::kBefore: {
      Ids ids = set.kind == SetKind::kEntities ? set.entities : before_[set.before];
      sort_ids(ids);
      budget_.visit(ids.size());
      return ids;
    }
    case SetKind::kStep:
      return step_members(set);
    case SetKind::kOfType:
      return typed_members(set);
    case SetKind::kHaving:
      return having_members(set);
    case SetKind::kAnd:
      return and_members(set);
    case SetKind::kOr: {
      Ids all;
      for (const Set& part : set.parts) all = union_of(all, members(part));
      return all;
    }
    case SetKind::kBut:
      return but_members(set);
    case SetKind::kWhere:
      return where_members(set);
    case SetKind::kWhereCount: {
      Ids left = members(set.parts.front());
      std::erase_if(left, [&](EntityId id) { return !count_holds(set, id); });
      return left;
    }
    case SetKind::kFirst:
    case SetKind::kLast: {
      Ids ids;
      for (const RankedEntity& each : ranking(set)) ids.push_back(each.entity);
      sort_ids(ids);
      return ids;
    }
  }
  return {};
}

Ids Evaluator::step_members(const Set& set) {
  Ids result;
  const auto add = [&](EntityId from) {
    for (const RelationId relation : set.relations) {
      const auto edges = row(graph_, from, relation);
      budget_.visit(edges.size() + 1);
      for (const graph::Edge& edge : edges)
        if (takes(set, edge)) result.push_back(edge.tail);
    }
  };
  const Set& from = set.parts.front();
  if (from.kind == SetKind::kEntities)
    for (const EntityId id : from.entities) add(id);
  else
    for (const EntityId id : members(from)) add(id);
  sort_ids(result);
  return result;
}

Ids Evaluator::typed_members(const Set& set) {
  Ids result;
  const RelationId to_members = graph_.inverse(*index_.type_relation());
  for (const EntityId type : types_of(set)) {
    const auto edges = row(graph_, type, to_members);
    budget_.visit(edges.size() + 1);
    for (const graph::Edge& edge : edges) result.push_back(edge.tail);
  }
  sort_ids(result);
  return result;
}

Ids Evaluator::having_members(const Set& set) {
  Ids result;
  for (const RelationId relation : set.relations) {
    const auto heads = index_.heads(relation);
    budget_.visit(heads.size() + 1);
    result.insert(result.end(), heads.begin(), heads.end());
  }
  sort_ids(result);
  return result;
}

Ids Evaluator::and_members(const Set& set) {
  std::vector<std::pair<std::uint64_t, const Set*>> parts;
  for (const Set& part : set.parts) parts.emplace_back(bound(part), &part);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Ids left = members(*parts.front().second);
  for (std::size_t i = 1; i < parts.size() && !left.empty(); ++i) {
    const Set& part = *parts[i].second;
    if (parts[i].first <= left.size() * kLookCost)
      left = intersection(left, members(part));
    else
      std::erase_if(left, [&](EntityId id) { return !contains(part, id); });
  }
  return left;
}

Ids Evaluator::but_members(const Set& set) {
  Ids left = members(set.parts.front());
  for (std::size_t i = 1; i < set.parts.size(); ++i) {
    const Set& part = set.parts[i];
    if (bound(part) <= left.size() * kLookCost)
      left = difference_of(left, members(part));
    else
      std::erase_if(left, [&](EntityId id) { return contains(part, id); });
  }
  return left;
}

Ids Evaluator::where_members(const Set& set) {
  if (auto found = where_by_index(set)) return std::move(*found);
  Ids left = members(set.parts.front());
  std::erase_if(left, [&](EntityId id) { return !fulfilling(set, id); });
  return left;
}

// From the values that hold the condition back to the entities, where these are likely fewer than the set's.
std::optional<Ids> Evaluator::where_by_index(const Set& set) {
  const FittedCondition& condition = fitted_of(set);
  if (condition.group == 0) return std::nullopt;
  const std::uint64_t in_set = bound(set.parts.front());
  std::uint64_t cost = 0;
  std::vector<std::span<const graph::RankedValue>> ranges;
  for (const RelationId relation : set.relations) {
    const auto ranked = values_.ranked(relation, condition.group);
    ranges.push_back(range_of(ranked, condition.condition));
    if (!ranked.empty()) cost += index_.num_edges(relation) * ranges.back().size() / ranked.size();
  }
  if (cost * kLookCost > in_set) return std::nullopt;
  Ids result;
  result.reserve(cost);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    for (const graph::RankedValue& each : ranges[i]) {
      budget_.visit(1);
      if (!condition.holds(values_.value(set.relations[i], each.value))) continue;
      const auto heads = row(graph_, each.value, graph_.inverse(set.relations[i]));
      budget_.visit(heads.size());
      for (const graph::Edge& edge : heads) result.push_back(edge.tail);
    }
  sort_ids(result);
  const Set& part = set.parts.front();
  if (in_set > result.size() * kLookCost * kLookCost)
    std::erase_if(result, [&](EntityId id) { return !contains(part, id); });
  else if (part.kind == SetKind::kOfType && types_of(part).size() == 1)
    keep_tails(result, row(graph_, types_of(part).front(), graph_.inverse(*index_.type_relation())));
  else
    result = intersection(result, members(part));
  return result;
}

bool Evaluator::contains(const Set& set, EntityId entity) {
  budget_.visit(1);
  const auto in = [&](const Set& part) { return contains(part, entity); };
  switch (set.kind) {
    case SetKind::kEntities:
      return std::find(set.entities.begin(), set.entities.end(), entity) != set.entities.end();
    case SetKind::kStep:
      return step_contains(set, entity);
    case SetKind::kOfType: {
      const Ids& types = types_of(set);
      const auto edges = row(graph_, entity, *index_.type_relation());
      return std::any_of(edges.begin(), edges.end(),
                         [&](const graph::Edge& e) { return has_id(types, e.tail); });
    }
    case SetKind::kHaving:
      return std::any_of(set.relations.begin(), set.relations.end(),
                         [&](RelationId relation) { return !row(graph_, entity, relation).empty(); });
    case SetKind::kAnd:
      return std::all_of(set.parts.begin(), set.parts.end(), in);
    case SetKind::kOr:
      return std::any_of(set.parts.begin(), set.parts.end(), in);
    case SetKind::kBut:
      return in(set.parts.front()) && std::none_of(set.parts.begin() + 1, set.parts.end(), in);
    case SetKind::kWhere:
      return fulfilling(set, entity).has_value() && in(set.parts.front());
    case SetKind::kWhereCount:
      return count_holds(set, entity) && in(set.parts.front());
    case SetKind::kBefore:
    case SetKind::kFirst:
    case SetKind::kLast:
      return has_id(kept(set), entity);
  }
  return false;
}

bool Evaluator::step_contains(const Set& set, EntityId entity) {
  const Set& from = set.parts.front();
  for (const RelationId relation : set.relations) {
    const RelationId back = graph_.inverse(relation);
    if (set.qualified.empty() && from.kind == SetKind::kEntities && from.entities.size() <= kLookCost) {
      for (const EntityId id : from.entities)
        if (graph_.has_edge({entity, back, id})) return true;
      continue;
    }
    const auto edges = row(graph_, entity, back);
    budget_.visit(edges.size());
    for (const graph::Edge& edge : edges)
      if (takes(set, edge) && has_id(kept(from), edge.tail)) return true;
  }
  return false;
}

std::uint64_t Evaluator::step_bound(const Set& set) {
  const Set& from = set.parts.front();
  std::uint64_t most = 0;
  for (const RelationId relation : set.relations) {
    if (from.kind == SetKind::kEntities) {
      for (const EntityId id : from.entities) most += row(graph_, id, relation).size();
    } else {
      const std::uint64_t heads = std::max<std::uint64_t>(1, index_.heads(relation).size());
      const std::uint64_t edges = index_.num_edges(relation);
      const double share = std::min(1.0, static_cast<double>(bound(from)) / static_cast<double>(heads));
      most += std::min<std::uint64_t>(index_.heads(graph_.inverse(relation)).size(),
                                      static_cast<std::uint64_t>(static_cast<double>(edges) * share) + 1);
    }
  }
  return most;
}

std::uint64_t Evaluator::bound(const Set& set) {
  switch (set.kind) {
    case SetKind::kEntities:
      return set.entities.size();
    case SetKind::kBefore:
      return before_[set.before].size();
    case SetKind::kStep:
      return step_bound(set);
    case SetKind::kOfType: {
      std::uint64_t most = 0;
      for (const EntityId type : types_of(set))
        most += row(graph_, type, graph_.inverse(*index_.type_relation())).size();
      return most;
    }
    case SetKind::kHaving: {
      std::uint64_t most = 0;
      for (const RelationId relation : set.relations) most += index_.heads(relation).size();
      return most;
    }
    case SetKind::kAnd: {
      std::uint64_t least = UINT64_MAX;
      for (const Set& part : set.parts) least = std::min(least, bound(part));
      return least;
    }
    case SetKind::kOr: {
      std::uint64_t most = 0;
      for (const Set& part : set.parts) most += bound(part);
      return most;
    }
    default:
      return bound(set.parts.front());
  }
}

}  // namespace kgwalk::forms
