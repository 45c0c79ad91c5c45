// How alike two words are as strings: the same stem, a long common beginning, letters with a typing error.
// Torch-free.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "listening/words/meanings.h"

namespace kgwalk::listening {

// Stem of a folded word: plural, -ing, -ed, agent and abstract endings go, never below three letters;
// irregular verbs by a table ("wrote", "born").
[[nodiscard]] std::string stem(std::string_view word);

// A folded word with what it is compared by, found once for many comparisons.
class ComparedWord {
 public:
  explicit ComparedWord(std::string_view word);
  [[nodiscard]] Meaning meaning() const { return meaning_; }

 private:
  friend float likeness(const ComparedWord& a, const ComparedWord& b);
  std::string word_, stem_;
  std::vector<std::uint32_t> trigrams_;  // of words of four letters and more; ascending, each once
  std::uint64_t marks_ = 0;              // a bit for each trigram; several may share one
  int shared_marks_ = 0;                 // trigrams less bits
  Meaning meaning_;
};

// Likeness of two folded words, 0 to 1: 1 the same, 0.95 one stem, 0.8 or 0.6 a long common beginning of
// stems, above 0.6 letter trigrams in common.
[[nodiscard]] float likeness(const ComparedWord& a, const ComparedWord& b);
[[nodiscard]] float likeness(std::string_view a, std::string_view b);

// Whether one of them alone is an abstract noun: "profession" names no professor, alike as they are.
[[nodiscard]] bool is_one_abstract(std::string_view a, std::string_view b);

}  // namespace kgwalk::listening
