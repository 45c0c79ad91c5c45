// P5, P6, P7: all pairs, chosen rows, single pairs.
#include <benchmark/benchmark.h>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <map>
#include <numeric>
#include <random>

#include "graph_bench_data.h"
#include "kgwalk/distances.h"
#include "kgwalk/threads.h"

namespace kgwalk::bench {
namespace {

using graph::Distance;
using graph::EntityId;
using graph::KnowledgeGraph;

using BoostGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

// The undirected graph of distinct neighbors, the same that our distances are defined on.
BoostGraph to_boost(const KnowledgeGraph& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (EntityId v = 0; v < graph.num_connected(); ++v)
    for (const EntityId w : graph.neighbors(v)) edges.emplace_back(v, w);
  return BoostGraph(boost::edges_are_sorted, edges.begin(), edges.end(), graph.num_connected());
}

const BoostGraph& boost_of(const KnowledgeGraph& graph) {
  static std::map<const KnowledgeGraph*, BoostGraph> made;
  auto it = made.find(&graph);
  if (it == made.end()) it = made.emplace(&graph, to_boost(graph)).first;
  return it->second;
}

void boost_row(const BoostGraph& graph, std::uint32_t source, Distance* row) {
  std::fill_n(row, num_vertices(graph), graph::kUnreachable);
  row[source] = 0;
  boost::breadth_first_search(
      graph, source,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(row, boost::on_tree_edge()))));
}

void boost_rows(benchmark::State& state, const KnowledgeGraph* graph, std::size_t num_sources) {
  if (!graph) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  const BoostGraph& searched = boost_of(*graph);
  const std::size_t n = graph->num_connected();
  std::vector<Distance> row(n);
  for (auto _ : state)
    for (std::size_t i = 0; i < num_sources; ++i) {
      boost_row(searched, static_cast<std::uint32_t>(i * n / num_sources), row.data());
      benchmark::DoNotOptimize(row.data());
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(num_sources));
}

// Every distance is written to memory, block by block.
void all_rows(benchmark::State& state, const KnowledgeGraph* graph) {
  if (!graph) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  set_num_threads(static_cast<int>(state.range(0)));
  std::uint64_t last = 0;
  for (auto _ : state)
    graph::for_each_distance_block(*graph, 512,
                                   [&](EntityId, std::span<const Distance> rows) { last += rows.back(); });
  benchmark::DoNotOptimize(last);
  state.SetItemsProcessed(state.iterations() * graph->num_connected());
}

void histogram(benchmark::State& state, const KnowledgeGraph* graph) {
  if (!graph) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  set_num_threads(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(graph::distance_histogram(*graph));
  state.SetItemsProcessed(state.iterations() * graph->num_connected());
}

void chosen_rows(benchmark::State& state) {
  set_num_threads(static_cast<int>(state.range(0)));
  const KnowledgeGraph& graph = uniform_graph();
  std::vector<EntityId> sources(512);
  for (std::size_t i = 0; i < sources.size(); ++i)
    sources[i] = static_cast<EntityId>(i * graph.num_connected() / sources.size());
  std::vector<Distance> rows(sources.size() * graph.num_connected());
  for (auto _ : state) {
    graph::distance_rows_into(graph, sources, rows);
    benchmark::DoNotOptimize(rows.data());
  }
  state.SetItemsProcessed(state.iterations() * 512);
}

void P5_fb15k237_boost(benchmark::State& state) { boost_rows(state, fb15k237(), 14541); }
void P5_fb15k237_rows(benchmark::State& state) { all_rows(state, fb15k237()); }
void P5_fb15k237_histogram(benchmark::State& state) { histogram(state, fb15k237()); }
void P5_opendialkg_boost_sample(benchmark::State& state) { boost_rows(state, opendialkg(), 512); }
void P5_opendialkg_rows(benchmark::State& state) { all_rows(state, opendialkg()); }
void P5_opendialkg_histogram(benchmark::State& state) { histogram(state, opendialkg()); }
void P6_uniform_boost(benchmark::State& state) { boost_rows(state, &uniform_graph(), 512); }
void P6_uniform_rows(benchmark::State& state) { chosen_rows(state); }

#define KGWALK_SLOW(name) \
  BENCHMARK(name)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime()
KGWALK_SLOW(P5_fb15k237_boost)->Iterations(1);
KGWALK_SLOW(P5_fb15k237_rows)->ArgName("threads")->Arg(1)->Arg(2);
KGWALK_SLOW(P5_fb15k237_histogram)->ArgName("threads")->Arg(1)->Arg(2);
KGWALK_SLOW(P5_opendialkg_boost_sample)->Iterations(1);
KGWALK_SLOW(P5_opendialkg_rows)->ArgName("threads")->Arg(1)->Arg(2)->Iterations(1);
KGWALK_SLOW(P5_opendialkg_histogram)->ArgName("threads")->Arg(1)->Arg(2)->Iterations(1);
KGWALK_SLOW(P6_uniform_boost)->Iterations(1);
KGWALK_SLOW(P6_uniform_rows)->ArgName("threads")->Arg(1)->Arg(2);

// Random pairs, more than caches hold.
std::vector<std::pair<EntityId, EntityId>> random_pairs(std::uint32_t n, std::size_t count) {
  std::mt19937_64 random(3);
  std::vector<std::pair<EntityId, EntityId>> pairs(count);
  for (auto& [a, b] : pairs) {
    a = static_cast<EntityId>(random() % n);
    b = static_cast<EntityId>(random() % n);
  }
  return pairs;
}

void P7_index_build(benchmark::State& state) {
  if (!opendialkg()) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  std::size_t bytes = 0;
  for (auto _ : state) bytes = graph::DistanceIndex::build(*opendialkg()).size_bytes();
  state.counters["bytes"] = static_cast<double>(bytes);
}

void P7_index_query(benchmark::State& state) {
  if (!opendialkg()) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  const graph::DistanceIndex index = graph::DistanceIndex::build(*opendialkg());
  const auto pairs = random_pairs(opendialkg()->num_connected(), 1 << 20);
  std::size_t i = 0;
  std::uint64_t sum = 0;
  for (auto _ : state) {
    const auto [a, b] = pairs[i++ & (pairs.size() - 1)];
    sum += index.distance(a, b);
  }
  benchmark::DoNotOptimize(sum);
}

// The distances of a vertex's neighbors to one goal, read off the goal's row.
void P7_goal_row(benchmark::State& state) {
  if (!opendialkg()) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  const KnowledgeGraph& graph = *opendialkg();
  const std::vector<Distance> row = graph::distance_rows(graph, std::vector<EntityId>{17});
  const auto pairs = random_pairs(graph.num_connected(), 1 << 16);
  std::size_t i = 0;
  std::uint64_t sum = 0;
  std::int64_t looked_up = 0;
  for (auto _ : state) {
    const std::span<const graph::Edge> edges = graph.out_edges(pairs[i++ & (pairs.size() - 1)].first);
    for (const graph::Edge& edge : edges) sum += row[edge.tail];
    looked_up += static_cast<std::int64_t>(edges.size());
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(looked_up);
}

BENCHMARK(P7_index_build)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(P7_index_query);
BENCHMARK(P7_goal_row);

}  // namespace
}  // namespace kgwalk::bench
