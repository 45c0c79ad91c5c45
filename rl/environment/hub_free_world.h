// The graph without its largest hubs and exact distances in it, by which routes around hubs are learned. The
// ids are those of the whole graph. Torch-free.
#pragma once

#include "graph/hubs.h"
#include "kgwalk/distances.h"

namespace kgwalk::rl {

struct HubFreeWorld {
  graph::KnowledgeGraph graph;
  graph::GoalRows distances;
  HubFreeWorld(const graph::KnowledgeGraph& whole, const graph::Hubs& hubs,
               const graph::GoalRowsOptions& rows = {})
      : graph(graph::without_hubs(whole, hubs)), distances(graph, rows) {}
};

}  // namespace kgwalk::rl
