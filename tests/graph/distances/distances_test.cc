#include "kgwalk/distances.h"

#include <boost/graph/breadth_first_search.hpp>

#include "graph/distances/bit_rows.h"
#include "kgwalk/boost_graph.h"
#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::edge;
using testing::random_triples;

// Boost's breadth-first search from one vertex; edges come with their inverses, so directed hops
// are undirected ones.
std::vector<Distance> boost_row(const KnowledgeGraph& graph, EntityId from) {
  std::vector<Distance> hops(graph.num_entities(), kUnreachable);
  hops[from] = 0;
  boost::breadth_first_search(
      graph, from,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(hops.data(), boost::on_tree_edge()))));
  hops.resize(graph.num_connected());
  return hops;
}

std::vector<Distance> boost_rows(const KnowledgeGraph& graph, std::span<const EntityId> sources) {
  std::vector<Distance> rows;
  for (const EntityId source : sources) {
    const std::vector<Distance> row = boost_row(graph, source);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

std::vector<EntityId> all_connected(const KnowledgeGraph& graph) {
  std::vector<EntityId> ids(graph.num_connected());
  for (EntityId v = 0; v < ids.size(); ++v) ids[v] = v;
  return ids;
}

// All rows, block by block.
std::vector<Distance> streamed(const KnowledgeGraph& graph, std::size_t block) {
  std::vector<Distance> rows;
  EntityId expected = 0;
  for_each_distance_block(graph, block, [&](EntityId first, std::span<const Distance> part) {
    EXPECT_EQ(first, expected);
    EXPECT_LE(part.size(), block * graph.num_connected());
    expected += static_cast<EntityId>(part.size() / graph.num_connected());
    rows.insert(rows.end(), part.begin(), part.end());
  });
  EXPECT_EQ(expected, graph.num_connected());
  return rows;
}

std::vector<std::uint64_t> counted(std::span<const Distance> rows) {
  std::vector<std::uint64_t> counts(256, 0);
  for (const Distance d : rows) ++counts[d];
  counts[0] = 0;
  return counts;
}

void expect_equal_to_boost(const std::vector<NamedTriple>& triples) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(triples, std::vector<std::string>{"lonely"});
  const std::vector<EntityId> sources = all_connected(graph);
  const std::vector<Distance> expected = boost_rows(graph, sources);
  EXPECT_EQ(distance_rows(graph, sources), expected);
  for (const std::size_t block : {std::size_t{7}, std::size_t{512}, std::size_t{100000}})
    EXPECT_EQ(streamed(graph, block), expected) << block;
  EXPECT_EQ(distance_histogram(graph), counted(expected));
}

TEST(BitRows, TransposeIsExact) {
  std::mt19937_64 random(1);
  std::array<Lanes, 64> rows;
  for (Lanes& row : rows)
    for (std::uint64_t& word : row.word) word = random();
  const std::array<Lanes, 64> before = rows;
  transpose_blocks(rows);
  for (std::size_t k = 0; k < kLaneWords; ++k)
    for (std::size_t i = 0; i < 64; ++i)
      for (std::size_t j = 0; j < 64; ++j) ASSERT_EQ(rows[i].word[k] >> j & 1, before[j].word[k] >> i & 1);
}

TEST(BitRows, BytesAreSumsOfPlanesOrAbsent) {
  std::mt19937_64 random(2);
  for (const std::size_t count : {std::size_t{64}, std::size_t{1}, std::size_t{13}, std::size_t{63}}) {
    const std::array<std::uint64_t, 3> planes = {random(), random(), random()};
    const std::uint64_t absent = random() & ~(planes[0] | planes[1] | planes[2]);
    std::vector<std::uint8_t> bytes(66, 77);
    bits_to_bytes(planes, absent, count, bytes.data());
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned sum = (planes[0] >> i & 1) + 2 * (planes[1] >> i & 1) + 4 * (planes[2] >> i & 1);
      ASSERT_EQ(bytes[i], absent >> i & 1 ? 255u : sum);
    }
    for (std::size_t i = count; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], 77);  // nothing behind is touched
  }
}

TEST(Distances, EqualBoostOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const int n = 20 + static_cast<int>(seed) * 15;
    expect_equal_to_boost(random_triples(n, n / 2, seed));        // many components
    expect_equal_to_boost(random_triples(n, n, 100 + seed));      // a large one and some small
    expect_equal_to_boost(random_triples(n, 8 * n, 200 + seed));  // connected, parallel edges and self-loops
  }
}

TEST(Distances, EqualBoostOnMoreSourcesThanOnePassTakes) {
  set_num_threads(2);
  expect_equal_to_boost(random_triples(1500, 2200, 9));
  expect_equal_to_boost(random_triples(1100, 20000, 10));
  set_num_threads(1);
  expect_equal_to_boost(random_triples(1100, 1500, 11));
}

TEST(Distances, EqualBoostOnSpecialShapes) {
  std::vector<NamedTriple> star, chain, ring;
  for (int i = 1; i < 700; ++i) star.push_back(edge(0, i));
  for (int i = 0; i < 200; ++i) chain.push_back(edge(i, i + 1));
  for (int i = 0; i < 333; ++i) ring.push_back(edge(i, (i + 1) % 333));
  expect_equal_to_boost(star);
  expect_equal_to_boost(chain);
  expect_equal_to_boost(ring);
  expect_equal_to_boost({edge(1, 1)});
  expect_equal_to_boost({edge(1, 1), edge(2, 3)});
}

TEST(Distances, ReachFrom254ButRefuseLonger) {
  std::vector<NamedTriple> chain;
  for (int i = 0; i < 254; ++i) chain.push_back(edge(i, i + 1));
  expect_equal_to_boost(chain);
  chain.push_back(edge(254, 255));
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(chain);
  EXPECT_THROW((void)distance_histogram(graph), Error);
  EXPECT_THROW((void)distance_rows(graph, all_connected(graph)), Error);
}

TEST(Distances, OfChosenSourcesMayRepeatAndBeIsolated) {
  const KnowledgeGraph graph =
      KnowledgeGraph::from_triples(random_triples(40, 60, 3), std::vector<std::string>{"lonely"});
  const std::vector<EntityId> sources = {5, 0, 5, *graph.find_entity("lonely")};
  const std::vector<Distance> rows = distance_rows(graph, sources);
  const std::size_t n = graph.num_connected();
  std::vector<Distance> expected = boost_rows(graph, std::span(sources).first(3));
  expected.resize(4 * n, kUnreachable);
  EXPECT_EQ(rows, expected);
  EXPECT_THROW((void)distance_rows(graph, std::vector<EntityId>{graph.num_entities()}), ConfigError);
  EXPECT_TRUE(distance_rows(graph, {}).empty());
}

TEST(Distances, SampledAreExactWithAllSourcesAndNearWithSome) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(900, 1800, 12));
  const std::vector<std::uint64_t> exact = distance_histogram(graph);
  const SampledHistogram all = sample_distances(graph, 100000, 1);
  EXPECT_EQ(all.sources, graph.num_connected());
  for (std::size_t d = 0; d < exact.size(); ++d) {
    EXPECT_NEAR(all.pairs[d], static_cast<double>(exact[d]), 1e-6 * static_cast<double>(exact[d])) << d;
    EXPECT_EQ(all.margin[d], 0) << d;
  }
  // Intervals of 95 % hold what is so in about that share of the samples; distance 5 is a common one.
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const SampledHistogram some = sample_distances(graph, 60, seed);
    held += std::abs(some.pairs[5] - static_cast<double>(exact[5])) <= some.margin[5];
  }
  EXPECT_GE(held, 85);
  EXPECT_LE(held, 99);
  EXPECT_EQ(sample_distances(graph, 60, 7).pairs, sample_distances(graph, 60, 7).pairs);
  EXPECT_THROW((void)sample_distances(graph, 1, 1), ConfigError);
}

TEST(Distances, OfAGraphWithoutEdgesAreNone) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples({}, std::vector<std::string>{"a", "b"});
  EXPECT_TRUE(distance_rows(graph, std::vector<EntityId>{0}).empty());
  EXPECT_EQ(distance_histogram(graph), std::vector<std::uint64_t>(256, 0));
  for_each_distance_block(graph, 10, [](EntityId, std::span<const Distance>) { FAIL(); });
}

TEST(Distances, StopWhenAsked) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(2000, 4000, 3));
  StopFlag stop;
  int blocks = 0;
  const auto visit = [&](EntityId, std::span<const Distance>) {
    ++blocks;
    stop.request();
  };
  EXPECT_THROW(for_each_distance_block(graph, 512, visit, silent_reporter(), stop), Stopped);
  EXPECT_GE(blocks, 1);
  EXPECT_THROW((void)distance_histogram(graph, silent_reporter(), stop), Stopped);
}

}  // namespace
}  // namespace kgwalk::graph
