// The fused passes of kernels/rows.h as differentiable functions of tensors. On the CPU, in float32 and
// float64, the kernels run; elsewhere (an accelerator, half precision) LibTorch's own operations compute the
// same. Where a gradient is recorded, linear() and feed_forward() multiply in product_precision()
// (runtime/tensor/precision.h), forward and backward.
#pragma once

#include <string_view>

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/rows.h"

namespace kgwalk::seq2seq {

[[nodiscard]] torch::Tensor activate(const torch::Tensor& x, Activation activation);  // any shape

// residual + dropout(x); p = 0 outside training. Shapes equal; residual may be undefined (dropout alone).
[[nodiscard]] torch::Tensor dropout_add(const torch::Tensor& x, const torch::Tensor& residual, double p);

// Layer normalization of x + residual (undefined = 0) over the last dimension; weight and bias [D].
[[nodiscard]] torch::Tensor layer_norm(const torch::Tensor& x, const torch::Tensor& residual,
                                       const torch::Tensor& weight, const torch::Tensor& bias, double eps);

// W_2 dropout(act(W_1 x + b_1)) + b_2 with W_1 [F, D], W_2 [D, F]; x [..., D].
struct FeedForwardWeights {
  torch::Tensor w1{}, b1{}, w2{}, b2{};
};
[[nodiscard]] torch::Tensor feed_forward(const torch::Tensor& x, const FeedForwardWeights& weights,
                                         Activation activation, double p);

// x W^T + b, x [..., in]; b may be undefined. As torch::linear, with the bias gradient and sums
// in fewer passes.
[[nodiscard]] torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weight,
                                   const torch::Tensor& bias);

// True where the kernels run: a CPU tensor of float32 or float64.
[[nodiscard]] bool has_kernels(const torch::Tensor& x);
// A new dropout stream, drawn from LibTorch's default generator; inactive when p = 0 (nothing is drawn then).
[[nodiscard]] math::Dropout new_dropout(double p);

}  // namespace kgwalk::seq2seq
