// The vote that leaves one head of each group (Algorithm 1; declared in grouped_heads.h).
#include <algorithm>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/tensor/int64_tensor.h"
#include "seq2seq/attention/grouped_heads.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

// The mean over a layer's tokens is what counts.
Tensor GroupedHeadsImpl::told_surely() const {
  std::vector<Tensor> rows;
  for (const HeadSet& set : sets(options_.feature)) {
    const Tensor log_p = log_probs(set);
    const Tensor own = set.assignment.to(torch::kInt64).unsqueeze(2).expand({log_p.size(0), -1, 1});
    const Tensor told = log_p.gather(2, own).squeeze(2);  // [n or M, k]
    rows.push_back(set.layer < 0 ? told : told.mean(0, true));
  }
  return torch::cat(rows);
}

Tensor GroupedHeadsImpl::nearness(HeadFeature feature) const {
  std::vector<Tensor> rows;
  for (const HeadSet& set : sets(feature)) {
    const Tensor near = likeness_to_own_group(set.features, set.assignment, options_.groups);
    rows.push_back(set.layer < 0 ? near : near.mean(0, true));
  }
  return torch::cat(rows);
}

void GroupedHeadsImpl::vote() {
  const torch::NoGradGuard guard;
  if (groupings.item<std::int64_t>() == 0)
    throw ShapeError("grouped heads: the heads have not been grouped yet; train before the vote");
  const auto count = [&](const Tensor& scores) {
    votes.add_(best_of_groups(scores, assignment, options_.groups).to(torch::kInt64));
  };
  if (options_.form == GroupForm::kClassify) return count(told_surely());
  for (const HeadFeature feature : {HeadFeature::kValue, HeadFeature::kAttention, HeadFeature::kOutput})
    count(nearness(feature));
}

void GroupedHeadsImpl::clear_votes() { votes.zero_(); }

std::vector<std::vector<std::int64_t>> GroupedHeadsImpl::pillars() const {
  const Tensor kept = best_of_groups(votes.to(torch::kFloat64), assignment, options_.groups);
  std::vector<std::vector<std::int64_t>> result;
  for (std::int64_t l = 0; l < kept.size(0); ++l) result.push_back(int64_values(kept[l].nonzero().flatten()));
  return result;
}

std::vector<std::vector<std::int64_t>> GroupedHeadsImpl::drawn_pillars(StayingHeads stay,
                                                                       Random& random) const {
  const std::int64_t k = assignment.size(1), c = options_.groups;
  const std::vector<std::int64_t> groups = int64_values(assignment);
  std::vector<std::vector<std::int64_t>> result;
  for (std::int64_t l = 0; l < assignment.size(0); ++l) {
    std::vector<std::int64_t> heads(static_cast<std::size_t>(k)), kept;
    std::iota(heads.begin(), heads.end(), 0);
    random.shuffle(std::span(heads));
    // The first of every group in a random order, or the first heads of that order.
    std::vector<bool> taken(static_cast<std::size_t>(c), false);
    for (const std::int64_t head : heads) {
      const auto group = static_cast<std::size_t>(groups[static_cast<std::size_t>(l * k + head)]);
      if (stay == StayingHeads::kMember ? taken[group] : static_cast<std::int64_t>(kept.size()) == c)
        continue;
      taken[group] = true;
      kept.push_back(head);
    }
    std::sort(kept.begin(), kept.end());
    result.push_back(std::move(kept));
  }
  return result;
}

}  // namespace kgwalk::seq2seq
