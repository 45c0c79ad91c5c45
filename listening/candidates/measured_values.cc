// Values that are said beside those of a relation, and what things are measured by.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "listening/candidates/candidate_sets.h"
#include "listening/words/order_words.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kLookedAt = 12;    // members whose relations are looked at
constexpr std::size_t kMostCounted = 6;  // relations of two things that are counted

// How much of the base unit one of the unit is that the name of a relation ends with, where that measures the
// same as the value: 0.001 of "milliseconds" beside "5 minutes".
std::optional<double> unit_in_name(const std::vector<std::string>& words, const graph::TypedValue& value) {
  if (words.empty() || words.back().size() < 2) return std::nullopt;
  const auto unit = graph::find_unit(words.back());
  if (!unit || *unit == 0) return std::nullopt;
  const double one = graph::number_value(1, *unit).from;
  const bool alike =
      graph::compare(graph::number_value(1, *unit), graph::Comparison::kEqual, value).has_value();
  return alike && graph::number_value(0, *unit).from == 0 ? std::optional(one) : std::nullopt;
}

}  // namespace

HeardValue as_measured(HeardValue heard, RelationId relation, const Lexicon& lexicon) {
  if (!heard.bare) return heard;
  const graph::TypedValues& values = lexicon.values();
  const auto ranked = values.ranked(relation);
  if (ranked.empty()) return heard;
  const graph::TypedValue own = values.value(relation, ranked.front().value);
  // "Two hours" are no year 2.
  if (own.unit != 0 || own.kind != graph::ValueKind::kNumber) return heard;
  const std::optional<double> one = unit_in_name(lexicon.relation(relation).words, heard.value);
  heard.value = one ? graph::number_value(heard.value.from / *one) : *heard.bare;
  return heard;
}

forms::Condition condition_of(Asked asked, const HeardValue& value) {
  switch (asked) {
    case Asked::kAfter:
    case Asked::kMore:
      if (value.inclusive) return {graph::Comparison::kAtLeast, value.value};
      return {graph::Comparison::kGreater, value.upper.value_or(value.value)};
    case Asked::kBefore:
    case Asked::kLess:
      return {value.inclusive ? graph::Comparison::kAtMost : graph::Comparison::kLess, value.value};
    default:
      return value.upper ? forms::between(value.value, *value.upper)
                         : forms::Condition{graph::Comparison::kEqual, value.value};
  }
}

std::optional<graph::TypedValue> value_of(const Lexicon& lexicon, EntityId entity, RelationId relation) {
  std::optional<graph::TypedValue> least;
  const std::uint8_t group = lexicon.values().group(relation);
  for (const graph::Edge& edge : lexicon.graph().out_edges(entity)) {
    if (edge.relation != relation || lexicon.values().group(relation, edge.tail) != group) continue;
    graph::TypedValue own = lexicon.values().value(relation, edge.tail);
    if (!least || own.from < least->from) least = std::move(own);
  }
  return least;
}

std::vector<RelationId> relations_of(const graph::KnowledgeGraph& graph, EntityId entity) {
  std::vector<RelationId> relations;
  for (const graph::Edge& edge : graph.out_edges(entity))
    if (relations.empty() || relations.back() != edge.relation) relations.push_back(edge.relation);
  return relations;
}

bool has_values(const Lexicon& lexicon, RelationId relation) {
  return !lexicon.is_inverse(relation) && lexicon.values().group(relation) != 0 &&
         !lexicon.relation(relation).yes;
}

std::vector<RelationId> measures_of(const Lexicon& lexicon, std::span<const EntityId> entities, bool values,
                                    const RankRelation& rank, std::size_t most) {
  std::map<RelationId, std::size_t> times;
  const std::size_t looked = std::min(entities.size(), kLookedAt);
  for (std::size_t i = 0; i < looked; ++i)
    for (const RelationId r : relations_of(lexicon.graph(), entities[i * entities.size() / looked]))
      if (lexicon.is_askable(r) && has_values(lexicon, r) == values) ++times[r];
  std::vector<RelationId> measures;
  for (const auto& [relation, n] : times)
    if ((values ? 6 : 2) * n >= looked) measures.push_back(relation);
  std::stable_sort(measures.begin(), measures.end(),
                   [&](RelationId a, RelationId b) { return rank(a) > rank(b); });
  measures.resize(std::min(measures.size(), most));
  return measures;
}

void leave_meant_by_order(const Lexicon& lexicon, const SaidText& said, const RankRelation& rank,
                          std::vector<RelationId>& measures) {
  constexpr float kSaid = 0.5F;
  std::vector<const OrderWord*> orders = order_words(said);
  std::erase_if(orders, [](const OrderWord* order) {
    const bool is_of_size = order->word.ends_with("est") || order->word.ends_with("er");
    return order->kind != EndKind::kNumber || !is_of_size || order->word == "best";
  });
  const auto is_hinted = [&](RelationId relation) {
    return std::any_of(orders.begin(), orders.end(), [&](const OrderWord* order) {
      return goes_by(*order, lexicon.relation(relation).words);
    });
  };
  if (std::none_of(measures.begin(), measures.end(), is_hinted)) return;
  std::erase_if(measures,
                [&](RelationId relation) { return !is_hinted(relation) && rank(relation) < kSaid; });
}

std::optional<double> measured(const Lexicon& lexicon, EntityId entity, RelationId relation, bool by_count) {
  if (!by_count) {
    const auto value = value_of(lexicon, entity, relation);
    return value ? std::optional(value->from) : std::nullopt;
  }
  const auto edges = lexicon.graph().out_edges(entity);
  return static_cast<double>(std::count_if(
      edges.begin(), edges.end(), [&](const graph::Edge& edge) { return edge.relation == relation; }));
}

std::size_t names_covered(const HeardParts& parts, std::span<const std::uint32_t> mentions) {
  return static_cast<std::size_t>(
      std::count_if(parts.named.begin(), parts.named.end(), [&](std::uint32_t named) {
        return std::any_of(mentions.begin(), mentions.end(), [&](std::uint32_t m) {
          return m == named || parts.mentions[m].overlaps(parts.mentions[named]);
        });
      }));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_named(const Lexicon& lexicon,
                                                                 const HeardParts& parts) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::size_t most = 0;
  // "Is it longer than an hour" compares no two films that were spoken of.
  const bool one_is_meant = begins_as_check(parts.said) && references_said(lexicon, parts).most < 2;
  for (std::uint32_t a = 0; a < parts.mentions.size(); ++a)
    for (std::uint32_t b = 0; b < parts.mentions.size(); ++b) {
      const HeardMention &left = parts.mentions[a], &right = parts.mentions[b];
      if (!left.members.empty() || !right.members.empty()) continue;
      if (left.entity == right.entity || left.overlaps(right)) continue;
      if (one_is_meant && left.focus && right.focus) continue;
      // In the order of the words; of two that are not named, as they were spoken of.
      if (left.focus && right.focus ? a > b : left.first >= right.first) continue;
      const std::size_t names = names_covered(parts, std::array{a, b});
      if (names > most) pairs.clear();
      most = std::max(most, names);
      if (names == most) pairs.emplace_back(a, b);
    }
  return pairs;
}

std::vector<std::pair<RelationId, bool>> measures_of_both(const Lexicon& lexicon, const SaidText& said,
                                                          EntityId a, EntityId b, const RankRelation& rank,
                                                          bool with_counts) {
  const std::vector<RelationId> first = relations_of(lexicon.graph(), a),
                                second = relations_of(lexicon.graph(), b);
  std::vector<RelationId> both, counts;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  std::vector<RelationId> values;
  for (const RelationId r : both) {
    if (!lexicon.is_askable(r)) continue;
    if (has_values(lexicon, r))
      values.push_back(r);
    else if (with_counts)
      counts.push_back(r);
  }
  leave_meant_by_order(lexicon, said, rank, values);
  std::vector<std::pair<RelationId, bool>> measures;
  for (const RelationId r : values) measures.emplace_back(r, false);
  std::stable_sort(counts.begin(), counts.end(),
                   [&](RelationId x, RelationId y) { return rank(x) > rank(y); });
  counts.resize(std::min(counts.size(), kMostCounted));
  for (const RelationId r : counts) measures.emplace_back(r, true);
  return measures;
}

std::vector<const Candidate*> likeliest_sets(const HeardParts& parts, const RankRelation& rank,
                                             std::span<const Candidate> sets, std::size_t most,
                                             std::size_t most_members) {
  std::vector<std::pair<float, const Candidate*>> order;
  for (const Candidate& set : sets) {
    const bool of_type = set.slots.empty() && parts.mentions[set.mentions.front()].of_type;
    if (set.answers.size() > most_members && !of_type) continue;
    float sum = 0;
    for (const Slot& slot : set.slots) sum += rank(slot.relation);
    // The answers of before need no words.
    order.emplace_back(set.slots.empty() ? 1.0F : sum / static_cast<float>(set.slots.size()), &set);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), most));
  std::vector<const Candidate*> likeliest;
  for (const auto& [fit, set] : order) likeliest.push_back(set);
  return likeliest;
}

}  // namespace kgwalk::listening
