#include "kgwalk/boost_graph.h"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <queue>

#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<KnowledgeGraph>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<KnowledgeGraph>));

std::vector<int> naive_hops(const KnowledgeGraph& graph, EntityId from) {
  std::vector<int> hops(graph.num_entities(), -1);
  std::queue<EntityId> queue;
  queue.push(from);
  hops[from] = 0;
  for (; !queue.empty(); queue.pop())
    for (const Edge& e : graph.out_edges(queue.front()))
      if (hops[e.tail] < 0) {
        hops[e.tail] = hops[queue.front()] + 1;
        queue.push(e.tail);
      }
  return hops;
}

TEST(BoostGraph, BreadthFirstSearchRunsUnchanged) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(testing::random_triples(200, 260, 4));
  std::vector<int> hops(num_vertices(graph), -1);
  hops[0] = 0;
  boost::breadth_first_search(
      graph, EntityId{0},
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(hops.data(), boost::on_tree_edge()))));
  EXPECT_EQ(hops, naive_hops(graph, 0));
  EXPECT_NE(std::count(hops.begin(), hops.end(), -1),
            0);  // the graph has a second component: both sides agree there
}

TEST(BoostGraph, DijkstraWithUnitWeightsGivesHopsAndWithRelationWeightsTheCheaperWay) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(testing::random_triples(150, 400, 5));
  const auto unit =
      boost::make_function_property_map<EdgeDescriptor>([](const EdgeDescriptor&) { return 1; });
  std::vector<int> cost(num_vertices(graph));
  boost::dijkstra_shortest_paths(graph, EntityId{3}, boost::weight_map(unit).distance_map(cost.data()));
  const std::vector<int> hops = naive_hops(graph, 3);
  for (EntityId v = 0; v < num_vertices(graph); ++v)
    EXPECT_EQ(cost[v], hops[v] < 0 ? std::numeric_limits<int>::max() : hops[v]);

  const std::vector<NamedTriple> triples = {{"a", "dear", "c"}, {"a", "cheap", "b"}, {"b", "cheap", "c"}};
  const KnowledgeGraph small = KnowledgeGraph::from_triples(triples);
  const auto by_relation = boost::make_function_property_map<EdgeDescriptor>([&](const EdgeDescriptor& e) {
    return small.relation_name(edge_of(e, small).relation).ends_with("dear") ? 5 : 1;
  });
  std::vector<int> price(num_vertices(small));
  boost::dijkstra_shortest_paths(small, *small.find_entity("a"),
                                 boost::weight_map(by_relation).distance_map(price.data()));
  EXPECT_EQ(price[*small.find_entity("c")], 2);
}

TEST(BoostGraph, OutEdgesAreARandomAccessRange) {
  const std::vector<NamedTriple> triples = {{"a", "r", "b"}, {"a", "s", "b"}, {"a", "r", "c"}};
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(triples);
  const auto [first, last] = out_edges(EntityId{0}, graph);
  ASSERT_EQ(last - first, 3);
  EXPECT_EQ(out_degree(0, graph), 3u);
  EXPECT_EQ(source(*first, graph), 0u);
  EXPECT_EQ(target(first[1], graph), graph.out_edges(0)[1].tail);
  EXPECT_FALSE(*first == first[1]);  // parallel edges differ
  const auto [begin, end] = vertices(graph);
  EXPECT_EQ(end - begin, 3);
}

}  // namespace
}  // namespace kgwalk::graph
