// Masked language modeling over dialogues: the training task of `kgwalk pretrain-text`.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dialogue/text/context_tokenizer.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/tasks/masked_language.h"

namespace kgwalk::dialogue {

using MaskedBatch = seq2seq::MaskedBatch;

// The sequences at these places side by side, with pieces hidden as seq2seq::hide_pieces does.
[[nodiscard]] MaskedBatch mask_batch(std::span<const TokenSequence> sequences,
                                     std::span<const std::size_t> places, const ContextTokenizer& tokens,
                                     double share, Random& random);

// What the task draws its sequences from.
struct MaskedTextData {
  std::vector<graph::Dialogue> train, dev;
  const graph::KnowledgeGraph* graph = nullptr;  // facts; may be null when facts_per_epoch is 0
};

struct MaskedTextOptions {
  int window = 3;
  double mask_share = 0.15;
  int facts_per_epoch = 0;
  int batch_tokens = 4096;
};

class MaskedTextTask : public Task {
 public:
  // `data` and `tokens` are borrowed and must outlive the task.
  MaskedTextTask(seq2seq::AlbertForMaskedLm model, const ContextTokenizer& tokens, const MaskedTextData& data,
                 const MaskedTextOptions& options);

  [[nodiscard]] torch::nn::Module& module() override { return *model_; }
  // Cuts the training dialogues into windows, each at a random offset, draws facts, and shuffles.
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // {"score", "loss", "accuracy", "perplexity"} of the hidden pieces of the dev windows, always
  // the same ones.
  [[nodiscard]] Json evaluate() override;

  [[nodiscard]] std::int64_t num_dev_tokens() const;

 private:
  [[nodiscard]] std::string random_fact(Random& random) const;

  seq2seq::AlbertForMaskedLm model_;
  const ContextTokenizer& tokens_;
  const MaskedTextData& data_;
  MaskedTextOptions options_;
  std::vector<TokenSequence> sequences_;  // of this epoch
  std::vector<std::vector<std::size_t>> batches_;
  std::uint64_t epoch_seed_ = 0;
  std::vector<TokenSequence> dev_;
};

// Consecutive utterances in windows of `window`; the first holds `offset` utterances when 0 <
// offset < window.
[[nodiscard]] std::vector<std::vector<graph::Chat>> dialogue_windows(const graph::Dialogue& dialogue,
                                                                     std::size_t window, std::size_t offset);

}  // namespace kgwalk::dialogue
