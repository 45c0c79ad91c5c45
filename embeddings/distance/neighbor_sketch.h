// A vector an entity that tells how many neighbors two entities share: a random projection of the graph's
// adjacency (Chen et al., Fast and Accurate Network Embeddings via Very Sparse Random Projection, CIKM 2019,
// first power of the adjacency). Distance factors lose what is near; this keeps nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "embeddings/vectors/matrix.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::embeddings {

/// s(a) = sum over the distinct neighbors x of a of z(x) / sqrt(deg x), z random signs / sqrt(width). Hence
/// s(a) . s(b) is, in the mean, the sum of 1 / deg x over the neighbors that a and b share (the resource
/// allocation index), with a deviation of about |s(a)| |s(b)| / sqrt(width). Immutable, thread-safe.
class NeighborSketch {
 public:
  static constexpr int kWidth = 256;

  /// 4 kWidth bytes an entity with an edge; uses all threads of kgwalk/threads.h, the same for any number.
  explicit NeighborSketch(const graph::KnowledgeGraph& graph, std::uint64_t seed = 1);

  /// s(a) / |s(a)|, [kWidth]; zeros for an entity without neighbors.
  [[nodiscard]] std::span<const float> direction(graph::EntityId a) const;
  /// |s(a)|.
  [[nodiscard]] float norm(graph::EntityId a) const { return a < norms_.size() ? norms_[a] : 0; }
  /// The cosine of s(a) and z(b): 0 with a deviation of 1 / sqrt(kWidth) where b is no neighbor of a, and
  /// the larger the rarer b is among a's neighbors where it is one. 0 for an entity without neighbors.
  [[nodiscard]] float adjacency(graph::EntityId a, graph::EntityId b) const;
  /// Column `i` of z(b) times sqrt(kWidth): 1 or -1. b has an edge.
  [[nodiscard]] float sign(graph::EntityId b, int i) const {
    return (signs_[b][static_cast<std::size_t>(i / kLane)] >> (i % kLane) & 1) != 0 ? -1.0F : 1.0F;
  }

 private:
  using Signs = std::array<std::uint16_t, kWidth / kLane>;  // of z: a bit a column

  Matrix rows_;  // [num_connected, kWidth], length one
  std::vector<float> norms_;
  std::vector<Signs> signs_;
};

}  // namespace kgwalk::embeddings
