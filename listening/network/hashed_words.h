// States of words where no pre-trained encoder is at hand: a trained table of hashed character n-grams
// (Bojanowski et al., "Enriching Word Vectors with Subword Information", TACL 2017), a trained map of what
// common words mean (listening/words/meanings.h), positions and a small stack of layers.
//
// Shapes: B texts, T words of the longest, E width.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "listening/network/config.h"
#include "seq2seq/layers/encoder.h"

namespace kgwalk::listening {

// Vectors of a folded word in a table of `buckets`: the word as a whole and its n-grams of 3 to 5 characters,
// its beginning and end marked. The same everywhere and always: part of the format of checkpoints.
[[nodiscard]] std::vector<std::int64_t> hashed_parts(std::string_view word, std::int64_t buckets);

using Words = std::vector<std::string>;  // folded, marks included

class HashedWordsImpl : public torch::nn::Module {
 public:
  explicit HashedWordsImpl(const OwnWordsConfig& config);
  // [B, T, E], zero at padding; T is at least 1. On the device of the weights.
  [[nodiscard]] torch::Tensor states(std::span<const Words* const> texts);
  // Means of the states of each text's words, [B, E]; zero for a text without words.
  [[nodiscard]] torch::Tensor means(std::span<const Words* const> texts);

 private:
  [[nodiscard]] torch::Tensor vectors(std::span<const std::string_view> words) const;  // [n, E]

  OwnWordsConfig config_;
  torch::Tensor table_;                          // [buckets, E]
  torch::Tensor meaning_;                        // [kMeaningWidth, E]
  seq2seq::TransformerEncoder layers_{nullptr};  // absent without layers
};
TORCH_MODULE(HashedWords);

}  // namespace kgwalk::listening
