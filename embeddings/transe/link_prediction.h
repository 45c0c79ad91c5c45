// The link-prediction task: train TransE on one split, watch the second, rank the third.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "embeddings/transe/ranking.h"
#include "embeddings/transe/transe.h"
#include "kgwalk/progress.h"
#include "runtime/run_folder.h"

namespace kgwalk::embeddings {

struct LinkPredictionConfig {
  TransEConfig transe;
  int validate_every = 5;        // epochs; 0 = never
  int validation_sample = 2000;  // triples ranked then; 0 = the whole split
  double checkpoint_every_s = 60;
  template <class F>
  void fields(F& f) {
    f("transe", transe, "model and training");
    f("validate_every", validate_every, "epochs between validations; 0 = never").range(0, 1e6);
    f("validation_sample", validation_sample, "validation triples ranked during training; 0 = all")
        .range(0, 1e9);
    f("checkpoint_every_s", checkpoint_every_s, "seconds between checkpoints (with a run folder)")
        .range(1, 1e6);
  }
};

struct LinkPredictionReport {
  RankReport valid, test;        // the whole splits, filtered by all three
  std::vector<Json> history;     // a row a validation: epoch, loss, mrr, hits@10, seconds
  double train_seconds = 0;      // wall, validation not counted
  double train_cpu_seconds = 0;  // processor time of all threads, likewise
  double rank_seconds = 0;       // ranking of both whole splits
  double seconds = 0;            // everything after loading
  std::int64_t num_entities = 0, num_relations = 0;
  [[nodiscard]] Json to_json() const;
};

/// With `run` (may be null) the training is checkpointed there under checkpoints/last and resumed from it,
/// and metrics.jsonl, results.json and a learning curve are written. On `stop` it saves and throws
/// Interrupted, without `run` Stopped.
[[nodiscard]] LinkPredictionReport run_link_prediction(const LinkPredictionConfig& config,
                                                       const LinkDataset& data, const RunFolder* run,
                                                       Reporter& reporter = silent_reporter(),
                                                       const StopFlag& stop = never_stop());

}  // namespace kgwalk::embeddings
