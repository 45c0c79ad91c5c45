// Parts of a call of attention made by hand.
#pragma once

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/attention/trace.h"

namespace kgwalk::seq2seq::testing {

inline const AttentionMasks kCausal{{}, {}, true};

// Keys beside values [B, S, 2 * inner], as a layer leaves them.
inline TraceEntry entry_of(const torch::Tensor& packed) {
  const std::int64_t inner = packed.size(2) / 2;
  return {packed, 0, inner, inner, packed.size(1), {}};
}

}  // namespace kgwalk::seq2seq::testing
