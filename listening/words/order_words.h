// Words that order and compare: which way, by what kind of value, and by which relations. Torch-free.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "listening/words/families.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {

struct OrderWord {
  std::string_view word;                        // folded
  bool more = true;                             // the greater, the later; else the less
  bool compares = false;                        // "older"; else the one at the end, "oldest"
  EndKind kind = EndKind::kUnknown;             // of the values: dates, numbers or either
  std::span<const std::string_view> relations;  // words of the relations that it goes by; may be empty
};

// Whether a relation's words name what the word goes by: "heaviest" by a weight.
[[nodiscard]] bool goes_by(const OrderWord& order, std::span<const std::string> words);

// nullptr for a word that does neither.
[[nodiscard]] const OrderWord* order_word(std::string_view folded);
// All of a text, in its order.
[[nodiscard]] std::vector<const OrderWord*> order_words(const SaidText& said);

}  // namespace kgwalk::listening
