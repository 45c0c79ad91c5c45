// What a candidate form is to the scorer: numbers with names, the relations of its slots, which words its
// mentions cover. No weights here. Torch-free.
//
// Shapes: C candidates, F features, T words, M distinct covers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "listening/candidates/candidates.h"

namespace kgwalk::listening {

// The names of a candidate's features and of an utterance's cues, in the order of their columns. Part of the
// format of runs: a scorer remembers them and refuses others.
[[nodiscard]] std::span<const std::string_view> feature_names();
[[nodiscard]] std::span<const std::string_view> cue_names();

struct Prepared {
  HeardParts parts;
  std::vector<Candidate> candidates;    // at most the number asked for, the likeliest by a plain sum
  std::vector<float> features;          // [C, F]
  std::vector<std::int32_t> relations;  // [C, kMaxSlots] entry of the lexicon + 1; 0: no slot
  std::vector<std::uint8_t> codes;      // [C, kMaxSlots] 2 role + (1 for an inverse)
  std::vector<float> centers;  // [C, kMaxSlots] middle of the mention that the slot starts from, in words
  std::vector<std::int32_t> types;    // [C] place in Lexicon::types() + 1; 0: none
  std::vector<std::uint32_t> covers;  // [C] which of the distinct covers
  std::vector<std::vector<std::uint8_t>>
      distinct_covers;      // [M][T] 1 where a mention or value of the candidate stands
  std::vector<float> cues;  // of the utterance
  [[nodiscard]] std::size_t num_words() const noexcept { return parts.said.words.size(); }
};

struct PrepareOptions {
  std::size_t most_candidates = 160;
  bool families = true;  // words of data/words/families.txt count
};

// Finds candidates and makes their features. Thread-safe.
[[nodiscard]] Prepared prepare(const Lexicon& lexicon, const forms::Engine& engine, HeardParts parts,
                               const PrepareOptions& options = {});

}  // namespace kgwalk::listening
