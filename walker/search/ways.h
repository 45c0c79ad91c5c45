// The ways that were heard: sequences of relations with the probability that they are what is asked for, and
// all that each leads to. An entity is a right answer as likely as one of the ways to it is asked for,
// however many others that way leads to as well. Torch-free.
#pragma once

#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "walker/example.h"
#include "walker/hearing.h"

namespace kgwalk::walker {

struct WaysConfig {
  int max_hops = 2;
  double least = 5e-3;            // what is less likely is not followed, but for the first hop
  std::size_t most_ends = 50000;  // that a way is followed from; more are cut, those of the smallest share
};

// An end of a way: the share of the walks along it that end there when each step is taken evenly, and one of
// them.
struct WayEnd {
  graph::EntityId entity = 0;
  double share = 0;
  ScoredPath path;
};

struct Way {
  std::vector<graph::RelationId> relations;
  double probability = 0;
  std::vector<WayEnd> ends;  // by id; never the start
};

// The likeliest first, their probabilities sum to one; none when the start has no edges. A relation is drawn
// by how well it was heard among those that something reached so far has (from the second hop on stopping is
// one of the choices); no step returns to the start. Hearing is asked once for each way that goes on.
[[nodiscard]] std::vector<Way> ways_heard(const graph::KnowledgeGraph& graph, graph::EntityId start,
                                          const RelationHearing& hearing, const WaysConfig& config);

}  // namespace kgwalk::walker
