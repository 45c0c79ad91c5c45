#include "graph/hubs.h"

#include <algorithm>
#include <numeric>

#include "graph/graph_builder.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {

Hubs::Hubs(const KnowledgeGraph& graph, std::size_t count) : is_hub_(graph.num_connected(), false) {
  list_.resize(graph.num_connected());
  std::iota(list_.begin(), list_.end(), EntityId{0});
  const auto middle = list_.begin() + static_cast<std::ptrdiff_t>(std::min(count, list_.size()));
  std::partial_sort(list_.begin(), middle, list_.end(), [&](EntityId a, EntityId b) {
    const std::size_t x = graph.out_edges(a).size(), y = graph.out_edges(b).size();
    return x != y ? x > y : a < b;
  });
  list_.erase(middle, list_.end());
  for (const EntityId hub : list_) is_hub_[hub] = true;
}

KnowledgeGraph without_hubs(const KnowledgeGraph& graph, const Hubs& hubs) {
  GraphBuilder builder;
  builder.allow_empty_entity();
  // Ids follow first appearance, and a loop keeps each entity connected.
  const RelationId is = builder.relation("is"), beside = builder.relation("beside");
  for (EntityId e = 0; e < graph.num_connected(); ++e) {
    if (builder.entity(graph.entity_name(e)) != e)
      throw Error("a graph without its hubs cannot be made: two of its names are the same when folded");
    builder.add({e, is, e});
  }
  for (EntityId e = 0; e < graph.num_connected(); ++e) {
    if (hubs.contains(e)) continue;
    for (const EntityId other : graph.neighbors(e))
      if (other > e && !hubs.contains(other)) builder.add({e, beside, other});
  }
  return builder.build();
}

}  // namespace kgwalk::graph
