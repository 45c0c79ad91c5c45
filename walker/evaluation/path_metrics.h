// Recall of gold paths and targets among ranked paths, as OpenDialKG's walkers are compared
// (thesis table 5.1).
//
// path@k: the gold entity sequence is among the k best; paths over parallel edges are one sequence whose
// probability is their sum; a one-hop path counts as padded by a self-loop, so that [a] and [a, a] are the
// same sequence. relation@k: the gold path with its relations is among the k best, nothing merged. tgt@k: the
// gold last entity is among the k best last entities, each ranked by its best (merged) path. Ties take the
// expected rank: 1 + better ones + half of the equal ones. What the search did not reach is a miss.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "runtime/config.h"
#include "walker/example.h"

namespace kgwalk::walker {

inline constexpr std::array<int, 5> kRecallAt{1, 3, 5, 10, 25};
inline constexpr double kUnreached = std::numeric_limits<double>::infinity();

// Expected ranks of the gold path of one example, from 1; kUnreached when the search has not found it.
struct GoldRanks {
  double path = kUnreached;
  double relation = kUnreached;
  double target = kUnreached;
};

// A path with the entity it starts from.
struct StartedPath {
  graph::EntityId start = 0;
  ScoredPath path;
};

// The entities of a path, its start first; kNoEntity stands behind the last, and for the self-loops by which
// shorter paths are padded.
inline constexpr graph::EntityId kNoEntity = std::numeric_limits<graph::EntityId>::max();
using EntitySequence = std::array<graph::EntityId, kMaxHops + 1>;
[[nodiscard]] EntitySequence sequence_of(graph::EntityId start, std::span<const graph::Edge> hops);
[[nodiscard]] graph::EntityId last_of(const EntitySequence& sequence);
struct SequenceProbability {
  EntitySequence sequence;
  double value;
};
// Parallel edges summed; sorted by sequence.
[[nodiscard]] std::vector<SequenceProbability> merge_parallel(std::span<const StartedPath> paths);

// Ranks of `gold` (one hop or more, from `start`) among `paths` (any order). The start belongs to the
// sequence: paths from elsewhere compete, but only their last entity can be right. Equal scores are told
// to 1e-9 relative.
[[nodiscard]] GoldRanks rank_gold(std::span<const StartedPath> paths, graph::EntityId start,
                                  std::span<const graph::Edge> gold);
// The same when all paths start where the gold one does.
[[nodiscard]] GoldRanks rank_gold(std::span<const ScoredPath> paths, std::span<const graph::Edge> gold);

// A recall in percent with its 95 % bootstrap interval.
struct Recall {
  double percent = 0;
  double low = 0;
  double high = 0;
};

struct RecallRow {
  std::int64_t num_paths = 0;
  std::int64_t unreached = 0;  // gold paths outside the search
  std::array<Recall, kRecallAt.size()> path, relation, target;
  [[nodiscard]] Json to_json() const;  // {"paths", "unreached", "path": {"1": [p, low, high], ...}, ...}
};

// `dialogues` (one an example): the bootstrap draws whole dialogues with replacement, since the paths of one
// dialogue are not independent; `resamples` draws from a generator seeded by `seed`.
[[nodiscard]] RecallRow recall(std::span<const GoldRanks> ranks, std::span<const std::uint32_t> dialogues,
                               int resamples = 1000, std::uint64_t seed = 1);

}  // namespace kgwalk::walker
