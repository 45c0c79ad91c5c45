// The out-edges of an entity by one relation.
#pragma once

#include <algorithm>
#include <span>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::forms {

// Tails ascending; rows are sorted by (relation, tail).
[[nodiscard]] inline std::span<const graph::Edge> row(const graph::KnowledgeGraph& graph,
                                                      graph::EntityId entity,
                                                      graph::RelationId relation) noexcept {
  const std::span<const graph::Edge> edges = graph.out_edges(entity);
  const auto by_relation = [](const graph::Edge& edge, graph::RelationId r) { return edge.relation < r; };
  const auto begin = std::lower_bound(edges.begin(), edges.end(), relation, by_relation);
  if (begin == edges.end() || begin->relation != relation) return {};
  const auto end = std::lower_bound(begin, edges.end(), relation + 1, by_relation);
  return {begin, end};
}

}  // namespace kgwalk::forms
