// States of words, trained with the scorer: a table of hashed character n-grams (Bojanowski et al.,
// "Enriching Word Vectors with Subword Information", TACL 2017), a map of what common words mean
// (listening/words/meanings.h), where there is a text encoder a map of its states of the words
// (word_states.h), positions and a small stack of layers.
//
// Shapes: B texts, T words of the longest, E width, D width of a text encoder.
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

// The words of a text; borrowed.
struct WordsOfText {
  const Words* words;
  torch::Tensor encoded = {};  // [T, D] from a text encoder; undefined where there is none
};

class HashedWordsImpl : public torch::nn::Module {
 public:
  // `encoded_width`: D; 0 without a text encoder. At first what it says counts for nothing, so that weights
  // that were learned without one can be begun with.
  explicit HashedWordsImpl(const OwnWordsConfig& config, std::int64_t encoded_width = 0);
  // [B, T, E], zero at padding; T is at least 1. On the device of the weights.
  [[nodiscard]] torch::Tensor states(std::span<const WordsOfText> texts);
  // Means of the states of each text's words, [B, E]; zero for a text without words.
  [[nodiscard]] torch::Tensor means(std::span<const WordsOfText> texts);

 private:
  [[nodiscard]] torch::Tensor vectors(std::span<const std::string_view> words) const;  // [n, E]

  OwnWordsConfig config_;
  torch::Tensor table_;                          // [buckets, E]
  torch::Tensor meaning_;                        // [kMeaningWidth, E]
  torch::Tensor encoded_;                        // [D, E]; undefined without a text encoder
  seq2seq::TransformerEncoder layers_{nullptr};  // absent without layers
};
TORCH_MODULE(HashedWords);

}  // namespace kgwalk::listening
