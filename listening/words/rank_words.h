// Numbers that people write as words, and what they say of an order beside its superlative: how many of the
// first, or which of them. Torch-free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "listening/words/said_text.h"

namespace kgwalk::listening {

// "two" to "twelve", "twenty", "hundred"; nullopt for other words.
[[nodiscard]] std::optional<std::int64_t> number_word(std::string_view folded);

// "16th": 16; nullopt for other words, "1990s" too.
[[nodiscard]] std::optional<std::uint64_t> ordinal_in_digits(std::string_view folded);
// Whether a word of a relation's name says that it counts things in their order: "number", "rank".
[[nodiscard]] bool says_order(std::string_view word);

// "The four youngest", "top 10", "first three": n of them. "The second highest": the one at place n alone.
struct SaidRank {
  std::size_t word = 0;  // that says the number
  std::uint64_t n = 1;
  bool alone = false;
};
[[nodiscard]] std::optional<SaidRank> rank_said(const SaidText& said);

}  // namespace kgwalk::listening
