// Spoken language understanding: training a head on a frozen speech encoder, its evaluation, and
// the embedded API.
//
//   auto model = Understander::open("runs/intent");
//   std::cout << model.understand("order.wav").label << '\n';
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "kgwalk/understander.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/models/wav2vec2.h"
#include "seq2seq/tasks/understanding/head.h"
#include "seq2seq/tasks/understanding/manifest.h"

namespace kgwalk::seq2seq {

struct UnderstandingConfig {
  HeadOptions head;
  SplitOptions split;
  double max_seconds = 20;  // longer utterances are refused; 0 = no limit
  int batch = 32;           // utterances
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("head", head, "Task and head.");
    f("split", split, "Utterances of training, development and test.");
    f("max_seconds", max_seconds, "Longest utterance in seconds; 0 means no limit.").range(0, 1e6);
    f("batch", batch, "Number of utterances in a batch.").range(1, 1e5);
    f("trainer", trainer, "Training loop.");
  }
};

using kgwalk::Understanding;  // public (kgwalk/understander.h)

// Accuracy (intent, emotion) or slot F1, in per cent.
struct UnderstandingScore {
  std::string name;  // "accuracy" or "slot_f1"
  double value = 0;
  std::int64_t utterances = 0;
  [[nodiscard]] Json to_json() const;
};

// Safe for concurrent understand() calls.
class Understander {
 public:
  // A finished run of `kgwalk task slu train` or a model's folder. Errors as read_model_files'.
  [[nodiscard]] static Understander open(const std::filesystem::path& path);
  // One result a file, in order. DataError for a file that is no sound, too short or too long.
  [[nodiscard]] std::vector<Understanding> understand(std::span<const std::filesystem::path> files) const;
  // The utterances at `places` against the manifest's labels. ConfigError when the column is missing;
  // DataError for a label that the model does not know.
  [[nodiscard]] UnderstandingScore score(const Manifest& manifest, std::span<const std::size_t> places,
                                         std::vector<Understanding>* told = nullptr) const;
  [[nodiscard]] const UnderstandingConfig& config() const noexcept { return config_; }
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept { return labels_; }
  [[nodiscard]] Wav2Vec2 encoder() const { return encoder_; }

 private:
  Understander(UnderstandingConfig config, Wav2Vec2 encoder, std::vector<std::string> labels);
  UnderstandingConfig config_;
  mutable Wav2Vec2 encoder_;
  mutable UnderstandingHead head_;
  std::vector<std::string> labels_;
};

struct UnderstandingTrainOptions {
  std::filesystem::path manifest, student, run;
  UnderstandingConfig config;
  bool all_folds = false;  // split by speaker or random: train and test on every fold, in RUN/fold_K
  std::uint64_t seed = 1;
};
struct UnderstandingTrainReport {
  std::vector<TrainReport> trainings;  // one, or one a fold
  UnderstandingScore test;             // of the best weights; with folds over all utterances together
  std::vector<double> fold_scores;
  std::int64_t parameters = 0;  // of the head
  std::vector<std::filesystem::path> models;
  [[nodiscard]] Json to_json() const;
};

// Trains heads in run folders of kind "task-slu" (RUN, or RUN/fold_K), resuming interrupted ones. The frozen
// encoder runs once over all utterances. ConfigError for missing columns or empty parts; DataError for an
// utterance of the development or test data whose label no training utterance has.
UnderstandingTrainReport train_understanding(const UnderstandingTrainOptions& options, Reporter& reporter,
                                             const StopFlag& stop);

}  // namespace kgwalk::seq2seq
