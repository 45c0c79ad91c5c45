// How the words of an utterance match those of a graph's relations and types, each computed once. Torch-free.
//
// Shapes: T words.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "listening/candidates/candidates.h"

namespace kgwalk::listening {

// Which words of the utterance something may be explained by: 1 where a word is free, [T].
using FreeWords = std::span<const std::uint8_t>;

struct RelationMatch {
  float stem = 0;    // weighted likeness of the relation's own words
  float family = 0;  // the best word by which it is asked for
  float name = 0;    // the better of both
  float whole = 0;   // share of its telling words that are said
  int place = -1;    // of the word that fits best; -1: none does
};

// Not thread-safe: one an utterance.
class WordMatch {
 public:
  WordMatch(const Lexicon& lexicon, const SaidText& said, bool families);

  // Matches an entry of the lexicon by the words that are free.
  [[nodiscard]] RelationMatch match(std::size_t entry, FreeWords free);
  // By all words: what relations are ranked by before candidates are made.
  [[nodiscard]] float rank(graph::RelationId relation);
  // How well each word fits the relation, its name or its family, [T].
  [[nodiscard]] std::span<const float> fits(std::size_t entry);
  // How well each word fits a type, [T].
  [[nodiscard]] std::span<const float> type_fits(std::uint32_t type);

 private:
  [[nodiscard]] std::span<float> row_of(std::vector<float>& rows, std::size_t row) const {
    return {rows.data() + row * compared_.size(), compared_.size()};
  }
  void fill(std::size_t entry);
  // Likeness of a word of the lexicon's vocabulary with each word, [T].
  [[nodiscard]] std::span<const float> alike(std::uint32_t word);
  [[nodiscard]] float best_family(const RelationWords& relation, std::size_t t);
  // Likeness with a word of a relation's name; function words count only where they are the same.
  [[nodiscard]] float counted(std::size_t t, float like) const {
    return said_.words[t].content || like == 1 ? like : 0;
  }

  const Lexicon& lexicon_;
  const SaidText& said_;
  bool families_;
  std::vector<std::uint8_t> all_;
  std::vector<ComparedWord> compared_;         // [T]
  std::vector<std::uint8_t> is_known_;         // whether a row of alike_ is filled, [vocabulary]
  std::vector<float> alike_;                   // [vocabulary, T]
  std::vector<std::uint8_t> is_filled_;        // whether the entry's rows of the next two are, [entries]
  std::vector<float> family_rows_, fit_rows_;  // [entries, T]
  std::vector<float> ranks_;                   // [entries]; below 0: not known
  std::unordered_map<std::uint32_t, std::vector<float>> types_;
};

}  // namespace kgwalk::listening
