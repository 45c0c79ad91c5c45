// What of a text and of what came before says which act it is: places of a table. Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "listening/acts/act.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {

// The first rows of the table have a meaning each; the others are shared by words, pairs of words and parts
// of words, by their hash.
inline constexpr std::uint32_t kNamedActRows = 64;
inline constexpr std::uint32_t kHashedActRows = 1U << 14;
inline constexpr std::uint32_t kActRows = kNamedActRows + kHashedActRows;

// Rows, ascending, each once. The words of a name count as one word, the same for all names; at most 48 words
// of a text count, and its last 16.
[[nodiscard]] std::vector<std::uint32_t> act_rows(const SaidText& said, std::span<const NamedWords> names,
                                                  const ActContext& context);

}  // namespace kgwalk::listening
