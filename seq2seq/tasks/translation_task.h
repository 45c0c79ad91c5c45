// Training of a translator as a task of the one training loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/tensor/trainer.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/parallel_text.h"
#include "seq2seq/tasks/translation_config.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// Control pieces of the vocabularies of the tasks; ids 2 and 3.
inline constexpr const char* kStartPiece = "<s>";
inline constexpr const char* kEndPiece = "</s>";

// One sentence pair in pieces, both sides with the end piece.
struct PiecePair {
  std::vector<int> source, target;
};
struct PieceData {
  std::vector<PiecePair> pairs;
  std::int64_t empty = 0, too_long = 0;  // left out: a side without pieces, or longer than the limit
  std::int64_t source_pieces = 0, target_pieces = 0;
};

// Text as the vocabulary sees it: lower-cased when asked for.
[[nodiscard]] std::string prepared_text(std::string_view text, const PieceOptions& options);
[[nodiscard]] std::vector<int> encode_line(const SentencePiece& vocabulary, std::string_view text,
                                           const PieceOptions& options);  // with the end piece
// Every pair is kept or counted as left out.
[[nodiscard]] PieceData encode_pairs(const SentencePiece& vocabulary, const ParallelText& text,
                                     const TranslationConfig& config);

[[nodiscard]] std::vector<LengthPair> lengths_of(const PieceData& data);

// The model and, with group-constrained training, the state of its groups.
class TranslationNetImpl : public torch::nn::Module {
 public:
  TranslationNetImpl(const TranslationConfig& config, std::int64_t vocabulary);
  EncoderDecoder model{nullptr};
  GroupedHeads groups{nullptr};  // null without groups
};
TORCH_MODULE(TranslationNet);

// A batch ready for the model.
struct TranslationBatch {
  Padded source;
  Teaching target;
};
[[nodiscard]] TranslationBatch make_batch(std::span<const PiecePair* const> pairs, int start_piece);

// Not thread-safe. Evaluations leave the weights in snapshots/STEP.safetensors for averaging.
class TranslationTask : public Task {
 public:
  // ConfigError when there is nothing to train on or to evaluate.
  TranslationTask(const TranslationConfig& config, const SentencePiece& vocabulary, PieceData train,
                  PieceData dev, std::filesystem::path snapshots);

  [[nodiscard]] torch::nn::Module& module() override { return *net_; }
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // Perplexity a piece of the development pairs; "score" is its logarithm, negated.
  [[nodiscard]] Json evaluate() override;
  void after_update(std::int64_t step) override { updates_ = step; }
  void save_extra(const std::filesystem::path& folder) const override { vocabulary_.save(folder); }
  void load_extra(const std::filesystem::path& folder) override;

  [[nodiscard]] TranslationNet& net() noexcept { return net_; }
  [[nodiscard]] const PieceData& training_data() const noexcept { return train_; }
  // The newest `average` snapshots up to update `step`, oldest first.
  [[nodiscard]] std::vector<std::filesystem::path> snapshots(std::int64_t step) const;

 private:
  [[nodiscard]] TranslationBatch batch_of(const PieceData& data,
                                          const std::vector<std::size_t>& chosen) const;
  void write_snapshot() const;

  const TranslationConfig& config_;
  const SentencePiece& vocabulary_;
  PieceData train_, dev_;
  std::filesystem::path snapshots_;
  TranslationNet net_;
  std::vector<LengthPair> lengths_;
  std::vector<std::vector<std::size_t>> batches_, dev_batches_;
  std::int64_t updates_ = 0;
};

}  // namespace kgwalk::seq2seq
