// An 8-bit copy of a table that bounds L1 distances: sums of absolute differences of bytes, 64 to an
// instruction.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "embeddings/matrix.h"

namespace kgwalk::embeddings {

/// Every entry x of column j is held as round((x - low_j) / step), one step for the whole table, so that
///   | |q - e|_1 - step * SAD(q8, e8) | <= error(q) + error(e),   error(v) = |v - dequantised v|_1.
/// Layout: groups of 8 rows; within a group, for each 8 columns, the 8 bytes of each row in turn (one 64-byte
/// line), so that one instruction sums 8 columns of 8 rows. Immutable; thread-safe.
class QuantizedTable {
 public:
  explicit QuantizedTable(const Matrix& rows);

  struct Query {
    std::vector<std::uint8_t> bytes;  // [lines] each 8 bytes
    double error = 0;                 // of the query itself, rounding slack included
  };
  /// Values outside the table's range are cut; the error accounts for it.
  [[nodiscard]] Query quantize(const float* query) const;

  /// Adds to `nearer` the rows proven nearer than `distance`, and appends to `unsure` the rows whose order is
  /// open.
  void compare(const Query& query, float distance, std::int64_t& nearer,
               std::vector<std::uint32_t>& unsure) const;
  /// The same for four questions in one pass over the table.
  void compare4(const Query* const (&query)[4], const float (&distance)[4], std::int64_t (&nearer)[4],
                std::vector<std::uint32_t>* const (&unsure)[4]) const;

 private:
  struct Limits {
    std::int64_t below;  // sum + error < below: nearer
    std::int64_t above;  // sum - error > above: farther
  };
  [[nodiscard]] Limits limits(const Query& query, float distance) const;
  template <int kQueries>
  void scan(const Query* const* query, const Limits* limits, std::int64_t* nearer,
            std::vector<std::uint32_t>* const* unsure) const;

  std::int64_t rows_ = 0;
  std::int64_t groups_ = 0;
  int dim_ = 0;
  int lines_ = 0;  // 8 columns each
  double step_ = 1;
  std::vector<float> low_;
  struct Free {
    void operator()(void* p) const;
  };
  std::unique_ptr<std::uint8_t, Free> bytes_;  // [groups, lines, 8, 8]
  std::vector<std::int64_t> error_;  // [groups * 8], in steps, rounded up; padding rows: unreachable
};

}  // namespace kgwalk::embeddings
