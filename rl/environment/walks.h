// Walks towards goals without learning: whole episodes under any way of choosing hops, and how natural the
// stage-1 walker finds them. Torch-free.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kgwalk/progress.h"
#include "rl/environment/environment.h"
#include "rl/environment/pairs.h"
#include "walker/model.h"

namespace kgwalk::rl {

// One hop for each situation, out-edges of where it stands.
using Chooser = std::function<std::vector<graph::Edge>(std::span<const walker::Example* const>)>;

// The most probable hop; never stops, never looks further than its candidates. `model` is borrowed.
[[nodiscard]] Chooser greedy(const walker::WalkModel& model);
// A shortest path, each next hop drawn evenly among the edges that come nearer: what search would
// do. All borrowed.
[[nodiscard]] Chooser shortest(const graph::KnowledgeGraph& graph, const graph::DistanceIndex& index,
                               Random& random);

// A shortest path again, each next hop the one that `model`, with the goal hidden, finds most probable among
// the edges that come nearer: how natural a walk can be that wastes no hop. All borrowed.
[[nodiscard]] Chooser natural_shortest(const walker::WalkModel& model, const graph::DistanceIndex& index);

// Log-probability of each hop by `model` in that situation with the goal hidden, among the out-edges alone.
[[nodiscard]] std::vector<float> hop_log_probs(const walker::WalkModel& model,
                                               std::span<const walker::Example* const> situations,
                                               std::span<const graph::Edge> hops);

struct Walk {
  Episode episode;
  double log_prob = 0;  // sum over its hops, by the stage-1 walker; 0 without one
  [[nodiscard]] bool reached() const { return episode.distance == 0; }
};

struct WalkConfig {
  double budget = 2;  // hops allowed: budget times the distance, at least the distance and `slack`
  int slack = 2;
  int batch = 64;  // episodes at once
};

// A walk for each pair, in order. `stage1` may be null. Stopped when asked to stop.
[[nodiscard]] std::vector<Walk> walk_pairs(std::span<const Pair> pairs, const Chooser& choose,
                                           const UserVoice& user, const graph::DistanceIndex& index,
                                           const walker::WalkModel* stage1, const WalkConfig& config,
                                           std::uint64_t seed, Reporter& reporter = silent_reporter(),
                                           const StopFlag& stop = never_stop());

}  // namespace kgwalk::rl
