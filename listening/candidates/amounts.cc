// What is made of the values of several things: sums, averages, differences.
#include <algorithm>
#include <cmath>

#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using graph::RelationId;

constexpr std::size_t kMostTotalled = 40;  // sets whose values are added up
constexpr std::size_t kMostAdded = 5000;   // members of such a set that is not all of a type
constexpr std::size_t kMostTotals = 4;     // measures of a set
constexpr float kSaidOfCount = 0.5F;       // rank of a relation that is said
constexpr std::size_t kMostPairs = 12;     // of things whose difference is taken

}  // namespace

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
  std::vector<Candidate> made;  // `sets` may lie in `out`
  const auto put = [&](const Candidate& set, RelationId measure, Asked asked, const forms::Query& total) {
    const auto amount = amount_of(engine.answer(total), false);
    if (!amount) return;
    Candidate candidate = set;
    candidate.asked = asked;
    candidate.slots.push_back({measure, SlotRole::kMeasure, 0});
    candidate.amount = amount;
    made.push_back(std::move(candidate));
  };
  for (const Candidate* set : likeliest_sets(parts, rank, sets, kMostTotalled, kMostAdded)) {
    if (set->answers.size() < 2) continue;
    for (const RelationId r : measures_of(lexicon, set->answers, true, rank, kMostTotals)) {
      const graph::ValueKind kind = lexicon.values().ends(r).tails;
      if (graph::is_time(kind) && kind != graph::ValueKind::kYear) continue;  // years have an average
      const forms::Set members = forms::entities(set->answers);
      if (sums && !graph::is_time(kind)) put(*set, r, Asked::kSum, forms::sum(members, {r}));
      if (averages) put(*set, r, Asked::kAverage, forms::average(members, {r}));
    }
  }
  std::move(made.begin(), made.end(), std::back_inserter(out));
}

void add_differences(const Lexicon& lexicon, const forms::Engine& engine, const HeardParts& parts,
                     const RankRelation& rank, std::vector<Candidate>& out) {
  if (!asks_for_difference(parts.said)) return;
  auto pairs = pairs_named(lexicon, parts);
  pairs.resize(std::min(pairs.size(), kMostPairs));
  const bool counts = may_compare_counts(parts.said);
  for (const auto& [a, b] : pairs) {
    const graph::EntityId left = parts.mentions[a].entity, right = parts.mentions[b].entity;
    for (const auto& [relation, by_count] :
         measures_of_both(lexicon, parts.said, left, right, rank, counts)) {
      // "What is the difference between X and Y" is not how many more actors the one has.
      if (by_count && rank(relation) < kSaidOfCount) continue;
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
