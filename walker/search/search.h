// From a model to ranked paths: beam search over at most `max_hops` hops with eop, and its exhaustive twin.
#pragma once

#include <span>
#include <vector>

#include "walker/config.h"
#include "walker/model.h"

namespace kgwalk::walker {

// What a search asked of the model: the partial paths it expanded, hop by hop, and their candidates' scores.
struct SearchTrace {
  std::vector<PartialPath> states;
  CandidateScores scores;  // one segment a state
};

// A search over examples that are encoded already.
struct PathSearch {
  SearchConfig config;
  std::int64_t most = 0;         // paths wanted of each example, the best ones; 0 = all
  SearchTrace* trace = nullptr;  // receives what was scored
};

// All paths that the beam finishes for each example: those that eop ended and those of max_hops hops (a walk
// stops there with probability one), best first. Every extension of the beam's survivors by the last hop is
// among them, so that parallel edges can be merged. An example whose start has no out-edge has none. `trace`
// (may be null) receives everything that was scored; every prefix that a found path went on from is there.
[[nodiscard]] std::vector<std::vector<ScoredPath>> beam_paths(const WalkModel& model,
                                                              std::span<const Example> examples,
                                                              const SearchConfig& config,
                                                              SearchTrace* trace = nullptr);

// The same of examples that are encoded already; where fewer paths are wanted, those it would give first.
[[nodiscard]] std::vector<std::vector<ScoredPath>> beam_paths(const WalkModel& model,
                                                              std::span<const Example> examples,
                                                              Encoded& encoded, const PathSearch& search);

// Every path of one to max_hops hops, scored: the oracle of beam_paths. Cost grows with the fan-out
// to the max_hops.
[[nodiscard]] std::vector<std::vector<ScoredPath>> all_paths(const WalkModel& model,
                                                             std::span<const Example> examples,
                                                             const SearchConfig& config);

}  // namespace kgwalk::walker
