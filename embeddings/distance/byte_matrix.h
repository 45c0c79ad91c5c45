// A symmetric matrix of bytes that is streamed, and its products with a float matrix by instructions that
// multiply bytes: four times the rate of single precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "embeddings/vectors/matrix.h"

namespace kgwalk::embeddings {

/// A symmetric n x n matrix M whose entries are the bytes themselves, except that kAbsent stands for
/// `absent`. stream(visit) calls visit(first_row, rows) with blocks of whole rows in ascending order, every
/// time the same.
struct ByteMatrix {
  static constexpr std::uint8_t kAbsent = 255;
  using Visit = std::function<void(std::int64_t first_row, std::span<const std::uint8_t> rows)>;
  std::int64_t n = 0;
  float absent = 0;
  std::function<void(const Visit&)> stream;
};

/// The columns of a float matrix x as sums of `planes` columns of signed bytes, each with a step of its own:
/// an entry of x is off by at most the largest of its column / 254^planes. What is left of x after one
/// plane goes into the next. Immutable, so products may run on many threads.
class ByteFactor {
 public:
  /// Whether this build has the instructions (AVX-512 VNNI); without them only single precision is fast.
  [[nodiscard]] static bool available();

  ByteFactor(const Matrix& x, int planes);

  /// Rows [first, first + count) of y become the product of `rows` (count x x.rows() bytes, row-major, in
  /// which ByteMatrix::kAbsent stands for `absent`) and x. Sums of bytes are exact; those of tiles of kTile
  /// columns are added in single precision.
  void multiply(const std::uint8_t* rows, std::int64_t count, std::uint8_t absent, Matrix& y,
                std::int64_t first) const;

 private:
  static constexpr std::int64_t kTile = 2048;  // 255 * 127 * kTile fits into 32 bits
  struct Free {
    void operator()(std::int8_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  using Bytes = std::unique_ptr<std::int8_t[], Free>;

  std::int64_t n_ = 0;
  std::int64_t quads_ = 0;                 // groups of four rows of x
  int panels_ = 0;                         // groups of kLane columns of x
  std::vector<Bytes> planes_;              // [quads][panels][kLane][4]
  std::vector<std::vector<float>> steps_;  // [planes][panels * kLane]
};

}  // namespace kgwalk::embeddings
