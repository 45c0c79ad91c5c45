// The one training loop: steps over batches, gradient accumulation, clipping, schedule, evaluation, early
// stopping, best and last checkpoints, metrics, curves, stop flag, bit-exact resume on one thread. Every
// model of the engine trains through it by implementing Task.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/precision.h"
#include "runtime/tensor/schedule.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

struct TrainerConfig {
  int max_epochs = 20;
  double max_minutes = 0;       // processor-independent wall budget; 0 = none. Ends at the next evaluation
  int accumulate = 1;           // batches an update
  int eval_every = 0;           // updates between evaluations; 0 = at the end of each epoch
  int checkpoint_every_s = 60;  // seconds between `last` checkpoints besides those at evaluations
  int log_every = 20;           // updates a row of metrics.jsonl
  int patience = 0;             // evaluations without improvement before stopping; 0 = never
  bool restore_best = true;     // leave the module with the best checkpoint's weights
  double weight_average = 0;    // decay of the average of the weights that is evaluated and kept; 0 = none
  double kept_start = 0;  // share of the weights that it began with in those that are evaluated and kept
  Choice<Precision> precision = Precision::kFloat32;  // of the factors of matrix products in training
  AdamConfig adam;
  ScheduleConfig schedule;
  template <class F>
  void fields(F& f) {
    f("max_epochs", max_epochs, "Number of passes over the training data.").range(1, 1e6);
    f("max_minutes", max_minutes, "Minutes of wall time after which a training ends; 0 means no limit.")
        .range(0, 1e6);
    f("accumulate", accumulate, "Number of batches whose gradients make one update.").range(1, 1e4);
    f("eval_every", eval_every, "Number of updates between two evaluations; 0 evaluates after each epoch.")
        .range(0, 1e9);
    f("checkpoint_every_s", checkpoint_every_s, "Seconds between two checkpoints.").range(1, 1e6);
    f("log_every", log_every, "Number of updates that one training row of metrics.jsonl sums up.")
        .range(1, 1e6);
    f("patience", patience,
      "Number of evaluations without improvement after which a training stops; 0 means never.")
        .range(0, 1e6);
    f("restore_best", restore_best, "The training ends with the weights of its best evaluation.");
    f("weight_average", weight_average,
      "Decay of an exponential average of the weights, which is then what is evaluated and "
      "kept; 0 keeps the weights themselves.")
        .range(0, 0.99999);
    f("kept_start", kept_start,
      "Share of the weights that a training begins with in those that it evaluates and keeps; 0 keeps none.")
        .range(0, 0.99);
    f("precision", precision, "What the factors of matrix products are rounded to in training.");
    f("adam", adam, "Optimizer.");
    f("schedule", schedule, "Learning-rate schedule.");
  }
};

// Loss and numbers of one batch.
struct StepResult {
  torch::Tensor loss;  // scalar, a mean over `weight`; backward() is called on it
  double weight = 1;   // what the batch counts in means (tokens, examples)
  Json metrics;        // optional named numbers, averaged by weight
};

// What a model gives the loop. Called from one thread.
class Task {
 public:
  virtual ~Task() = default;
  [[nodiscard]] virtual torch::nn::Module& module() = 0;
  // Begins epoch `epoch` (0-based): shuffles with `random` and returns the number of batches.
  virtual std::int64_t begin_epoch(int epoch, Random& random) = 0;
  [[nodiscard]] virtual StepResult step(std::int64_t batch) = 0;
  // Named numbers on the development data; `score` must be among them (higher is better). No
  // gradients are recorded.
  [[nodiscard]] virtual Json evaluate() = 0;
  // Called after each update, e.g. to refresh derived tables.
  virtual void after_update(std::int64_t /*step*/) {}
  // Files of the task's own that belong into every checkpoint, e.g. a vocabulary.
  virtual void save_extra(const std::filesystem::path& /*folder*/) const {}
  // Called with the folder of the checkpoint that a run goes on from, after the weights are back.
  virtual void load_extra(const std::filesystem::path& /*folder*/) {}
};

struct TrainReport {
  std::int64_t steps = 0;
  int epochs = 0;
  double best_score = 0;
  std::int64_t best_step = 0;
  Json best_metrics;
  double seconds = 0;            // wall, over all resumed pieces
  double processor_seconds = 0;  // user and system, all threads
  [[nodiscard]] Json to_json() const;
  [[nodiscard]] std::string summary() const;  // one line for people
};

// ConfigError where the folder holds a training that was begun with another manifest, as train() says it: for
// those that prepare for long before they train.
void refuse_another_training(const TrainerConfig& config, const RunManifest& manifest,
                             const RunFolder& folder);

// Trains `task` in `folder` on compute_device() with the manifest's seed, resuming from checkpoints/last when
// there is one (its manifest must agree, else ConfigError lists the differing keys; limits of time may
// differ, and the number of epochs where the schedule does not depend on it). ConfigError too where
// `precision` cannot be had. A finished run is only loaded. Throws Interrupted after saving when `stop` is
// set; NumericError when the loss or gradient is not finite, leaving the last good checkpoint.
TrainReport train(Task& task, const TrainerConfig& config, const RunManifest& manifest, RunFolder& folder,
                  Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk
