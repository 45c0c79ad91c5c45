// Training of a translator into a run folder of kind "task-mt" (docs/reference/formats/seq2seq_tasks.md).
#pragma once

#include <cstdint>
#include <filesystem>

#include "kgwalk/progress.h"
#include "seq2seq/tasks/translation/config.h"

namespace kgwalk::seq2seq {

struct TranslationTrainOptions {
  std::filesystem::path train_source, train_target;
  std::filesystem::path dev_source, dev_target;
  std::filesystem::path run;
  // A run trained with groups of heads: its vocabulary is taken, config.model becomes its model with one head
  // a group, and the training begins with the weights of the heads that were voted to stay. Empty = none.
  std::filesystem::path pillars_of;
  // A run whose vocabulary is taken and whose weights the training begins with; its model must have the
  // shapes of config.model. Empty = none; not beside pillars_of.
  std::filesystem::path from;
  TranslationConfig config;
  std::uint64_t seed = 1;
};

// Trains a vocabulary (spm_train) and a model, resuming an interrupted run; at the end the model's folder is
// written to RUN/model. Throws as the trainer's train(), read_parallel_text() and train_sentencepiece() do.
PairTrainReport train_translation(const TranslationTrainOptions& options, Reporter& reporter,
                                  const StopFlag& stop);

}  // namespace kgwalk::seq2seq
