// Row-major float tables whose rows are padded to whole 64-byte lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace kgwalk::embeddings {

/// Floats in one 64-byte line; every row stride is a multiple of it.
inline constexpr int kLane = 16;

/// Smallest multiple of kLane that is at least `dim`.
[[nodiscard]] constexpr int padded(int dim) { return (dim + kLane - 1) / kLane * kLane; }

/// A table of `rows` vectors of `dim` floats, zero-initialized. A row starts on a 64-byte boundary and is
/// followed by zeros up to stride(); code that writes rows keeps those zeros, so kernels may run over the
/// whole stride. Owns its memory. Concurrent reads are safe; writes to the same row are the caller's
/// business.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::int64_t rows, int dim) : rows_(rows), dim_(dim), stride_(padded(dim)) {
    const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride_);
    data_.reset(new (std::align_val_t{64}) float[count]());
  }

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] int dim() const { return dim_; }
  [[nodiscard]] int stride() const { return stride_; }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(stride_);
  }
  [[nodiscard]] float* data() { return data_.get(); }
  [[nodiscard]] const float* data() const { return data_.get(); }
  [[nodiscard]] float* row(std::int64_t i) { return data_.get() + i * stride_; }
  [[nodiscard]] const float* row(std::int64_t i) const { return data_.get() + i * stride_; }
  [[nodiscard]] std::span<const float> values(std::int64_t i) const {
    return {row(i), static_cast<std::size_t>(dim_)};
  }
  [[nodiscard]] std::span<float> values(std::int64_t i) { return {row(i), static_cast<std::size_t>(dim_)}; }

 private:
  struct Free {
    void operator()(float* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::int64_t rows_ = 0;
  int dim_ = 0;
  int stride_ = 0;
  std::unique_ptr<float[], Free> data_;
};

}  // namespace kgwalk::embeddings
