// A message as the dialogue that a response model reads: the names to be said are its speakers, so that each is one piece
// that is copied whole; facts and utterances are its turns. Torch-free.
#pragma once

#include <cstddef>
#include <string>

#include "dialogue/response/message.h"
#include "seq2seq/tasks/summary/dialogue.h"

namespace kgwalk::dialogue {

// At most so many names are speakers, the first ones of names_of(message); at most kMostNamesSaid ways are told.
[[nodiscard]] seq2seq::Dialogue source_of(const Message& message, std::size_t most_names);

}  // namespace kgwalk::dialogue
