// Typing errors mended before words are read: a word that nobody knows and that is one slip of a finger (a
// letter missing, too many, another or swapped with the next; Damerau, "A technique for computer detection
// and correction of spelling errors", CACM 1964) from one that people use is taken for that one. Torch-free.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "dialogue/linking/said_words.h"

namespace kgwalk::walker {

// Filled first, then immutable and thread-safe.
class Spelling {
 public:
  // Words of a text that people write `times` times: known, and what others may be mended to when they are
  // frequent.
  void learn(std::string_view text, std::int64_t times = 1);
  // All that was said in dialogues, once each.
  void learn(const dialogue::SaidWords& said);
  // A word that is right, however seldom it is used.
  void know(std::string_view word) { known_.emplace(word); }

  // The word itself where it is known, short or has other letters than a to z, or where none is near;
  // otherwise the most frequent of those near, the first by its letters among equals. `word` as words_of()
  // gives it.
  [[nodiscard]] std::string mended(const std::string& word) const;

 private:
  static constexpr std::size_t kShortest = 3;    // letters of a word that is mended
  static constexpr std::int64_t kSeen = 3;       // uses from which on a word is known
  static constexpr std::int64_t kFrequent = 20;  // uses from which on others are mended to it

  [[nodiscard]] bool is_known(const std::string& word) const;
  void consider(const std::string& near, std::string& best, std::int64_t& uses) const;

  std::unordered_map<std::string, std::int64_t> uses_;
  std::unordered_set<std::string> known_;
};

}  // namespace kgwalk::walker
