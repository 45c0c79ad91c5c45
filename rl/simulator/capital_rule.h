// Keeps a vocabulary from inventing names: what is written with a capital is a name that is copied whole,
// "I", or the first word of a sentence, and that one only where the vocabulary has it in small letters too.
// Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::rl {

class CapitalRule {
 public:
  explicit CapitalRule(const seq2seq::SentencePiece& vocabulary);

  // `said`: pieces so far. Scores [V] of what may not follow become minus infinity.
  void forbid(std::span<const std::int64_t> said, std::span<float> scores) const;

 private:
  enum class Case : std::uint8_t { kSmall, kFirst, kOwn, kName, kEnds };
  [[nodiscard]] static Case case_of(const std::string& piece, const seq2seq::SentencePiece& vocabulary);

  std::vector<Case> cases_;                           // by piece
  std::vector<std::int64_t> first_, names_, joined_;  // may begin a sentence; never said; go on in a word
};

}  // namespace kgwalk::rl
