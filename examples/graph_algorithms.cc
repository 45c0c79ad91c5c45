// Boost's algorithms on a knowledge graph: the components it falls into, and the cheapest way between two
// entities where hops through much-connected entities cost more. graph_algorithms DATABASE FROM TO
#include <algorithm>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/boost_graph.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"

namespace {

using kgwalk::graph::EdgeDescriptor;
using kgwalk::graph::EntityId;
using kgwalk::graph::KnowledgeGraph;

EntityId entity(const KnowledgeGraph& graph, const std::string& name) {
  const std::optional<EntityId> found = graph.find_entity(name);
  if (found) return *found;
  std::string message = "'" + name + "' is not in the graph";
  for (const std::string& near : graph.suggest_entities(name, 1)) message += "; did you mean '" + near + "'?";
  throw kgwalk::ConfigError(message);
}

// Every fact has its inverse, so what the directed graph joins, the undirected one does.
void print_components(const KnowledgeGraph& graph) {
  std::vector<int> component(num_vertices(graph));
  const int count = boost::connected_components(graph, component.data());
  std::vector<std::size_t> sizes(static_cast<std::size_t>(count));
  for (const int c : component) ++sizes[static_cast<std::size_t>(c)];
  std::cout << count << " components, the largest of " << *std::max_element(sizes.begin(), sizes.end())
            << " entities\n";
}

void print_cheapest_path(const KnowledgeGraph& graph, EntityId from, EntityId to) {
  // Into an entity with many edges a hop says little: it costs the logarithm of their number.
  const auto cost = boost::make_function_property_map<EdgeDescriptor>([&](const EdgeDescriptor& edge) {
    return 1.0 + std::log(static_cast<double>(out_degree(target(edge, graph), graph)));
  });
  std::vector<double> distance(num_vertices(graph));
  std::vector<EntityId> predecessor(num_vertices(graph));
  boost::dijkstra_shortest_paths(
      graph, from, boost::weight_map(cost).distance_map(distance.data()).predecessor_map(predecessor.data()));
  if (distance[to] == std::numeric_limits<double>::max()) {
    std::cout << "no path\n";
    return;
  }
  std::string path(graph.entity_name(to));
  for (EntityId at = to; at != from; at = predecessor[at])
    path = std::string(graph.entity_name(predecessor[at])) + " -> " + path;
  std::cout << path << "  (cost " << distance[to] << ")\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "usage: graph_algorithms DATABASE FROM TO\n";
    return 2;
  }
  const auto store = kgwalk::graph::Store::open(argv[1], kgwalk::graph::Store::Mode::kReadOnly);
  const KnowledgeGraph graph = store.load_graph();
  print_components(graph);
  print_cheapest_path(graph, entity(graph, argv[2]), entity(graph, argv[3]));
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
