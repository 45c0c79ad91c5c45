// Success rates of walks to goals, and how natural the stage-1 walker finds them beside
// shortest paths. Torch-free.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/hubs.h"
#include "rl/environment/walks.h"
#include "seq2seq/metrics/bootstrap.h"

namespace kgwalk::rl {

// Walks whose pairs have the same distance d (thesis table 5.2).
// Turns in which a question was answered are allowed beside the hops.
struct SuccessRow {
  // Sums over one walk: log-probability by the stage-1 walker, hops and those of them that enter a hub.
  struct Hops {
    double log_prob = 0;
    std::int64_t number = 0;
    std::int64_t into_hubs = 0;
    std::int64_t walks = 1;
    Hops& operator+=(const Hops& other);
    [[nodiscard]] double total() const { return walks == 0 ? 0 : log_prob / static_cast<double>(walks); }
    [[nodiscard]] double hub_share() const {
      return number == 0 ? 0 : 100 * static_cast<double>(into_hubs) / static_cast<double>(number);
    }
    [[nodiscard]] double mean() const { return number == 0 ? 0 : log_prob / static_cast<double>(number); }
  };
  // Walks to one goal; those of the same goal are not independent.
  struct OfGoal {
    std::int64_t pairs = 0;
    std::int64_t within[4] = {0, 0, 0, 0};
    OfGoal& operator+=(const OfGoal& other);
  };
  int distance = 0;
  std::int64_t pairs = 0, infeasible = 0;
  std::int64_t within[4] = {0, 0, 0, 0};  // d, d + 2, 2 d, 2 d + extra hops
  int extra = 0;
  std::int64_t twice = 0;  // walks that stand on an entity twice
  double turn_ratio = 0;   // mean of hops over the shortest possible, of walks that reached the goal
  double log_prob = 0;     // mean stage-1 log-probability of a hop
  std::int64_t asked = 0, heard = 0, answered = 0;  // questions on the way; heard as such; answered rightly
  std::vector<Hops> walked, shortest;  // pair by pair; `shortest` is empty when it was not asked for
  std::vector<OfGoal> goals;           // goal by goal
  bool hubs_known = false,
       natural_known = false;  // without a stage-1 walker nothing is told of log-probabilities
  [[nodiscard]] Hops sum_walked() const;
  [[nodiscard]] Hops sum_shortest() const;
  [[nodiscard]] Json to_json() const;  // in percent, with Wilson's 95 % intervals
};

// What a row is made of beside the walks; all borrowed.
struct SuccessContext {
  std::int64_t infeasible = 0;
  std::span<const Walk> shortest =
      {};  // shortest paths between the pairs of the walks, in their order, or none
  const graph::Hubs* hubs = nullptr;
  int extra = 0;         // hops that were allowed beyond twice the distance
  bool natural = false;  // log-probabilities of the walks are those of a stage-1 walker
};
[[nodiscard]] SuccessRow success_row(int distance, std::span<const Walk> walks,
                                     const SuccessContext& context = {});

// Mean log-probability of a hop of the walks of all rows, less that of the shortest paths between the same
// pairs, with its paired bootstrap interval; none without shortest paths.
[[nodiscard]] std::optional<seq2seq::BootstrapInterval> over_shortest(std::span<const SuccessRow> rows);

[[nodiscard]] std::string success_table(std::span<const SuccessRow> rows);
// "the 20 largest hubs: A, B, ...", a line.
[[nodiscard]] std::string hubs_text(const graph::KnowledgeGraph& graph, const graph::Hubs& hubs);
[[nodiscard]] Json hubs_json(const graph::KnowledgeGraph& graph, const graph::Hubs& hubs);

}  // namespace kgwalk::rl
