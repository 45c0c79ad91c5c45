// Link prediction: train embeddings on one file of facts and rank those of another, the usual measure of
// embeddings.
//
// Example:
//   namespace embeddings = kgwalk::embeddings;
//   const auto data = embeddings::LinkDataset::load("train.txt", "valid.txt", "test.txt");
//   embeddings::LinkPredictionConfig config;
//   config.embedding.epochs = 50;
//   const auto report = embeddings::run_link_prediction(config, data, "runs/fb15k237");
//   std::cout << report.test.both.mrr << ' ' << report.test.both.hits10 << '\n';
//
// No database is needed. Training and ranking use all threads of kgwalk/threads.h; ranks do not depend on
// their number.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/embeddings.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::embeddings {

// Three splits over one vocabulary. Ids are given in order of first appearance: train, then valid, then test.
struct LinkDataset {
  std::vector<std::string> entities;   // name of each id
  std::vector<std::string> relations;  // likewise; inverses are not added
  std::vector<Triple> train;
  std::vector<Triple> valid;
  std::vector<Triple> test;

  // Reads lines of `head TAB relation TAB tail`, UTF-8 with or without its mark, LF or CRLF; plain, packed
  // with gzip or zstd, or a pipe. DataError with file and line for a line of any other form, and for a file
  // without triples; IoError when a file cannot be read.
  [[nodiscard]] static LinkDataset load(const std::filesystem::path& train,
                                        const std::filesystem::path& valid,
                                        const std::filesystem::path& test);
  // What may not be meant, with its number, a sentence each: facts more than once or from an entity to
  // itself, facts of test or validation that are trained on, and those with names that training never saw.
  [[nodiscard]] std::vector<std::string> remarks() const;
};

struct LinkPredictionConfig {
  EmbeddingConfig embedding;
  int validate_every = 5;        // epochs; 0 = never
  int validation_sample = 2000;  // triples ranked then; 0 = the whole split
  double checkpoint_every_s = 60;
  template <class F>
  void fields(F& f) {
    f("embedding", embedding, "Model and training.").formerly("transe");
    f("validate_every", validate_every, "Number of epochs between two validations; 0 means never.")
        .range(0, 1e6);
    f("validation_sample", validation_sample,
      "Number of validation triples that are ranked during training; 0 means all.")
        .range(0, 1e9);
    f("checkpoint_every_s", checkpoint_every_s,
      "Seconds between two checkpoints, where there is a run folder.")
        .range(1, 1e6);
  }
};

// Means over ranks, which are filtered: among all entities but the other known answers of the three splits.
// Ties count half.
struct RankMetrics {
  double mean_rank = 0;                     // from 1, the best
  double mrr = 0;                           // mean of 1 / rank
  double hits1 = 0, hits3 = 0, hits10 = 0;  // share of ranks <= k, 0 to 1
  std::int64_t count = 0;                   // ranks
  [[nodiscard]] Json to_json() const;
};

struct RankReport {
  RankMetrics both;  // heads and tails together
  RankMetrics head;  // of the head in (?, r, t)
  RankMetrics tail;  // of the tail in (h, r, ?)
  [[nodiscard]] Json to_json() const;
};

struct LinkPredictionReport {
  RankReport valid, test;        // the whole splits
  std::vector<Json> history;     // a row a validation: step (epoch), loss, valid_mrr, valid_hits@10, seconds
  double train_seconds = 0;      // wall, validation not counted
  double train_cpu_seconds = 0;  // processor time of all threads, likewise
  double rank_seconds = 0;       // ranking of both whole splits
  double seconds = 0;            // everything
  std::int64_t num_entities = 0, num_relations = 0;
  [[nodiscard]] Json to_json() const;
};

// Trains on data.train, watches data.valid, and at the end ranks both ends of every triple of data.valid and
// data.test.
//
// run: folder that gets checkpoints, metrics.jsonl, results.json, a learning curve and test_ranks.tsv (head,
//      relation, tail, head_rank, tail_rank under a header, a line a triple of data.test); a training that
//      was stopped there is resumed. Empty: nothing is kept.
//
// Throws ConfigError (a value out of range, no triples), FormatError (`run` holds something else, another
// configuration or other triples), NumericError (loss or tables are not finite). On `stop`: Interrupted when
// `run` has what is needed to resume, else Stopped.
[[nodiscard]] LinkPredictionReport run_link_prediction(const LinkPredictionConfig& config,
                                                       const LinkDataset& data,
                                                       const std::filesystem::path& run = {},
                                                       Reporter& reporter = silent_reporter(),
                                                       const StopFlag& stop = never_stop());

}  // namespace kgwalk::embeddings
