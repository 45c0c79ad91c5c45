// Training of a translator as a task of the one training loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/pair_task.h"
#include "seq2seq/tasks/teaching.h"
#include "seq2seq/tasks/translation/config.h"
#include "seq2seq/tasks/translation/parallel_text.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// One sentence pair in pieces, both sides with the end piece.
struct PiecePair {
  std::vector<int> source, target;
};
struct PieceData {
  std::vector<PiecePair> pairs;
  std::vector<std::size_t> lines;        // of the text, one for each pair
  std::int64_t empty = 0, too_long = 0;  // left out: a side without pieces, or longer than the limit
  std::int64_t source_pieces = 0, target_pieces = 0;
};

// Every pair is kept or counted as left out.
[[nodiscard]] PieceData encode_pairs(const SentencePiece& vocabulary, const ParallelText& text,
                                     const TranslationConfig& config);

// The pairs of `best` cut at random as config.sampling says; a pair that becomes longer than the model's
// limit stays as it is.
[[nodiscard]] std::vector<PiecePair> sample_pairs(const SentencePiece& vocabulary, const ParallelText& text,
                                                  const TranslationConfig& config, const PieceData& best,
                                                  Random& random);

[[nodiscard]] std::vector<LengthPair> lengths_of(std::span<const PiecePair> pairs);

// A batch ready for the model.
struct TranslationBatch {
  Padded source;
  Teaching target;
};
[[nodiscard]] TranslationBatch make_batch(std::span<const PiecePair* const> pairs, int start_piece);
[[nodiscard]] TranslationBatch make_batch(std::span<const PiecePair> pairs,
                                          std::span<const std::size_t> chosen, int start_piece);

// Not thread-safe.
class TranslationTask : public PairTask {
 public:
  // Borrows config, vocabulary and train_text, whose pieces are `train`. ConfigError when there is nothing to
  // train on or to evaluate.
  TranslationTask(const TranslationConfig& config, EncoderDecoder model, const SentencePiece& vocabulary,
                  const ParallelText& train_text, PieceData train, PieceData dev,
                  std::filesystem::path snapshots);
  std::int64_t begin_epoch(int epoch, Random& random) override;

 private:
  [[nodiscard]] PairLoss loss_of(bool training, std::span<const std::size_t> chosen) override;

  const TranslationConfig& config_;
  EncoderDecoder model_;
  const ParallelText& train_text_;
  PieceData train_, dev_;
  std::vector<PiecePair> sampled_;  // the training pairs of this pass, when they are cut at random
};

}  // namespace kgwalk::seq2seq
