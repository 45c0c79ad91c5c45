// A graph's relations and types as vectors of their words. Row 0 of each is none.
//
// Shapes: R entries of the lexicon, Y types, E width.
#pragma once

#include "listening/candidates/lexicon.h"
#include "listening/network/word_states.h"

namespace kgwalk::listening {

struct WordTables {
  torch::Tensor relations;  // [R + 1, E]
  torch::Tensor types;      // [Y + 1, E]
};
[[nodiscard]] WordTables word_tables(const Lexicon& lexicon, const WordStates& states);

}  // namespace kgwalk::listening
