// What kind of thing an entity is, read off the relations that leave it: a sparse unit vector over the
// commonest relations (rare ones weigh more), flags of the very commonest, and sets of neighbors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::walker {

// Immutable and thread-safe.
class GraphProfiles {
 public:
  static constexpr std::size_t kWidth = 200;  // relations of a profile
  GraphProfiles(const graph::KnowledgeGraph& graph, int num_flags);

  // The profile as kWidth numbers of length one (zeros when no common relation leaves the entity).
  [[nodiscard]] std::vector<float> dense(graph::EntityId entity) const;
  // Cosine of an entity's profile with a dense one.
  [[nodiscard]] float cosine(graph::EntityId entity, std::span<const float> dense) const;
  // Bit i: the entity has an out-edge of the i-th commonest relation, i < num_flags.
  [[nodiscard]] std::uint32_t flags(graph::EntityId entity) const { return flags_[entity]; }

  // Bits of all neighbors of the entities given.
  [[nodiscard]] std::vector<std::uint64_t> neighborhood(std::span<const graph::EntityId> entities) const;
  // Sum of 1 / log(2 + degree) over the neighbors of `entity` that are in `set`, `without`
  // left out (Adamic-Adar).
  [[nodiscard]] float shared(graph::EntityId entity, std::span<const std::uint64_t> set,
                             graph::EntityId without) const;

 private:
  struct Entry {
    std::uint32_t relation;
    float weight;
  };
  const graph::KnowledgeGraph& graph_;
  std::vector<std::uint32_t> starts_;  // [entities + 1]
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> flags_;
  std::vector<float> rarity_;  // 1 / log(2 + degree)
};

}  // namespace kgwalk::walker
