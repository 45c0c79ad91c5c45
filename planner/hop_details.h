// Where the facts of hops were taken from and what they weigh, as the graph's source gave it.
#pragma once

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan.h"

namespace kgwalk {

// Fills in sources and weight; leaves them where the graph has none.
void add_details(const graph::KnowledgeGraph& graph, const graph::Triple& triple, NamedHop& hop);
void add_details(const graph::KnowledgeGraph& graph, const graph::Triple& triple, PlannedHop& hop);

}  // namespace kgwalk
