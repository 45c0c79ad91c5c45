#include "planner/hop_details.h"

#include <algorithm>

#include "kgwalk/graph_details.h"

namespace kgwalk {
namespace {

template <class Hop>
void fill_in(const graph::KnowledgeGraph& graph, const graph::Triple& triple, Hop& hop) {
  const graph::GraphDetails& details = graph::details(graph);
  if (!details.has_sources() && !details.has_weights()) return;
  const auto edge = graph::edge_number(graph, triple);
  if (!edge) return;
  const auto sources = details.sources(*edge);
  hop.sources.assign(sources.begin(), sources.end());
  hop.weight = details.given_weight(*edge);
}

template <class Hop>
std::vector<std::string> gathered(const std::vector<Hop>& hops) {
  std::vector<std::string> all;
  for (const Hop& hop : hops)
    for (const std::string& source : hop.sources)
      if (std::find(all.begin(), all.end(), source) == all.end()) all.push_back(source);
  return all;
}

}  // namespace

void add_details(const graph::KnowledgeGraph& graph, const graph::Triple& triple, NamedHop& hop) {
  fill_in(graph, triple, hop);
}

void add_details(const graph::KnowledgeGraph& graph, const graph::Triple& triple, PlannedHop& hop) {
  fill_in(graph, triple, hop);
}

std::vector<std::string> sources_of(const std::vector<NamedHop>& hops) { return gathered(hops); }
std::vector<std::string> sources_of(const std::vector<PlannedHop>& hops) { return gathered(hops); }

}  // namespace kgwalk
