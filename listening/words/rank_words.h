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

// "The four youngest", "top 10", "first three": n of them. "The second highest": the one at place n alone.
struct SaidRank {
  std::size_t word = 0;  // that says the number
  std::uint64_t n = 1;
  bool alone = false;
};
[[nodiscard]] std::optional<SaidRank> rank_said(const SaidText& said);

}  // namespace kgwalk::listening
