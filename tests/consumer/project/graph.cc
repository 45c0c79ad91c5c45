// Builds a graph of three facts through the installed headers and library, and checks what it holds.
#include <kgwalk/knowledge_graph.h>

#include <iostream>
#include <vector>

int main() {
  using kgwalk::graph::KnowledgeGraph;
  const std::vector<kgwalk::graph::NamedTriple> facts = {{"Rocky", "starred_actors", "Sylvester Stallone"},
                                                         {"Rocky", "Subject", "Boxing"},
                                                         {"Ali", "Subject", "Boxing"}};
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(facts);
  if (graph.num_entities() != 4 || graph.num_edges() != 6 || graph.num_relations() != 4) {
    std::cerr << "unexpected counts: " << graph.num_entities() << " entities, " << graph.num_edges()
              << " edges, " << graph.num_relations() << " relations\n";
    return 1;
  }
  const auto boxing = graph.find_entity("boxing");
  if (!boxing || graph.neighbors(*boxing).size() != 2) {
    std::cerr << "boxing should have two neighbors\n";
    return 1;
  }
  for (const auto& edge : graph.out_edges(*boxing)) {
    std::cout << graph.entity_name(*boxing) << " -" << graph.relation_name(edge.relation) << "-> "
              << graph.entity_name(edge.tail) << '\n';
  }
  return 0;
}
