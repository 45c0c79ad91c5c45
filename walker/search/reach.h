// Where the relations that were heard lead, summed over all paths: a distribution over ends without a beam.
//
// A state is an entity with the relation that led to it. One relation of all is taken by how well it was heard, and one
// of the entity's edges of it evenly; no step returns to the start. Where the entity lacks the relation the walk is lost
// and not shared among what it has: otherwise the few films without a language would drown those with one (label bias;
// Lafferty et al., "Conditional Random Fields", ICML 2001). Torch-free.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "walker/hearing.h"

namespace kgwalk::walker {

struct ReachConfig {
  int max_hops = 2;
  double least = 1e-5;  // a step that carries less is not taken
};

struct Reached {
  graph::EntityId entity = 0;
  double probability = 0;  // share of all that arrives anywhere
  int hops = 1;            // of most of the paths to it
};

// All entities that are reached from `start`, likeliest first, equal ones by id; their probabilities sum to one, and
// `arrived` (may be null) receives how much of the walk was not lost. Hearing is asked once a hop. Not
// thread-safe beyond what `hearing` is.
[[nodiscard]] std::vector<Reached> reach(const graph::KnowledgeGraph& graph, graph::EntityId start,
                                         const RelationHearing& hearing, const ReachConfig& config,
                                         double* arrived = nullptr);

}  // namespace kgwalk::walker
