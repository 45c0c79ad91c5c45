// The search for what is said to dialogues in pieces: of a summarizer, and of whoever else reads dialogues
// and says something.
#pragma once

#include <span>
#include <vector>

#include "seq2seq/search/token_search.h"
#include "seq2seq/tasks/summary/coder.h"
#include "seq2seq/tasks/summary/config.h"

namespace kgwalk::seq2seq {

struct DialogueSearch {
  EncodedPointedSource encoded;                   // of the dialogues
  std::vector<std::vector<FoundSequence>> found;  // a list a dialogue, best first
};

// By a model in evaluation mode, under torch::NoGradGuard; no dialogue is empty. `guard` is borrowed, null =
// none.
[[nodiscard]] DialogueSearch search_dialogues(PointerGenerator& model, const SentencePiece& vocabulary,
                                              const TokenSearchOptions& options,
                                              std::span<const DialoguePieces* const> dialogues,
                                              const PieceGuard* guard = nullptr);

}  // namespace kgwalk::seq2seq
