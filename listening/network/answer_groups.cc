#include "listening/network/answer_groups.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kgwalk::listening {
namespace {

// The first candidate that has a set stands for it, so that no set is copied.
struct SameAnswers {
  std::span<const Candidate> candidates;
  bool operator()(std::size_t a, std::size_t b) const {
    return candidates[a].answers < candidates[b].answers;
  }
};

}  // namespace

AnswerGroups group_answers(std::span<const Candidate> candidates) {
  AnswerGroups groups;
  groups.of.assign(2 * candidates.size(), -1);
  std::map<std::size_t, std::int32_t, SameAnswers> sets(SameAnswers{candidates});
  std::map<std::size_t, std::int32_t> counts;
  std::map<double, std::int32_t> amounts;
  std::int32_t truths[2] = {-1, -1};
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    if (candidate.truth) {
      std::int32_t& truth = truths[*candidate.truth ? 1 : 0];
      if (truth < 0) truth = groups.count++;
      groups.of[2 * c] = truth;
      continue;
    }
    if (candidate.amount) {
      const auto amount = amounts.try_emplace(*candidate.amount, groups.count);
      if (amount.second) ++groups.count;
      groups.of[2 * c] = amount.first->second;
      continue;
    }
    const auto set = sets.try_emplace(c, groups.count);
    if (set.second) ++groups.count;
    groups.of[2 * c] = set.first->second;
    if (!candidate.countable) continue;
    const auto counted = counts.try_emplace(candidate.answers.size(), groups.count);
    if (counted.second) ++groups.count;
    groups.of[2 * c + 1] = counted.first->second;
  }
  return groups;
}

std::vector<std::int32_t> right_groups(const FormQuestion& question, std::span<const Candidate> candidates,
                                       std::span<const HeardMention> mentions, const AnswerGroups& groups) {
  std::vector<std::int32_t> right;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    for (const bool counted : {false, true}) {
      const std::int32_t group = groups.of[2 * c + (counted ? 1 : 0)];
      if (group >= 0 && is_right(question, candidates[c], counted, mentions)) right.push_back(group);
    }
  std::sort(right.begin(), right.end());
  right.erase(std::unique(right.begin(), right.end()), right.end());
  return right;
}

std::vector<double> group_probabilities(const AnswerGroups& groups, std::span<const float> log_probs) {
  std::vector<double> sums(static_cast<std::size_t>(groups.count));
  for (std::size_t i = 0; i < groups.of.size(); ++i)
    if (groups.of[i] >= 0) sums[static_cast<std::size_t>(groups.of[i])] += std::exp(log_probs[i]);
  return sums;
}

}  // namespace kgwalk::listening
