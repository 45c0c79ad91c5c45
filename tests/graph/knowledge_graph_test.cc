#include "kgwalk/knowledge_graph.h"

#include <map>
#include <set>
#include <thread>

#include "graph/graph_builder.h"
#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::edge;
using testing::random_triples;

std::string text_of(const KnowledgeGraph& graph, EntityId head, const Edge& e) {
  return std::string(graph.entity_name(head)) + "|" + std::string(graph.relation_name(e.relation)) + "|" +
         std::string(graph.entity_name(e.tail));
}

TEST(KnowledgeGraph, AddsInversesAndKeepsNamesInOrderOfAppearance) {
  const std::vector<NamedTriple> triples = {
      {"Iron Man", "directed_by", "Jon Favreau"},
      {"iron man", "DIRECTED_BY", "Jon Favreau"},  // a duplicate, folded
      {"Jon Favreau", "~directed_by", "Elf"}};
  const KnowledgeGraph graph =
      KnowledgeGraph::from_triples(triples, std::vector<std::string>{"Nobody", "ELF"});
  EXPECT_EQ(graph.num_entities(), 4u);
  EXPECT_EQ(graph.num_connected(), 3u);
  EXPECT_EQ(graph.num_relations(), 2u);
  EXPECT_EQ(graph.num_edges(), 4u);
  EXPECT_EQ(graph.entity_name(0), "Iron Man");
  EXPECT_EQ(graph.entity_name(1), "Jon Favreau");
  EXPECT_EQ(graph.entity_name(2), "Elf");
  EXPECT_EQ(graph.entity_name(3), "Nobody");
  EXPECT_EQ(graph.relation_name(0), "directed_by");
  EXPECT_EQ(graph.relation_name(1), "~directed_by");
  EXPECT_EQ(graph.inverse(0), 1u);
  EXPECT_EQ(graph.inverse(1), 0u);
  EXPECT_TRUE(graph.has_edge({1, 1, 0}));
  EXPECT_TRUE(graph.has_edge({2, 0, 1}));
  EXPECT_FALSE(graph.has_edge({0, 1, 1}));
  EXPECT_TRUE(graph.out_edges(3).empty());
  EXPECT_EQ(graph.find_entity("JON favreau"), 1u);
  EXPECT_EQ(graph.find_relation(" ~Directed_By"), 1u);
  EXPECT_EQ(graph.find_entity("Jon"), std::nullopt);
  EXPECT_EQ(graph.find_entity("\xff"), std::nullopt);
}

TEST(KnowledgeGraph, EqualsASetOfTriplesOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto triples = random_triples(30, 150, seed);
    const KnowledgeGraph graph = KnowledgeGraph::from_triples(triples);
    std::set<std::string> twin;
    for (const NamedTriple& t : triples) {
      twin.insert(t.head + "|" + t.relation + "|" + t.tail);
      twin.insert(t.tail + "|~" + t.relation + "|" + t.head);
    }
    std::set<std::string> edges;
    for (EntityId v = 0; v < graph.num_entities(); ++v) {
      const auto row = graph.out_edges(v);
      EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
      std::set<EntityId> neighbors;
      for (const Edge& e : row) {
        EXPECT_TRUE(edges.insert(text_of(graph, v, e)).second);
        EXPECT_TRUE(graph.has_edge({e.tail, graph.inverse(e.relation), v}));
        if (e.tail != v) neighbors.insert(e.tail);
      }
      EXPECT_TRUE(std::equal(neighbors.begin(), neighbors.end(), graph.neighbors(v).begin(),
                             graph.neighbors(v).end()));
    }
    EXPECT_EQ(edges, twin);
  }
}

TEST(KnowledgeGraph, KeepsSelfLoopsAsEdgesAndOutOfNeighbors) {
  GraphBuilder builder;
  const EntityId v = builder.entity("a");
  builder.add({v, builder.relation("like"), v});
  const KnowledgeGraph graph = builder.build();
  EXPECT_EQ(graph.num_edges(), 2u);  // like and ~like
  EXPECT_EQ(builder.counts().self_loops, 2u);
  EXPECT_TRUE(graph.neighbors(0).empty());
  EXPECT_EQ(graph.num_connected(), 1u);
}

TEST(KnowledgeGraph, FindsNamesThatDifferOnlyInSpaces) {
  const std::vector<NamedTriple> triples = {
      {"John  Williams", "r", "x"}, {"John Williams", "r", "x"}, {"A   B", "r", "x"}};
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(triples);
  EXPECT_EQ(graph.num_entities(), 4u);
  EXPECT_EQ(graph.find_entity("john  williams"), 0u);
  EXPECT_EQ(graph.find_entity("john williams"), 2u);
  EXPECT_EQ(graph.find_entity("john    williams"), 2u);  // nobody's own spelling: the one with single spaces
  EXPECT_EQ(graph.find_entity("a b"), 3u);
}

TEST(GraphBuilder, CountsDuplicatesAndAddedInverses) {
  GraphBuilder builder;
  const EntityId a = builder.entity("a"), b = builder.entity("b"), c = builder.entity("c");
  const RelationId r = builder.relation("r"), inverse = builder.relation("~r");
  builder.add({a, r, b});
  builder.add({a, r, b});
  builder.add({b, inverse, a});  // the inverse itself: neither duplicate nor added
  builder.add({a, r, c});
  EXPECT_TRUE(builder.mark_annotation_only({a, r, c}));
  EXPECT_FALSE(builder.mark_annotation_only({b, r, c}));
  const KnowledgeGraph graph = builder.build();
  EXPECT_EQ(builder.counts().duplicates, 1u);
  EXPECT_EQ(builder.counts().added_inverses, 1u);
  EXPECT_EQ(graph.num_edges(), 4u);
  EXPECT_TRUE(graph.annotation_only({a, r, c}));
  EXPECT_FALSE(graph.annotation_only({c, inverse, a}));  // marks go by triple
  EXPECT_FALSE(graph.annotation_only({a, r, b}));
  EXPECT_FALSE(graph.annotation_only({b, r, c}));
}

TEST(GraphBuilder, RefusesNamesThatCannotBeUsed) {
  GraphBuilder builder;
  EXPECT_THROW(builder.entity(""), ConfigError);
  EXPECT_THROW(builder.entity(" \t"), ConfigError);
  EXPECT_THROW(builder.entity("a\xff"), ConfigError);
  EXPECT_THROW(builder.relation("~"), ConfigError);
  builder.allow_empty_entity();
  EXPECT_EQ(builder.entity(""), 0u);
  EXPECT_THROW(builder.relation(""), ConfigError);
}

TEST(GraphBuilder, RefusesAnIsolatedNameBeforeAConnectedOne) {
  GraphBuilder builder;
  builder.entity("nobody");
  const EntityId a = builder.entity("a");
  builder.add({a, builder.relation("r"), a});
  EXPECT_THROW((void)builder.build(), ConfigError);
}

TEST(KnowledgeGraph, ChecksumTellsGraphsApart) {
  const std::vector<NamedTriple> one = {edge(1, 2)}, same = {edge(1, 2)}, other = {edge(1, 3)},
                                 renamed = {edge(1, 2, "s")};
  const std::string sum = KnowledgeGraph::from_triples(one).checksum();
  EXPECT_EQ(sum.size(), 32u);
  EXPECT_EQ(KnowledgeGraph::from_triples(same).checksum(), sum);
  EXPECT_NE(KnowledgeGraph::from_triples(other).checksum(), sum);
  EXPECT_NE(KnowledgeGraph::from_triples(renamed).checksum(), sum);
}

TEST(KnowledgeGraph, MayBeEmpty) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples({});
  EXPECT_EQ(graph.num_entities(), 0u);
  EXPECT_EQ(graph.find_entity("x"), std::nullopt);
  EXPECT_TRUE(graph.suggest_entities("x").empty());
}

TEST(KnowledgeGraph, SuggestsNames) {
  const std::vector<NamedTriple> triples = {{"Iron Man", "directed_by", "Jon Favreau"}};
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(triples);
  EXPECT_EQ(graph.suggest_entities("Iron Mann"), (std::vector<std::string>{"Iron Man"}));
  EXPECT_EQ(graph.suggest_relations("directed by", 1), (std::vector<std::string>{"directed_by"}));
}

TEST(KnowledgeGraph, IsReadByManyThreads) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(200, 2000, 3));
  std::vector<std::uint64_t> sums(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sums.size(); ++i)
    threads.emplace_back([&, i] {
      for (EntityId v = 0; v < graph.num_entities(); ++v) {
        sums[i] += *graph.find_entity(graph.entity_name(v));
        for (const Edge& e : graph.out_edges(v)) sums[i] += e.tail;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace
}  // namespace kgwalk::graph
