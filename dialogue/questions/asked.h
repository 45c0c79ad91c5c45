// What a question asks for, found by the wordings of the bank: the way back of phrasing.h. Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialogue/questions/topics.h"

namespace kgwalk::dialogue {

// Thread-safe.
class QuestionReader {
 public:
  // Borrows the topics.
  explicit QuestionReader(const Topics& topics);
  // The topic of the wording that a question in the text has most words of, the earlier one of the bank among
  // equals; nullptr where the text asks nothing, or nothing that the topics have words for. Names count as
  // gaps.
  [[nodiscard]] const Topic* read(std::string_view text) const;

 private:
  using Words = std::vector<std::string>;
  struct Pattern {
    const Topic* topic = nullptr;
    std::vector<Words> runs;  // words that follow each other; names between them
    int weight = 0;
  };
  void add(const Topic& topic, const std::string& wording);
  [[nodiscard]] const Pattern* best(const Words& sentence) const;

  std::vector<Pattern> patterns_;
  std::unordered_map<std::string, std::vector<std::size_t>>
      by_word_;  // a word of theirs that tells something
};

}  // namespace kgwalk::dialogue
