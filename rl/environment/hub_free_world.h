// The graph without its largest hubs and exact distances in it, by which routes around hubs are learned. The
// ids are those of the whole graph. Torch-free.
#pragma once

#include "graph/hubs.h"
#include "kgwalk/distances.h"

namespace kgwalk::rl {

struct HubFreeWorld {
  graph::KnowledgeGraph graph;
  graph::DistanceIndex index;
  // Some seconds for 100,000 entities.
  HubFreeWorld(const graph::KnowledgeGraph& whole, const graph::Hubs& hubs,
               Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop())
      : graph(graph::without_hubs(whole, hubs)), index(graph::DistanceIndex::build(graph, reporter, stop)) {}
};

}  // namespace kgwalk::rl
