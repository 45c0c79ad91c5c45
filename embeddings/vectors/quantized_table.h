// An 8-bit copy of a table that bounds L1 distances: sums of absolute differences of bytes, 64
// to an instruction.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "embeddings/vectors/matrix.h"

namespace kgwalk::embeddings {

/// Every entry x of column j is held as round((x - low_j) / step), one step for the whole table, so that
///   | |q - e|_1 - step * SAD(q8, e8) | <= error(q) + error(e),   error(v) = |v - dequantized v|_1.
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

  /// What a pass over the table settles about one answer.
  struct Count {
    float distance = 0;                 // of the answer, exact
    std::int64_t nearer = 0;            // rows proven nearer than it
    std::vector<std::uint32_t> unsure;  // rows whose order is open
  };
  /// Adds to the counts of each query (all its answers at once), in one pass over the table for up to
  /// kQueries queries; counts.size() of them. `unsure` is set, not added to.
  static constexpr std::size_t kQueries = 4;
  struct Workspace {  // grown as needed; one a thread
    std::vector<std::int32_t> sums;
    std::vector<std::uint32_t> open;
  };
  void compare(std::span<const Query> queries, std::span<const std::span<Count>> counts,
               Workspace& space) const;

 private:
  template <int kCount>
  void add_up(const Query* queries, std::int32_t* sums) const;
  void settle(const Query& query, const std::int32_t* sums, Workspace& space, Count& count) const;
  [[nodiscard]] std::int64_t padded_rows() const { return (rows_ + 15) / 16 * 16; }

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
  std::vector<std::int32_t> error_;            // [padded rows], in steps, rounded up
};

}  // namespace kgwalk::embeddings
