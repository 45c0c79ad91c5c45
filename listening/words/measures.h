// Relations that lead to numbers, years and dates, and the words by which people order, compare and ask by them:
// data/words/measures.txt, compiled in. Torch-free.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kgwalk::listening {

struct MeasureWords {
  std::vector<std::vector<std::string>> names;  // each split into words
  bool time = false;                            // a date or a year; else a number
  std::vector<std::pair<std::string, std::string>>
      happened;                          // to the head, base, past: "come out", "came out"
  std::vector<std::string> nouns;        // for the value
  std::vector<std::string> least, most;  // "oldest", "newest": of the head with the first and the last value
  std::vector<std::string> less, more;   // "older", "newer"
  std::vector<std::string> asks;         // "how tall is {x}", "when is {x's} birthday"
  std::vector<std::string> counted;      // "inhabitants": what the number is a number of
};

[[nodiscard]] std::span<const MeasureWords> measure_table();

// That of a relation whose name has these words: by the whole name, else by the longest name in the table that it ends
// with. nullptr where there is none.
[[nodiscard]] const MeasureWords* measure_of(std::span<const std::string> words, bool time);

}  // namespace kgwalk::listening
