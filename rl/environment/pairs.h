// Pairs of a start and a goal at a chosen distance (thesis 5.4.3, "Success Rate"). Goals are split once and
// for all by a hash of their name, so that goals of an evaluation were never goals of a training. Torch-free.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"
#include "runtime/config.h"
#include "runtime/random.h"

namespace kgwalk::rl {

struct Pair {
  graph::EntityId start = 0, goal = 0;
  graph::Distance distance = 0;  // hops of a shortest path
  friend bool operator==(const Pair&, const Pair&) = default;
};

// Tenths of all entities: eight train, one dev, one test.
enum class GoalSplit { kTrain, kDev, kTest };
[[nodiscard]] GoalSplit goal_split(const graph::KnowledgeGraph& graph, graph::EntityId goal);
[[nodiscard]] std::string_view name_of(GoalSplit split);
// ConfigError for anything but "train", "dev" and "test".
[[nodiscard]] GoalSplit goal_split_named(std::string_view name);

// Pairs for an evaluation: `count` a distance, goals in random order, one start a goal as long as there
// are goals enough.
struct PairSample {
  std::vector<std::vector<Pair>> pairs;  // [distances]; fewer than `count` when the graph has no more
  std::vector<std::int64_t> infeasible;  // [distances] goals looked at that no entity is so far away from
  std::int64_t isolated = 0;             // goals of the split without any edge: nothing reaches them
};
[[nodiscard]] PairSample sample_pairs(const graph::KnowledgeGraph& graph, GoalSplit split,
                                      const std::vector<int>& distances, int count, std::uint64_t seed);

// An endless stream of training pairs, drawn in blocks: one of the distances, each as likely, a random goal
// of the split that something is so far away from (looked for among 65,536 goals at most), a random start at
// it. Distances that no goal has are left out. Not thread-safe.
class PairStream {
 public:
  // ConfigError when no pair of the split has any of the distances.
  PairStream(const graph::KnowledgeGraph& graph, GoalSplit split, std::vector<int> distances,
             std::uint64_t seed);

  [[nodiscard]] Pair next();
  // Everything that decides the pairs to come.
  [[nodiscard]] Json state() const;
  void set_state(const Json& state);

 private:
  struct Choice {
    graph::Distance distance;
    std::vector<graph::EntityId> goals;
  };

  void start(std::uint64_t seed);  // makes choices_
  void refill();

  const graph::KnowledgeGraph& graph_;
  GoalSplit split_;
  std::vector<int> distances_;
  std::uint64_t seed_ = 0;
  std::vector<Choice> choices_;
  Random random_;
  std::vector<Pair> pool_;  // the next one is the last
};

}  // namespace kgwalk::rl
