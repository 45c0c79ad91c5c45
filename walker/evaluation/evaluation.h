// Evaluation of any walk model on examples with gold paths.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/progress.h"
#include "walker/evaluation/link_ranks.h"
#include "walker/evaluation/path_metrics.h"
#include "walker/model.h"
#include "walker/search/search.h"

namespace kgwalk {
class ShardedWork;
}

namespace kgwalk::walker {

struct EvaluationConfig {
  SearchConfig search;
  int batch = 16;          // examples searched together
  int resamples = 1000;    // of the bootstrap; 0 = no intervals
  std::uint64_t seed = 1;  // of the bootstrap
  // Not null: every candidate start is walked from, each as likely as the others, in place of the gold start.
  const dialogue::EntityLinker* linker = nullptr;
  bool readings = false;  // other readings of path@k and tgt@k too (walker/evaluation/readings.h)
};

struct Evaluation {
  RecallRow all;               // all gold paths
  RecallRow official;          // without gold paths that use a triple known only from an annotation
  RecallRow one_hop, two_hop;  // gold paths of one hop, of more
  // By name, over all gold paths; empty unless asked for. That by the length head is left out where there is
  // none.
  std::vector<std::pair<std::string, RecallRow>> readings;
  std::vector<LinkRank> link_ranks;  // of the gold last entities, one an example
  std::int64_t start_missed = 0;     // gold starts outside the candidate starts
  double seconds = 0;
  EvaluationConfig config;

  // Numbers with everything that must be stated beside them (start rule, fan-out, ties, merging, beam).
  [[nodiscard]] Json to_json(std::string_view split) const;
  // A table for people.
  [[nodiscard]] std::string to_text(std::string_view split) const;
};

// ConfigError when an example has no gold path. Stopped when asked to stop. `work` (borrowed, null = all of
// it is done here) is asked for each batch; of a shard the evaluation comes back without rows.
[[nodiscard]] Evaluation evaluate_paths(const WalkModel& model, std::span<const Example> examples,
                                        const EvaluationConfig& config,
                                        Reporter& reporter = silent_reporter(),
                                        const StopFlag& stop = never_stop(), ShardedWork* work = nullptr);

}  // namespace kgwalk::walker
