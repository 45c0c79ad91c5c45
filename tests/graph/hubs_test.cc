// The largest hubs, and the graph without the ways through them.
#include "graph/hubs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kgwalk/distances.h"

namespace kgwalk::graph {
namespace {

// A row of ten films; a country that all of them name, and a genre that half of them do.
KnowledgeGraph films() {
  std::vector<NamedTriple> triples;
  for (int i = 0; i < 10; ++i) {
    const std::string film = "Film " + std::to_string(i);
    if (i < 9) triples.push_back({film, "sequel", "Film " + std::to_string(i + 1)});
    triples.push_back({film, "country", "Country"});
    if (i % 2 == 0) triples.push_back({film, "genre", "Genre"});
  }
  return KnowledgeGraph::from_triples(triples);
}

TEST(Hubs, AreTheEntitiesOfMostEdgesLargestFirst) {
  const KnowledgeGraph graph = films();
  const Hubs hubs(graph, 2);
  ASSERT_EQ(hubs.list().size(), 2U);
  EXPECT_EQ(graph.entity_name(hubs.list()[0]), "Country");
  EXPECT_EQ(graph.entity_name(hubs.list()[1]), "Genre");
  EXPECT_TRUE(hubs.contains(*graph.find_entity("Country")));
  EXPECT_FALSE(hubs.contains(*graph.find_entity("Film 3")));
  EXPECT_FALSE(hubs.contains(1000000)) << "ids beyond the graph are nobody's";
  EXPECT_TRUE(Hubs(graph, 0).list().empty());
  EXPECT_EQ(Hubs(graph, 99).list().size(), graph.num_connected());
}

TEST(Hubs, WithoutThemWaysAreLongerAndIdsTheSame) {
  const KnowledgeGraph graph = films(), thin = without_hubs(graph, Hubs(graph, 2));
  ASSERT_EQ(thin.num_connected(), graph.num_connected());
  for (EntityId e = 0; e < graph.num_connected(); ++e) EXPECT_EQ(thin.entity_name(e), graph.entity_name(e));
  const EntityId a = *graph.find_entity("Film 0"), b = *graph.find_entity("Film 9"),
                 hub = *graph.find_entity("Country");
  EXPECT_EQ(DistanceIndex::build(graph).distance(a, b), 2);
  const DistanceIndex index = DistanceIndex::build(thin);
  EXPECT_EQ(index.distance(a, b), 9);
  EXPECT_EQ(index.distance(a, hub), kUnreachable);
}

}  // namespace
}  // namespace kgwalk::graph
