// Bags of hashed pieces (walker/data/word_pieces.h) as tensors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/tensor/device.h"
#include "walker/data/word_pieces.h"
#include "walker/network/phrase_states.h"

namespace kgwalk::walker {

// Bag (b, t) is word t of text b; shorter texts are padded with empty bags.
struct PaddedBags {
  torch::Tensor rows;    // int64 [sum of bags]
  torch::Tensor begins;  // int64 [B T]
  torch::Tensor keep;    // bool [B, T]
  [[nodiscard]] PaddedBags to(torch::Device device) const {
    return {on(device, rows), on(device, begins), on(device, keep)};
  }
};
[[nodiscard]] PaddedBags pad_bags(std::span<const WordBag> texts);

inline constexpr std::int64_t kMostTextPositions = 32;  // of an utterance's text states

// What a listener reads of a batch of examples.
struct Said {
  PaddedBags words;    // the last utterances
  torch::Tensor text;  // float [B, Tt, Dt] states of the last utterance; undefined without a text encoder
  torch::Tensor text_keep;  // bool [B, Tt]
  [[nodiscard]] Said to(torch::Device device) const {
    return {words.to(device), on(device, text), on(device, text_keep)};
  }
};
[[nodiscard]] Said said_of(std::span<const HeardText> texts, const PhraseStates* phrases);

// The relations of a graph, or of a set of questions that has none, as their words: W words, R relations,
// every word once.
struct RelationBags {
  PaddedBags words;          // B = W texts of one word
  torch::Tensor members;     // int64 [M] words of all relations, relation after relation
  torch::Tensor begins;      // int64 [R] first of each relation in `members`
  torch::Tensor owners;      // int64 [M] relation of each member
  torch::Tensor texts;       // float [R, Dt] means of text states; undefined without a text encoder
  torch::Tensor examples;    // float [R, Dt] the same of what they lead to, zero where that is not known
  torch::Tensor directions;  // int64 [R] 1 for an inverse
  torch::Tensor replaced;    // float [R, 1] 1 where other words stand for it; undefined where none do
  bool of_graph = true;      // rows are the graph's relations, which may mean more than their words
  [[nodiscard]] std::int64_t size() const { return begins.size(0); }
  [[nodiscard]] RelationBags to(torch::Device device) const;
};
// `examples` as relation_examples() gives them, or none.
[[nodiscard]] RelationBags relation_bags(const WordPieces& pieces, std::span<const std::string> names,
                                         bool of_graph, const PhraseStates* phrases = nullptr,
                                         std::span<const std::string> examples = {});

}  // namespace kgwalk::walker
