// Pre-training of a small ALBERT on the training dialogues: vocabulary, masked language modeling (Devlin et
// al., NAACL 2019), and a Hugging Face style folder that TextEncoder loads. Frozen afterwards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "runtime/config.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/models/albert.h"

namespace kgwalk::dialogue {

struct PretrainTextConfig {
  int vocabulary = 6000;         // pieces asked of spm_train, special ones included
  seq2seq::AlbertOptions model;  // vocab_size is set from the vocabulary
  int window = 3;                // utterances a sequence, as a walker's context has them
  double mask_share = 0.15;  // pieces to predict: of these 80 % become [MASK], 10 % a random piece, 10 % stay
  int facts_per_epoch = 4000;  // triples of the graph read out as sentences in each epoch; 0 = none
  int batch_tokens = 4096;     // positions a batch, padding included
  std::vector<std::string> train_splits;  // empty: every split whose name begins with "train"
  std::string dev_split = "dev";
  TrainerConfig trainer;

  PretrainTextConfig();
  template <class F>
  void fields(F& f) {
    f("vocabulary", vocabulary, "Number of pieces of the vocabulary that is trained.").range(32, 1e6);
    f("model", model, "ALBERT.");
    f("window", window, "Number of consecutive utterances that make a training sequence.").range(1, 64);
    f("mask_share", mask_share, "Share of the pieces that are hidden and predicted.").range(0.01, 0.9);
    f("facts_per_epoch", facts_per_epoch, "Number of triples that are read out as sentences in each epoch.")
        .range(0, 1e9);
    f("batch_tokens", batch_tokens, "Number of positions of a batch, padding counted.").range(16, 1e7);
    f("train_splits", train_splits,
      "Splits that are trained on; an empty list means all whose name begins with train.");
    f("dev_split", dev_split, "Split on which the held-out loss is measured.");
    f("trainer", trainer, "Training loop.");
  }
};

// "default" (a few minutes on two cores for OpenDialKG) or "tiny" (seconds, for the embedded sample).
// ConfigError names the presets there are.
[[nodiscard]] PretrainTextConfig pretrain_preset(std::string_view name);

struct PretrainTextReport {
  TrainReport training;  // best_metrics: loss, accuracy, perplexity on the dev split
  int vocabulary = 0;    // pieces there came to be
  std::int64_t parameters = 0;
  std::int64_t train_sequences = 0, train_tokens = 0, dev_tokens = 0;
  std::string checksum;           // of the encoder, as TextEncoder::checksum()
  std::filesystem::path encoder;  // the folder written
  [[nodiscard]] Json to_json() const;
};

// The folder of the encoder inside a run folder.
[[nodiscard]] std::filesystem::path encoder_folder(const std::filesystem::path& run);

inline constexpr RunKind kTextRun{.name = "text", .command = "pretrain-text", .parts = {"pretraining"}};

// Trains in the run folder `run` of kind kTextRun, resuming an interrupted training. ConfigError without
// spm_train; StoreError for unknown splits.
PretrainTextReport pretrain_text(const graph::Store& store, const graph::KnowledgeGraph& graph,
                                 const PretrainTextConfig& config, const std::filesystem::path& run,
                                 std::uint64_t seed, Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::dialogue
