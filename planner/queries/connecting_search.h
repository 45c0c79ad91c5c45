// Paths between two entities in the order in which the walker would walk them: a beam search hop by hop that
// drops what can no longer arrive in time. Torch-free.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kgwalk/distances.h"
#include "kgwalk/plan.h"
#include "planner/planner_core.h"

namespace kgwalk {

struct WalkedPath {
  std::vector<graph::Triple> hops;
  double log_prob = 0;
};

class ConnectingSearch {
 public:
  // The planner is borrowed. `history` as in PlanRequest.
  ConnectingSearch(const PlannerCore& planner, graph::EntityId from, graph::EntityId to,
                   std::span<const Utterance> history);
  // Hops of a shortest path; nullopt when none joins the two.
  [[nodiscard]] std::optional<int> distance() const;
  // Paths of at most `longest` hops without an entity twice, likeliest first, at most `beam`. `beam` partial
  // paths are kept after each hop.
  [[nodiscard]] std::vector<WalkedPath> paths(int longest, std::size_t beam) const;

 private:
  [[nodiscard]] int hops_left(graph::EntityId entity) const;
  [[nodiscard]] walker::Example situation(const WalkedPath& path) const;
  [[nodiscard]] bool visits(const WalkedPath& path, graph::EntityId entity) const;
  [[nodiscard]] std::vector<WalkedPath> extended(const std::vector<WalkedPath>& paths, int left) const;

  const PlannerCore& planner_;
  graph::EntityId from_, to_;
  walker::Example begin_;
};

}  // namespace kgwalk
