// Cross-entropy of states projected onto a vocabulary, without the matrix of logits ever being whole: blocks
// of rows are projected, turned into their gradient and multiplied back while they are in the cache.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace kgwalk::seq2seq {

struct ProjectionLoss {
  torch::Tensor loss;  // [], the sum over rows of the smoothed loss; has a gradient where one is recorded
  double nll = 0;      // sum over rows of -log p(gold), natural logarithm
};

// logits = states weight^T + bias: states [R, D], weight [V, D], bias [V] or undefined, gold int64 [R] in
// 0 .. V - 1. Smoothing s as torch::cross_entropy's: (1 - s) nll + s / V sum_v -log p_v. ShapeError when
// shapes or gold values do not fit. R = 0 gives a loss of zero.
[[nodiscard]] ProjectionLoss projection_loss(const torch::Tensor& states, const torch::Tensor& weight,
                                             const torch::Tensor& bias, const torch::Tensor& gold,
                                             double smoothing);

// log p(gold) a row, [R], with gradients; logits are computed again for them.
[[nodiscard]] torch::Tensor gold_log_probs(const torch::Tensor& states, const torch::Tensor& weight,
                                           const torch::Tensor& bias, const torch::Tensor& gold);

}  // namespace kgwalk::seq2seq
