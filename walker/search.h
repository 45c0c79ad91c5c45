// From a model to ranked paths: beam search over at most `max_hops` hops with eop, and its exhaustive twin.
#pragma once

#include <span>
#include <vector>

#include "runtime/config.h"
#include "walker/model.h"

namespace kgwalk::walker {

struct SearchConfig {
  int beam = 25;
  int max_hops = 2;
  double length_weight = 0;  // paths gain this times the length head's log-probability of their length
  template <class F>
  void fields(F& f) {
    f("beam", beam, "partial paths kept after each hop").range(1, 100000);
    f("max_hops", max_hops, "longest path").range(1, kMaxHops);
    f("length_weight", length_weight, "weight of the length head in the score of a path").range(0, 10);
  }
};

// What a search asked of the model: the partial paths it expanded, hop by hop, and their candidates' scores.
struct SearchTrace {
  std::vector<PartialPath> states;
  CandidateScores scores;  // one segment a state
};

// All paths that the beam finishes for each example: those that eop ended and those of max_hops hops (a walk
// stops there with probability one), best first. Every extension of the beam's survivors by the last hop is
// among them, so that parallel edges can be merged. An example whose start has no out-edge has none. `trace`
// (may be null) receives everything that was scored; every prefix that a found path went on from is there.
[[nodiscard]] std::vector<std::vector<ScoredPath>> beam_paths(const WalkModel& model,
                                                              std::span<const Example> examples,
                                                              const SearchConfig& config,
                                                              SearchTrace* trace = nullptr);

// Every path of one to max_hops hops, scored: the oracle of beam_paths. Cost grows with the fan-out to the
// max_hops.
[[nodiscard]] std::vector<std::vector<ScoredPath>> all_paths(const WalkModel& model,
                                                             std::span<const Example> examples,
                                                             const SearchConfig& config);

}  // namespace kgwalk::walker
