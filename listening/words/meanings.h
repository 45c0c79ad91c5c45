// How near two words are in meaning: vectors of common English words that come with the program
// (data/words/meanings.safetensors, made by scripts/recipes/word_meanings.py). Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kgwalk::listening {

inline constexpr std::size_t kMeaningWidth = 64;

// The vector of a word, to be compared by nearness(); empty for a word that has none.
using Meaning = std::span<const std::int8_t>;

// Of a folded word, or of its singular where only that has one.
[[nodiscard]] Meaning meaning_of(std::string_view folded);
// Cosine, in [-1, 1]; 0 where one of them is empty.
[[nodiscard]] float nearness(Meaning a, Meaning b);

}  // namespace kgwalk::listening
