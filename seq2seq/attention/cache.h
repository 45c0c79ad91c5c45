// Keys and values of the positions decoded so far in one self-attention layer.
#pragma once

#include <cstdint>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/trace.h"

namespace kgwalk::seq2seq {

// What TASA keeps of the last position: its row of the maps, masked cells zero. Undefined before
// the first step.
struct LogitRows {
  torch::Tensor
      joint{};           // [N, (n + 1) H, 1, Tk] entered the aggregation; undefined where nothing is received
  torch::Tensor sent{};  // [N, H, 1, Tk] was left for later layers
  void reorder(const torch::Tensor& rows);
};

// Grows by doubling; appending copies the new positions only. Not thread-safe. Copying shares the buffer
// until one of the copies is appended to, which then gets its own.
class KeyValueCache {
 public:
  // kv [N, Tnew, 2 H d], keys first. The first call fixes N.
  void append(const torch::Tensor& kv);
  // Row r of the cache becomes what row rows[r] was; rows is int64 [N'].
  void reorder(const torch::Tensor& rows);

  [[nodiscard]] std::int64_t length() const noexcept { return length_; }  // positions held
  [[nodiscard]] std::int64_t rows() const { return buffer_.defined() ? buffer_.size(0) : 0; }
  [[nodiscard]] TraceEntry entry() const;
  [[nodiscard]] LogitRows& logit_rows() noexcept { return logit_rows_; }
  // Relative positions: the projected distances n - 1, ..., 0, [n, H d]; the same for every row.
  [[nodiscard]] torch::Tensor& distances() noexcept { return distances_; }

 private:
  torch::Tensor buffer_;  // [N, capacity, 2 H d]
  std::int64_t length_ = 0;
  LogitRows logit_rows_;
  torch::Tensor distances_;
};

}  // namespace kgwalk::seq2seq
