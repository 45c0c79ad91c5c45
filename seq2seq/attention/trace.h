// What one attention layer leaves for later ones: its keys, values and, when asked for, its logits.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

// Keys and values lie side by side in one row a position, as the fused projection wrote them; heads are
// consecutive groups of d columns. The tensor may have more rows than `length` (a cache that grows).
struct TraceEntry {
  torch::Tensor packed{};         // [B, >= length, P]
  std::int64_t key_column = 0;    // keys are columns [key_column, key_column + H d)
  std::int64_t value_column = 0;  // values are columns [value_column, value_column + H d)
  std::int64_t inner_width = 0;   // H d
  std::int64_t length = 0;        // Tk
  // Logits that entered the softmax, before scaling and masking; only when the trace keeps them or with TASA,
  // which, decoding step by step, sets masked cells to zero and puts P rows of earlier queries above.
  torch::Tensor logits{};  // [B, H, P + Tq, Tk]

  [[nodiscard]] torch::Tensor keys(std::int64_t heads) const;    // view [B, H, Tk, d]
  [[nodiscard]] torch::Tensor values(std::int64_t heads) const;  // view [B, H, Tk, d]
};

// Entries of the layers passed so far in one forward pass of one stack, lowest layer first.
struct AttentionTrace {
  bool keep_logits = false;  // set before the pass
  std::vector<TraceEntry> layers;
};

}  // namespace kgwalk::seq2seq
