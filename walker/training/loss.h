// The stage-1 loss, thesis Eq. 5.8 without its L2 term (which is trainer.adam.l2): gamma length cross-entropy
// + lambda path cross-entropy.
#pragma once

#include "runtime/tensor/torch.h"
#include "walker/config.h"

namespace kgwalk::walker {

struct WalkLoss {
  torch::Tensor total;   // scalar
  torch::Tensor path;    // scalar, mean over the states
  torch::Tensor length;  // scalar, mean over the examples; undefined without a length head
};

// What the loss is taken of. N states, K candidates, B examples.
struct WalkTargets {
  torch::Tensor gold;  // int64 [N] place of the gold candidate among all K
  torch::Tensor
      accepted;  // float [K] 1 where a candidate counts as right (parallel edges); undefined = gold only
  torch::Tensor lengths;  // int64 [B] hops of the gold path, less one
};

// log_probs [K]: normalized by ragged_log_softmax, or SP's sums. length_logits [B, L] or undefined.
[[nodiscard]] WalkLoss walk_loss(const LossConfig& config, const torch::Tensor& log_probs,
                                 const torch::Tensor& offsets, const torch::Tensor& length_logits,
                                 const WalkTargets& targets);

}  // namespace kgwalk::walker
