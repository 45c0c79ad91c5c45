#include <algorithm>

#include "kgwalk/distances.h"

namespace kgwalk::graph {
namespace {

// The first relation that leads from one entity to its neighbor.
Triple hop_between(const KnowledgeGraph& graph, EntityId from, EntityId to) {
  const auto edges = graph.out_edges(from);
  const auto edge = std::find_if(edges.begin(), edges.end(), [to](const Edge& e) { return e.tail == to; });
  return {from, edge->relation, to};
}

}  // namespace

std::optional<std::vector<Triple>> shortest_path(const KnowledgeGraph& graph, EntityId from, EntityId to) {
  constexpr EntityId kNobody = 0xffffffffu;
  // Searched from the goal, so that parents lead forward.
  std::vector<EntityId> towards(graph.num_entities(), kNobody);
  std::vector<EntityId> queue{to};
  towards[to] = to;
  for (std::size_t i = 0; i < queue.size() && towards[from] == kNobody; ++i)
    for (const EntityId next : graph.neighbors(queue[i]))
      if (towards[next] == kNobody) {
        towards[next] = queue[i];
        queue.push_back(next);
      }
  if (towards[from] == kNobody) return std::nullopt;
  std::vector<Triple> hops;
  for (EntityId v = from; v != to; v = towards[v]) hops.push_back(hop_between(graph, v, towards[v]));
  return hops;
}

}  // namespace kgwalk::graph
