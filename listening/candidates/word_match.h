// How the words of an utterance match those of a graph's relations and types, each computed once. Torch-free.
//
// Shapes: T words.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "listening/candidates/candidates.h"

namespace kgwalk::listening {

// Which words of the utterance something may be explained by: 1 where a word is free, [T].
using FreeWords = std::span<const std::uint8_t>;

struct RelationMatch {
  float stem = 0;     // weighted likeness of the relation's own words
  float family = 0;   // the best word by which it is asked for
  float meaning = 0;  // weighted nearness in meaning of the relation's own words
  float near = 0;     // nearness of the free word that is nearest to it or to a noun of its family
  float name = 0;     // the better of stem and family
  float whole = 0;    // share of its telling words that are said
  int place = -1;     // of the word that fits best; -1: none does
};

// Rows of `width` zeros by number, made when they are first asked for; they stay where they are. Most rows of
// a large graph are never asked for.
class LazyRows {
 public:
  LazyRows(std::size_t rows, std::size_t width) : rows_(rows), width_(width) {}

  [[nodiscard]] bool has(std::size_t row) const { return rows_[row] != nullptr; }
  [[nodiscard]] std::span<float> of(std::size_t row) {
    if (rows_[row] == nullptr) rows_[row] = make();
    return {rows_[row], width_};
  }

 private:
  [[nodiscard]] float* make() {
    if (left_ == 0) {
      blocks_.push_back(std::make_unique<float[]>(kRowsOfBlock * width_));
      left_ = kRowsOfBlock;
    }
    return blocks_.back().get() + (kRowsOfBlock - left_--) * width_;
  }

  static constexpr std::size_t kRowsOfBlock = 64;
  std::vector<float*> rows_;
  std::size_t width_, left_ = 0;
  std::vector<std::unique_ptr<float[]>> blocks_;
};

// Not thread-safe: one an utterance.
class WordMatch {
 public:
  WordMatch(const Lexicon& lexicon, const SaidText& said, bool families);

  // Matches an entry of the lexicon by the words that are free.
  [[nodiscard]] RelationMatch match(std::size_t entry, FreeWords free);
  // By all words but those left out: what relations are ranked by before candidates are made.
  [[nodiscard]] float rank(graph::RelationId relation);
  // "The film": a word for what is meant asks for no relation. Before rank() is called.
  void leave_out(std::size_t word) { ranked_by_[word] = 0; }
  // How well each word fits the relation, its name or its family, [T].
  [[nodiscard]] std::span<const float> fits(std::size_t entry);
  // How near each word is to the relation's words in meaning, [T].
  [[nodiscard]] std::span<const float> nears(std::size_t entry);
  // How well each word fits a type, [T].
  [[nodiscard]] std::span<const float> type_fits(std::uint32_t type);

 private:
  void fill(std::size_t entry);
  // Likeness of a word of the lexicon's vocabulary with each word, [T].
  [[nodiscard]] std::span<const float> alike(std::uint32_t word);
  // Nearness in meaning likewise, 0 where it is none.
  [[nodiscard]] std::span<const float> near_to(std::uint32_t word);
  [[nodiscard]] float best_family(const RelationWords& relation, std::size_t t);
  // Likeness with a word of a relation's name; function words count only where they are the same.
  [[nodiscard]] float counted(std::size_t t, float like) const {
    return said_.words[t].content || like == 1 ? like : 0;
  }

  const Lexicon& lexicon_;
  const SaidText& said_;
  bool families_;
  std::vector<std::uint8_t> all_, ranked_by_;
  std::vector<ComparedWord> compared_;              // [T]
  LazyRows alike_, near_;                           // by word of the vocabulary
  LazyRows family_rows_, fit_rows_, meaning_rows_;  // by entry
  std::vector<float> ranks_;                        // [entries]; below 0: not known
  std::unordered_map<std::uint32_t, std::vector<float>> types_;
};

}  // namespace kgwalk::listening
