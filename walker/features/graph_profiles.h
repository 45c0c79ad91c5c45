// What kind of thing an entity is, read off the relations that leave it: a sparse unit vector over the
// commonest relations (rare ones weigh more), flags of the very commonest, and sets of neighbors.
#pragma once

#include <array>
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
  // For each of two sets the sum of 1 / log(2 + degree) over the neighbors of `entity` that are in it,
  // `without` left out (Adamic-Adar). `either`: what is in any of them.
  [[nodiscard]] std::array<float, 2> shared(graph::EntityId entity, std::span<const std::uint64_t> either,
                                            const std::array<std::span<const std::uint64_t>, 2>& sets,
                                            graph::EntityId without) const;
  // Ask the processor for what the two above read: first for its places, later for what lies there.
  void fetch_places(graph::EntityId entity) const noexcept {
    __builtin_prefetch(&starts_[entity]);
    __builtin_prefetch(&neighbor_offsets_[entity]);
  }
  void fetch(graph::EntityId entity) const noexcept {
    __builtin_prefetch(entries_.data() + starts_[entity]);
    __builtin_prefetch(neighbors_.data() + neighbor_offsets_[entity]);
  }

 private:
  struct Entry {
    std::uint32_t relation;
    float weight;
  };
  const graph::KnowledgeGraph& graph_;
  std::span<const std::uint64_t> neighbor_offsets_;  // of the graph
  std::span<const graph::EntityId> neighbors_;
  std::vector<std::uint32_t> starts_;  // [entities + 1]
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> flags_;
  std::vector<float> rarity_;  // 1 / log(2 + degree)
};

}  // namespace kgwalk::walker
