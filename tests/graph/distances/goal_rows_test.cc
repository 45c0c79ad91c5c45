#include <atomic>
#include <thread>

#include <boost/graph/breadth_first_search.hpp>

#include "kgwalk/boost_graph.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "kgwalk/threads.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::edge;
using testing::random_triples;
using testing::TempFolder;

// Boost's breadth-first search; the goal itself has no hop, and ids without edges reach nobody.
std::vector<Distance> boost_distances(const KnowledgeGraph& graph, EntityId goal) {
  std::vector<Distance> hops(graph.num_entities(), kUnreachable);
  hops[goal] = 0;
  boost::breadth_first_search(
      graph, goal,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(hops.data(), boost::on_tree_edge()))));
  return hops;
}

std::size_t wrong_pairs(const KnowledgeGraph& graph, const ExactDistances& distances) {
  std::size_t wrong = 0;
  for (EntityId goal = 0; goal < graph.num_entities(); ++goal) {
    const std::vector<Distance> expected = boost_distances(graph, goal);
    for (EntityId from = 0; from < graph.num_entities(); ++from)
      wrong += distances.distance(from, goal) != expected[from];
  }
  return wrong;
}

void expect_each_pair_equal(const std::vector<NamedTriple>& triples) {
  const KnowledgeGraph graph =
      KnowledgeGraph::from_triples(triples, std::vector<std::string>{"lonely", "alone"});
  EXPECT_EQ(wrong_pairs(graph, GoalRows(graph)), 0u);
  // As few rows as possible, so that each goal drives another out.
  EXPECT_EQ(wrong_pairs(graph, GoalRows(graph, {.max_bytes = 0, .least_rows = 1})), 0u);
  std::vector<EntityId> all(graph.num_entities());
  for (EntityId v = 0; v < all.size(); ++v) all[v] = v;
  const GoalRows together(graph);
  together.prepare(all);
  EXPECT_EQ(together.num_rows(), graph.num_connected());
  EXPECT_EQ(wrong_pairs(graph, together), 0u);
}

TEST(GoalRows, EqualBoostForEveryPair) {
  expect_each_pair_equal(random_triples(70, 35, 1));   // many components
  expect_each_pair_equal(random_triples(90, 90, 2));   // a large one and some small
  expect_each_pair_equal(random_triples(80, 600, 3));  // connected, parallel edges and self-loops
  std::vector<NamedTriple> star, chain;
  for (int i = 1; i < 100; ++i) star.push_back(edge(0, i));
  for (int i = 0; i < 120; ++i) chain.push_back(edge(i, i + 1));
  expect_each_pair_equal(star);
  expect_each_pair_equal(chain);
  expect_each_pair_equal({edge(1, 1), edge(2, 3)});
  expect_each_pair_equal({});
}

TEST(GoalRows, EqualAllOtherRowsOnMoreVerticesThanOneThreadPulls) {
  set_num_threads(2);
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(40000, 160000, 4));
  const std::size_t n = graph.num_connected();
  std::vector<EntityId> sources;
  for (EntityId i = 0; i < 150; ++i) sources.push_back(i * 173);  // by passes of 512 lanes
  const std::vector<Distance> expected = distance_rows(graph, sources);
  for (const std::size_t together : {std::size_t{1}, std::size_t{9}, std::size_t{64}}) {
    const std::vector<Distance> rows = distance_rows(graph, std::span(sources).first(together));
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), expected.begin())) << together;
    EXPECT_EQ(rows.size(), together * n);
  }
  set_num_threads(1);
}

TEST(GoalRows, KeepThoseThatWereUsedLast) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(60, 200, 5));
  const GoalRows rows(graph, {.max_bytes = 0, .least_rows = 3});
  for (EntityId goal = 0; goal < 30; ++goal) (void)rows.distance(40, goal);
  EXPECT_EQ(rows.num_rows(), 3u);
  const EntityId many[] = {1, 2, 3, 4, 5, 6, 7};
  rows.prepare(many);
  EXPECT_EQ(rows.num_rows(), 3u);
  EXPECT_THROW(GoalRows(graph, {.max_bytes = 0, .least_rows = 0}), ConfigError);
}

TEST(GoalRows, AreTheSameForManyThreadsAtOnce) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(random_triples(300, 500, 6));
  const std::size_t n = graph.num_connected();
  std::vector<EntityId> all(n);
  for (EntityId v = 0; v < n; ++v) all[v] = v;
  const std::vector<Distance> expected = distance_rows(graph, all);
  const GoalRows rows(graph, {.max_bytes = 0, .least_rows = 20});
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (int i = 0; i < 3000; ++i) {
        const auto goal = static_cast<EntityId>(random() % 60), from = static_cast<EntityId>(random() % n);
        wrong += rows.distance(from, goal) != expected[goal * n + from];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_LE(rows.num_rows(), 20u);
}

TEST(GoalRows, StopWhenAskedAndRefuseTooLongGraphs) {
  std::vector<NamedTriple> chain;
  for (int i = 0; i < 256; ++i) chain.push_back(edge(i, i + 1));
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(chain);
  const GoalRows rows(graph);
  EXPECT_THROW((void)rows.distance(1, 0), Error);
  EXPECT_EQ(rows.distance(0, 128), 128);
  StopFlag stop;
  stop.request();
  const EntityId goals[] = {100};
  EXPECT_THROW(rows.prepare(goals, stop), Stopped);
  EXPECT_EQ(rows.num_rows(), 1u);
}

TEST(GoalRows, ServeWhereADatabaseHasNoIndex) {
  const TempFolder folder;
  IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder.write("t.txt", "a\tr\tb\nb\tr\tc\n")};
  (void)ingest(options);
  Store store = Store::open(folder / "kg", Store::Mode::kReadWrite);
  const KnowledgeGraph graph = store.load_graph();
  const EntityId a = *graph.find_entity("a"), c = *graph.find_entity("c");
  const auto rows = open_distances(store, graph);
  EXPECT_NE(dynamic_cast<const GoalRows*>(rows.get()), nullptr);
  EXPECT_EQ(rows->distance(a, c), 2);
  DistanceIndex::build(graph).save(store);
  const auto index = open_distances(store, graph);
  EXPECT_NE(dynamic_cast<const DistanceIndex*>(index.get()), nullptr);
  EXPECT_EQ(index->distance(a, c), 2);
}

}  // namespace
}  // namespace kgwalk::graph
