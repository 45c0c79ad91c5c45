// A weight matrix laid out for products with few rows, and that product. No torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "seq2seq/kernels/rows.h"

namespace kgwalk::seq2seq {

// W [out, in] of float32 cut into panels of 32 output columns, each stored input by input (two registers of
// columns at a time), so that a product streams through it once. Immutable, thread-safe.
class PackedMatrix {
 public:
  static constexpr std::int64_t kPanel = 32;
  PackedMatrix(const float* weight, std::int64_t out, std::int64_t in);

  [[nodiscard]] std::int64_t out() const noexcept { return out_; }
  [[nodiscard]] std::int64_t in() const noexcept { return in_; }
  [[nodiscard]] std::int64_t panels() const noexcept { return (out_ + kPanel - 1) / kPanel; }
  [[nodiscard]] const float* panel(std::int64_t p) const noexcept { return data_.get() + p * in_ * kPanel; }

 private:
  struct Free {
    void operator()(float* p) const noexcept;
  };
  std::int64_t out_, in_;
  std::unique_ptr<float[], Free> data_;  // 32 in floats a panel, zero-padded, 64-byte aligned
};

// y[r, :] = act(x[r, :] W^T + bias) (+ residual[r, :]), r < rows; rows have the given strides. bias and
// residual may be null; residual may be y. Runs on the OpenMP pool; call from one thread or from
// several at once.
struct PackedProduct {
  const float* x;
  std::int64_t x_stride;
  float* y;
  std::int64_t y_stride;
  std::int64_t rows;
  const float* bias = nullptr;
  const float* residual = nullptr;
  std::int64_t residual_stride = 0;
  Activation activation = Activation::kNone;
};
void multiply(const PackedMatrix& weight, const PackedProduct& product);

}  // namespace kgwalk::seq2seq
