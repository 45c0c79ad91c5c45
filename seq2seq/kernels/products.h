// The matrix products of differentiable functions, in the precision that was asked for
// (runtime/tensor/precision.h): LibTorch's, or kernels/bf16_product.h where it is kBf16 and the matrices are
// float32 on the CPU. ShapeError or LibTorch's error where the shapes do not fit.
#pragma once

#include "runtime/tensor/precision.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

// a b, [m, k] x [k, n] -> [m, n]. Any strides: a transposed view is not copied.
[[nodiscard]] torch::Tensor product(const torch::Tensor& a, const torch::Tensor& b, Precision precision);

// out = a b + bias; `out` [m, n] with contiguous rows, bias [n] contiguous or undefined.
void product_into(torch::Tensor& out, const torch::Tensor& a, const torch::Tensor& b,
                  const torch::Tensor& bias, Precision precision);

// sum += a b; `sum` [m, n] with contiguous rows.
void add_product(torch::Tensor& sum, const torch::Tensor& a, const torch::Tensor& b, Precision precision);

}  // namespace kgwalk::seq2seq
