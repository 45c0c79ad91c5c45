// Passes over the rows of a matrix that fuse what would otherwise be several: bias, activation and dropout;
// dropout and residual sum; residual sum and layer normalization. float and double, no torch. Parallel over
// rows; results do not depend on the number of threads, dropout included.
#pragma once

#include <array>
#include <cstdint>

#include "kgwalk/choice.h"
#include "seq2seq/kernels/vector_math.h"

namespace kgwalk::seq2seq {

enum class Activation {
  kNone,
  kGelu,     // x Phi(x), exact
  kGeluNew,  // 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
  kRelu,
  kSwish,  // x / (1 + exp(-x))
};
constexpr auto choice_names(Activation) {
  return std::array{ChoiceName<Activation>{"gelu", Activation::kGelu},
                    ChoiceName<Activation>{"gelu_new", Activation::kGeluNew},
                    ChoiceName<Activation>{"relu", Activation::kRelu},
                    ChoiceName<Activation>{"swish", Activation::kSwish}};
}

// A matrix [rows, width] without gaps.
struct RowShape {
  std::int64_t rows, width;
};

// x += bias (null = none), out = dropout(act(x)). x keeps the pre-activation for the backward pass; out
// may be x.
template <class T>
void activate_rows(RowShape shape, Activation activation, const T* bias, math::Dropout dropout, T* x, T* out);

// grad = act'(x) undropout(grad), in place; x as activate_rows left it.
template <class T>
void activate_rows_backward(RowShape shape, Activation activation, math::Dropout dropout, const T* x,
                            T* grad);

// x = act(x) for n numbers, in the calling thread.
void activate_tile(Activation activation, float* x, std::int64_t n);

// out = residual + dropout(x); residual null = 0 (also the backward pass of dropout, with x the gradient).
// out may be x.
template <class T>
void dropout_add_rows(RowShape shape, math::Dropout dropout, const T* x, const T* residual, T* out);

// out = (z - mean) / sqrt(variance + eps) * weight + bias with z = x + residual (null = none). When not null,
// sum receives z [rows, width] and statistics mean and 1 / deviation [rows, 2]. out may be x.
template <class T>
struct NormRows {
  const T *x, *residual, *weight, *bias;
  T* out;
  T* sum = nullptr;
  T* statistics = nullptr;
  double eps = 1e-5;
};
template <class T>
void norm_rows(RowShape shape, const NormRows<T>& rows);

// Gradient of norm_rows: grad_z [rows, width], grad_weight and grad_bias [width] are overwritten.
template <class T>
struct NormRowsBackward {
  const T *z, *weight, *statistics, *grad_out;
  T *grad_z, *grad_weight, *grad_bias;
};
template <class T>
void norm_rows_backward(RowShape shape, const NormRowsBackward<T>& rows);

// out[c] = sum over rows of x[r, c].
template <class T>
void column_sums(RowShape shape, const T* x, T* out);

}  // namespace kgwalk::seq2seq
