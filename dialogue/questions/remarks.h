// What people said in dialogues without asking for anything: turns to learn from that habit decides where
// nothing is asked. Torch-free.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kgwalk/dialogue.h"

namespace kgwalk::dialogue {

// Utterances of at most `most_words` words without a question mark, a question word, a word of request or the
// begin of a sentence that is one by its order ("Is it ..."). In order, each once.
[[nodiscard]] std::vector<std::string> remarks_of(std::span<const graph::Dialogue> dialogues,
                                                  std::size_t most_words = 30);

}  // namespace kgwalk::dialogue
