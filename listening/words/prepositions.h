// Prepositions by which relations are asked for where no other word says them: "who is in it", "where is she
// from". Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "listening/words/families.h"

namespace kgwalk::listening {

using Prepositions = std::uint16_t;  // a set, one bit each

// The bit of the word; 0 where it is none of them.
[[nodiscard]] Prepositions preposition(std::string_view folded) noexcept;

// What stands before either end of a relation where a sentence tells the other of it: who "acts in" a film,
// is "born in" a town, what is "written by" somebody.
struct RelationPrepositions {
  Prepositions before_head = 0, before_tail = 0;
};

// By the words of its name and of its family; nullptr: of none.
[[nodiscard]] RelationPrepositions prepositions_of(std::span<const std::string> words, const Family* family);

}  // namespace kgwalk::listening
