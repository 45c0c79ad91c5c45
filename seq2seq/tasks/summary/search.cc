#include "seq2seq/tasks/summary/search.h"

#include "seq2seq/tasks/decoding.h"
#include "seq2seq/tasks/summary/task.h"

namespace kgwalk::seq2seq {

DialogueSearch search_dialogues(PointerGenerator& model, const SentencePiece& vocabulary,
                                const TokenSearchOptions& options,
                                std::span<const DialoguePieces* const> dialogues, const PieceGuard* guard) {
  std::vector<std::size_t> lengths;
  for (const DialoguePieces* dialogue : dialogues) lengths.push_back(dialogue->ids.size());
  TokenSearchTask task = piece_search(vocabulary, options, lengths, model->options().transformer.max_length);
  task.guard = guard;
  DialogueSearch search{model->encode(pointed_source(dialogues)), {}};
  PointedState state = model->start(search.encoded);
  const ScoreStep step = [&](const torch::Tensor& pieces, const torch::Tensor& parents) {
    if (state.decoder.length > 0) state.decoder.reorder(parents);
    return model->step(pieces, state);
  };
  search.found = search_tokens(task, options, step);
  return search;
}

}  // namespace kgwalk::seq2seq
