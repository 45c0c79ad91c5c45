// Training of a language model into a run folder of kind "task-lm" (docs/reference/formats/seq2seq_tasks.md).
#pragma once

#include <cstdint>
#include <filesystem>

#include "kgwalk/progress.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/tasks/language/config.h"

namespace kgwalk::seq2seq {

struct LanguageTrainOptions {
  std::filesystem::path train, dev, run;
  // A run trained with groups of heads: its vocabulary is taken, config.model becomes its model with one head
  // a group, and the training begins with the weights of the heads that were voted to stay. Empty = none.
  std::filesystem::path pillars_of;
  // A run whose vocabulary is taken and whose weights the training begins with; its model must have the
  // shapes of config.model. Empty = none; not beside pillars_of.
  std::filesystem::path from;
  LanguageConfig config;
  std::uint64_t seed = 1;
};
struct LanguageTrainReport {
  TrainReport training;
  std::int64_t vocabulary = 0, words = 0, parameters = 0;
  std::filesystem::path model;
  [[nodiscard]] Json to_json() const;
};
// Resumes an interrupted run; the best weights go to RUN/model. Throws as the trainer's train() does;
// ConfigError when a text is too short.
LanguageTrainReport train_language(const LanguageTrainOptions& options, Reporter& reporter,
                                   const StopFlag& stop);

}  // namespace kgwalk::seq2seq
