// What a training must remember between two updates, besides weights, moments and generator states.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/config.h"

namespace kgwalk {

// Means by weight of the numbers of several batches.
class RunningMeans {
 public:
  void add(const std::string& name, double value, double weight);
  [[nodiscard]] Json means() const;  // in order of name
  void clear() { sums_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return sums_.empty(); }
  [[nodiscard]] Json to_json() const;
  void from_json(const Json& json);

 private:
  struct Sum {
    double value = 0;
    double weight = 0;
  };
  std::map<std::string, Sum> sums_;
};

// The state between two updates; written to state.json of the checkpoint `last`.
struct TrainingState {
  std::uint64_t seed = 0;
  std::int64_t step = 0;               // finished updates
  int epoch = 0;                       // the epoch in progress
  std::int64_t next_batch = 0;         // of that epoch
  std::int64_t batches = 0;            // of that epoch
  std::int64_t total_steps = 0;        // length of the schedule
  std::vector<std::uint64_t> shuffle;  // state of the shuffling generator at the start of the epoch
  bool evaluation_due = false;         // the stop came between an update and its evaluation
  std::int64_t evaluated_step = -1;    // of the last evaluation
  bool finished = false;
  std::optional<double> best_score;
  std::int64_t best_step = 0;
  Json best_metrics = Json::object();
  int since_best = 0;  // evaluations without improvement
  int since_cut = 0;   // the same since the last cut of the learning rate
  int plateau_cuts = 0;
  double seconds = 0;
  double processor_seconds = 0;
  RunningMeans window;  // of the metrics row that is being filled
  std::int64_t window_updates = 0;

  [[nodiscard]] Json to_json() const;
  // FormatError naming `source` when a field is missing or of another type.
  static TrainingState from_json(const Json& json, const std::string& source);
};

}  // namespace kgwalk
