// What things are measured by, and what is made of the values of several: sums, averages, differences.
#include <algorithm>
#include <cmath>
#include <map>

#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kLookedAt = 12;      // members whose relations are looked at
constexpr std::size_t kMostTotalled = 40;  // whose values are added up, the best by their relations' words
constexpr std::size_t kMostAdded = 5000;   // of such a set
constexpr std::size_t kMostTotals = 4;     // of a set
constexpr std::size_t kMostPairs = 12;     // of things whose difference is taken
constexpr std::size_t kMostCounted = 6;    // relations of both that are counted

}  // namespace

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

// The relations that some of the entities looked at have, the best by rank: values that can be ordered of a
// sixth (graphs know the year of few films), others of half.
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

// What an entity has of a relation: how many, or the value that compares (the least of several).
std::optional<double> measured(const Lexicon& lexicon, EntityId entity, RelationId relation, bool by_count) {
  if (!by_count) {
    const auto value = value_of(lexicon, entity, relation);
    return value ? std::optional(value->from) : std::nullopt;
  }
  const auto edges = lexicon.graph().out_edges(entity);
  return static_cast<double>(std::count_if(
      edges.begin(), edges.end(), [&](const graph::Edge& edge) { return edge.relation == relation; }));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_named(const HeardParts& parts) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t a = 0; a < parts.mentions.size(); ++a)
    for (std::uint32_t b = 0; b < parts.mentions.size(); ++b) {
      const HeardMention &left = parts.mentions[a], &right = parts.mentions[b];
      if (!left.members.empty() || !right.members.empty()) continue;
      if (left.entity == right.entity || left.overlaps(right)) continue;
      // In the order of the words; of two that are not named, as they were spoken of.
      if (left.focus && right.focus ? a <= b : left.first < right.first) pairs.emplace_back(a, b);
    }
  return pairs;
}

std::vector<std::pair<RelationId, bool>> measures_of_both(const Lexicon& lexicon, EntityId a, EntityId b,
                                                          const RankRelation& rank) {
  const std::vector<RelationId> first = relations_of(lexicon.graph(), a),
                                second = relations_of(lexicon.graph(), b);
  std::vector<RelationId> both, counts;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  std::vector<std::pair<RelationId, bool>> measures;
  for (const RelationId r : both) {
    if (!lexicon.is_askable(r)) continue;
    if (has_values(lexicon, r))
      measures.emplace_back(r, false);
    else
      counts.push_back(r);
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [&](RelationId x, RelationId y) { return rank(x) > rank(y); });
  counts.resize(std::min(counts.size(), kMostCounted));
  for (const RelationId r : counts) measures.emplace_back(r, true);
  return measures;
}

std::optional<double> amount_of(const forms::Answer& answer, bool difference) {
  if (!answer.complete() || answer.no_common_value || !answer.number) return std::nullopt;
  if (!difference) return answer.number->from;
  // Of degrees the zero of their scale does not count.
  const double zero = answer.number->unit != 0 ? graph::number_value(0, answer.number->unit).from : 0;
  return std::abs(answer.number->from - zero);
}

void add_totals(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                const RankRelation& rank, std::span<const Candidate> sets, std::vector<Candidate>& out) {
  const bool sums = asks_for_sum(parts.said), averages = asks_for_average(parts.said);
  if (!sums && !averages) return;
  std::vector<std::pair<float, const Candidate*>> order;
  for (const Candidate& set : sets) {
    if (set.answers.size() < 2 || set.answers.size() > kMostAdded) continue;
    float sum = 0;
    for (const Slot& slot : set.slots) sum += rank(slot.relation);
    order.emplace_back(set.slots.empty() ? 1.0F : sum / static_cast<float>(set.slots.size()), &set);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), kMostTotalled));
  std::vector<Candidate> made;  // `sets` may lie in `out`
  for (const auto& [fit, set] : order)
    for (const RelationId r : measures_of(lexicon, set->answers, true, rank, kMostTotals)) {
      if (graph::is_time(lexicon.values().ends(r).tails)) continue;
      for (const Asked asked : {Asked::kSum, Asked::kAverage}) {
        if (asked == Asked::kSum ? !sums : !averages) continue;
        forms::Set members = forms::entities(set->answers);
        const auto amount =
            amount_of(engine.answer(asked == Asked::kSum ? forms::sum(std::move(members), {r})
                                                         : forms::average(std::move(members), {r})),
                      false);
        if (!amount) continue;
        Candidate candidate = *set;
        candidate.asked = asked;
        candidate.slots.push_back({r, SlotRole::kMeasure, 0});
        candidate.amount = amount;
        made.push_back(std::move(candidate));
      }
    }
  std::move(made.begin(), made.end(), std::back_inserter(out));
}

void add_differences(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                     const RankRelation& rank, std::vector<Candidate>& out) {
  if (!asks_for_difference(parts.said)) return;
  auto pairs = pairs_named(parts);
  pairs.resize(std::min(pairs.size(), kMostPairs));
  for (const auto& [a, b] : pairs) {
    const EntityId left = parts.mentions[a].entity, right = parts.mentions[b].entity;
    for (const auto& [relation, by_count] : measures_of_both(lexicon, left, right, rank)) {
      const forms::Measure measure = by_count ? forms::count_of({relation}) : forms::value_of({relation});
      const auto amount = amount_of(
          engine.answer(forms::difference(forms::entities({left}), forms::entities({right}), measure)), true);
      if (amount)
        out.push_back({.shape = Shape::kPair,
                       .asked = Asked::kDifference,
                       .by_count = by_count,
                       .slots = {{relation, SlotRole::kMeasure, 0}},
                       .mentions = {a, b},
                       .amount = amount});
    }
  }
}

}  // namespace kgwalk::listening
