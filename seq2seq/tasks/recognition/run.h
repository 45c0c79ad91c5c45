// Training of a recognizer into a run folder of kind "task-asr" (docs/reference/formats/speech.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "seq2seq/tasks/recognition/config.h"

namespace kgwalk::seq2seq {

struct RecognitionTrainOptions {
  std::vector<std::string> train, dev;  // lists of recordings (speech_data.h); no dev: config.hold_out
  std::filesystem::path run;
  RecognitionConfig config;
  std::uint64_t seed = 1;
};

struct RecognitionTrainReport {
  TrainReport training;
  std::int64_t units = 0, parameters = 0;
  std::int64_t utterances = 0, development = 0;
  std::int64_t silent = 0, too_short = 0;  // training utterances left out
  double hours = 0;                        // of training sound, at the speed 1
  std::filesystem::path model;
  [[nodiscard]] Json to_json() const;
};

// Makes units and features, trains, resuming an interrupted run; at the end the model's folder is written to
// RUN/model. RUN/units.text holds the training transcripts as units, for `task lm`. Throws as the trainer's
// train(), read_recordings() and load_speech() do.
RecognitionTrainReport train_recognition(const RecognitionTrainOptions& options, Reporter& reporter,
                                         const StopFlag& stop);

}  // namespace kgwalk::seq2seq
