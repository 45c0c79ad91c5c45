// Graphs in memory with what a source may give beside names and edges.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/details.h"
#include "graph/knowledge_graph_impl.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph::testing {

struct DetailedTriple {
  NamedTriple names;
  std::optional<float> weight = {};
  std::string source = {};
};

inline KnowledgeGraph detailed_graph(const std::vector<DetailedTriple>& triples,
                                     const std::vector<std::pair<std::string, std::string>>& aliases = {}) {
  std::vector<NamedTriple> names;
  for (const DetailedTriple& triple : triples) names.push_back(triple.names);
  KnowledgeGraph graph = KnowledgeGraph::from_triples(names);
  DetailsMaker maker(graph);
  for (const auto& [names_of, weight, source] : triples)
    maker.add_fact({*graph.find_entity(names_of.head), *graph.find_relation(names_of.relation),
                    *graph.find_entity(names_of.tail)},
                   weight, source);
  for (const auto& [entity, alias] : aliases) maker.add_alias(*graph.find_entity(entity), alias);
  GraphAccess::set_details(graph, maker.bytes());
  return graph;
}

}  // namespace kgwalk::graph::testing
