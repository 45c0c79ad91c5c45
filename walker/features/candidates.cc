#include "walker/features/candidates.h"

#include <algorithm>

namespace kgwalk::walker {

graph::EntityId entity_of(const PartialPath& path, graph::EntityId start) noexcept {
  return path.num_hops == 0 ? start : path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail;
}

Candidates candidates_of(const graph::KnowledgeGraph& graph, std::span<const graph::EntityId> entities) {
  Candidates c;
  c.offsets.reserve(entities.size() + 1);
  c.offsets.push_back(0);
  for (const graph::EntityId entity : entities) {
    c.entities.push_back(entity);
    c.offsets.push_back(c.offsets.back() + static_cast<std::int64_t>(graph.out_edges(entity).size()) + 1);
  }
  const auto total = static_cast<std::size_t>(c.offsets.back());
  c.relations.resize(total);
  c.tails.resize(total);
  c.states.resize(total);
  for (std::size_t i = 0; i < entities.size(); ++i) {
    auto k = static_cast<std::size_t>(c.offsets[i]);
    for (const graph::Edge& edge : graph.out_edges(entities[i])) {
      c.relations[k] = edge.relation;
      c.tails[k] = edge.tail;
      c.states[k++] = static_cast<std::int32_t>(i);
    }
    c.relations[k] = graph.num_relations();
    c.tails[k] = graph.num_entities();
    c.states[k] = static_cast<std::int32_t>(i);
  }
  return c;
}

std::int64_t place_of(const graph::KnowledgeGraph& graph, graph::EntityId entity,
                      const graph::Edge& edge) noexcept {
  const auto edges = graph.out_edges(entity);
  const auto it = std::lower_bound(edges.begin(), edges.end(), edge);
  return it != edges.end() && *it == edge ? it - edges.begin() : -1;
}

}  // namespace kgwalk::walker
