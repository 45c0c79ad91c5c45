// Training of a response model into a run folder of kind "task-respond" (docs/reference/formats/dialogue.md).
#pragma once

#include <cstdint>
#include <filesystem>

#include "dialogue/response/config.h"
#include "kgwalk/progress.h"
#include "seq2seq/tasks/pair_task.h"

namespace kgwalk::dialogue {

struct ResponseTrainOptions {
  std::filesystem::path database, run;
  ResponseConfig config;
  std::uint64_t seed = 1;
};

struct ResponseTrainReport {
  seq2seq::PairTrainReport training;
  std::int64_t paths = 0, answers = 0;  // that are learned from
  std::int64_t worded = 0;              // paths said by wordings, learned from too
  std::int64_t unfaithful = 0;          // paths left out for what their sentences name
  std::int64_t ordinary = 0;            // names that are ordinary words
  [[nodiscard]] Json to_json() const;
};

// Trains a vocabulary (spm_train) and a model, resuming an interrupted run; at the end the model's folder is
// written to RUN/model. Throws as the trainer's train() and train_sentencepiece() do; StoreError for a
// database or split that is not there.
ResponseTrainReport train_responder(const ResponseTrainOptions& options, Reporter& reporter,
                                    const StopFlag& stop);

}  // namespace kgwalk::dialogue
