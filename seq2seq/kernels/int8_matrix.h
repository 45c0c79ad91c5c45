// A weight matrix in 8-bit integers for products with few rows, and that product: each output column of the
// weights has one scale, each row of the input gets one as it is read. No torch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "seq2seq/kernels/packed_matrix.h"

namespace kgwalk::seq2seq {

// round(W / s) with s = largest |W| of the column / largest_weight(), in panels of 32 columns and groups of
// four inputs. Immutable, thread-safe. A quarter of the memory of float32.
class Int8Matrix {
 public:
  Int8Matrix(const float* weight, std::int64_t out, std::int64_t in);  // W [out, in]

  // 127 with AVX512_VNNI, 63 without (seq2seq/kernels/int8_rows.h says why).
  [[nodiscard]] static std::int32_t largest_weight() noexcept;
  [[nodiscard]] std::int64_t out() const noexcept { return out_; }
  [[nodiscard]] std::int64_t in() const noexcept { return in_; }
  [[nodiscard]] std::int64_t groups() const noexcept { return (in_ + 7) / 8 * 2; }
  [[nodiscard]] std::int64_t panels() const noexcept {
    return (out_ + PackedMatrix::kPanel - 1) / PackedMatrix::kPanel;
  }
  [[nodiscard]] const std::int8_t* panel(std::int64_t p) const noexcept {
    return data_.get() + p * groups() * PackedMatrix::kPanel * 4;
  }
  // Scales of the columns of panel p: [32].
  [[nodiscard]] const float* scales(std::int64_t p) const noexcept {
    return scales_.data() + p * PackedMatrix::kPanel;
  }
  // What inputs shifted by a zero of their own add to each sum of a column. [32].
  [[nodiscard]] const std::int32_t* shifts(std::int64_t p) const noexcept {
    return shifts_.data() + p * PackedMatrix::kPanel;
  }

 private:
  struct Free {
    void operator()(std::int8_t* p) const noexcept;
  };
  std::int64_t out_, in_;
  std::unique_ptr<std::int8_t[], Free> data_;  // [panels, groups, 32, 4], zero-padded, 64-byte aligned
  std::vector<float> scales_;
  std::vector<std::int32_t> shifts_;
};

// As multiply() of PackedMatrix, up to the rounding of weights and inputs; integers are summed exactly, so
// that results do not depend on the number of threads.
void multiply(const Int8Matrix& weight, const PackedProduct& product);

}  // namespace kgwalk::seq2seq
