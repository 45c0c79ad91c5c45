// Cross-entropy of states projected onto a vocabulary, without the matrix of logits ever being whole: blocks
// of rows are projected, turned into their gradient and multiplied back while they are in the cache.
#pragma once

#include <cstdint>

#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

struct ProjectionLoss {
  torch::Tensor loss;  // [], the sum over rows of the smoothed loss; has a gradient where one is recorded
  double nll = 0;      // sum over rows of -log p(gold), natural logarithm
};

// The gold piece told by a mixture (a copy mechanism): P = exp(log_share) p(gold) + exp(log_other). [R] both,
// log_other finite; undefined = p alone.
struct GoldMixture {
  torch::Tensor log_share{}, log_other{};
};

// logits = states weight^T + bias: states [R, D], weight [V, D], bias [V] or undefined, gold int64 [R] in
// 0 .. V - 1. Smoothing s as torch::cross_entropy's: (1 - s) nll + s / V sum_v -log p_v. With a mixture
// nll = -log P, the smoothed part stays that of p, and gold may be -1 where p cannot tell it. ShapeError
// when shapes or gold values do not fit. R = 0 gives a loss of zero. With a gradient, products are made
// in product_precision() (runtime/tensor/precision.h).
[[nodiscard]] ProjectionLoss projection_loss(const torch::Tensor& states, const torch::Tensor& weight,
                                             const torch::Tensor& bias, const torch::Tensor& gold,
                                             double smoothing, const GoldMixture& mixture = {});

// Regularized dropout (R-Drop, Liang and others, 2021, Eq. 4): row i of the first R and row R + i of states
// [2 R, D] are two passes with other dropout over what gold[i] continues, gold int64 [R]. Both passes' losses
// as above, and consistency > 0 times half the two divergences between them.
[[nodiscard]] ProjectionLoss paired_projection_loss(const torch::Tensor& states, const torch::Tensor& weight,
                                                    const torch::Tensor& bias, const torch::Tensor& gold,
                                                    double smoothing, double consistency);

// log p(gold) a row, [R], with gradients; logits are computed again for them.
[[nodiscard]] torch::Tensor gold_log_probs(const torch::Tensor& states, const torch::Tensor& weight,
                                           const torch::Tensor& bias, const torch::Tensor& gold);

}  // namespace kgwalk::seq2seq
