// The largest hubs of a graph: entities that so many facts name (countries, languages, professions) that a
// way through one of them says little of either end.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

inline constexpr std::size_t kLargestHubs = 20;  // that figures are told of

// Immutable and thread-safe.
class Hubs {
 public:
  // The `count` entities with the most out-edges, inverses included; of equal ones those of lower ids. All
  // connected ones where there are fewer.
  explicit Hubs(const KnowledgeGraph& graph, std::size_t count = kLargestHubs);

  [[nodiscard]] std::span<const EntityId> list() const { return list_; }  // the largest first
  [[nodiscard]] bool contains(EntityId entity) const { return entity < is_hub_.size() && is_hub_[entity]; }

 private:
  std::vector<EntityId> list_;
  std::vector<bool> is_hub_;  // [num_connected]
};

// The graph without the edges at `hubs`, for distances that no hub shortens: the same ids below
// num_connected(), one relation in place of all, and a loop at each entity, so that each of them stays
// connected.
[[nodiscard]] KnowledgeGraph without_hubs(const KnowledgeGraph& graph, const Hubs& hubs);

}  // namespace kgwalk::graph
