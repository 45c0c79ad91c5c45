// Planning on ids, for the planner's own sources: names are resolved where a request comes in and written where an
// answer goes out, not at every hop between.
#pragma once

#include "kgwalk/graph_types.h"
#include "kgwalk/plan.h"
#include "kgwalk/planner.h"
#include "walker/example.h"

namespace kgwalk {

// Of a search, as in PlanRequest.
struct PlanLimits {
  int k = 5, beam = 25, max_hops = 2;
};

// A hop chosen: what was weighed, and the most probable edge of it.
struct WeighedHop {
  PlanBranch branch;
  graph::Edge edge{};
};

// The request that a situation is: names in place of ids.
[[nodiscard]] PlanRequest request_of(const graph::KnowledgeGraph& graph, const walker::Example& situation);

// What Planner offers on ids. Situations are taken as they are: ids must be the graph's.
struct PlanAccess {
  // As Planner::explain(): the goal of the situation is told and, by a walker of stage 2, headed for.
  [[nodiscard]] static Plan explain(const Planner& planner, const walker::Example& situation,
                                    const PlanLimits& limits);
  // One hop from the situation's start, with its `shown` best candidates. The start must have out-edges.
  [[nodiscard]] static WeighedHop weigh(const Planner& planner, const walker::Example& situation, int shown);
};

}  // namespace kgwalk
