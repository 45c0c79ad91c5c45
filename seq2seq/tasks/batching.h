// Batches by tokens with length buckets, and padded tensors of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/random.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

struct LengthPair {
  std::int64_t source = 0, target = 0;
};

// Items sorted by target, then source length (equal ones in random order) and cut so that rows times the
// longest side, padding counted, stay within max_tokens (one item is always allowed); then the batches are
// shuffled. Every item is in exactly one batch.
[[nodiscard]] std::vector<std::vector<std::size_t>> token_batches(std::span<const LengthPair> lengths,
                                                                  std::int64_t max_tokens, Random& random);

// Rows of ids beside each other. T is the longest row, at least 1.
struct Padded {
  torch::Tensor ids;   // int64 [B, T], 0 behind a row's end
  torch::Tensor keep;  // bool [B, T]; undefined when no row is shorter
};
[[nodiscard]] Padded pad_rows(std::span<const std::vector<int>* const> rows);

}  // namespace kgwalk::seq2seq
