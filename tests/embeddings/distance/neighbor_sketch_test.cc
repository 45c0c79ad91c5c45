#include "embeddings/distance/neighbor_sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kgwalk/threads.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {
namespace {

graph::KnowledgeGraph random_graph(int vertices, int edges) {
  Random random(3);
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < edges; ++i)
    triples.push_back({"v" + std::to_string(random.below(static_cast<std::uint64_t>(vertices))),
                       i % 2 ? "r" : "q",
                       "v" + std::to_string(random.below(static_cast<std::uint64_t>(vertices)))});
  const std::vector<std::string> lonely{"nobody"};
  return graph::KnowledgeGraph::from_triples(triples, lonely);
}

// Sum of 1 / degree over the neighbors that both have, by the definition.
double shared_weight(const graph::KnowledgeGraph& graph, graph::EntityId a, graph::EntityId b) {
  double sum = 0;
  for (const graph::EntityId x : graph.neighbors(a)) {
    const auto others = graph.neighbors(b);
    if (std::find(others.begin(), others.end(), x) != others.end())
      sum += 1 / static_cast<double>(graph.neighbors(x).size());
  }
  return sum;
}

// The mean of `tell(sketch, a, b)` over 200 sketches for every pair (a, b), at a * n + b.
template <class Tell>
std::vector<double> mean_of_sketches(const graph::KnowledgeGraph& graph, const Tell& tell) {
  constexpr int kSketches = 200;
  const graph::EntityId n = graph.num_connected();
  std::vector<double> mean(static_cast<std::size_t>(n) * n);
  for (int seed = 0; seed < kSketches; ++seed) {
    const NeighborSketch sketch(graph, static_cast<std::uint64_t>(seed));
    for (graph::EntityId a = 0; a < n; ++a)
      for (graph::EntityId b = 0; b < n; ++b)
        mean[static_cast<std::size_t>(a) * n + b] += tell(sketch, a, b) / kSketches;
  }
  return mean;
}

TEST(NeighborSketch, TellsSharedNeighborsInTheMean) {
  const auto graph = random_graph(24, 60);
  const graph::EntityId n = graph.num_connected();
  const auto found =
      mean_of_sketches(graph, [](const NeighborSketch& sketch, graph::EntityId a, graph::EntityId b) {
        double cosine = 0;
        for (std::size_t i = 0; i < NeighborSketch::kWidth; ++i)
          cosine += static_cast<double>(sketch.direction(a)[i]) * sketch.direction(b)[i];
        return cosine * sketch.norm(a) * sketch.norm(b);
      });
  for (graph::EntityId a = 0; a < n; ++a)
    for (graph::EntityId b = 0; b < n; ++b) {
      const double size = std::sqrt(shared_weight(graph, a, a) * shared_weight(graph, b, b));
      // Five standard deviations of the mean of 200 sketches of 256 columns; of a with itself some more.
      EXPECT_NEAR(found[static_cast<std::size_t>(a) * n + b], shared_weight(graph, a, b), 0.04 * size)
          << a << ' ' << b;
    }
}

TEST(NeighborSketch, TellsNeighborsInTheMean) {
  const auto graph = random_graph(24, 60);
  const graph::EntityId n = graph.num_connected();
  const auto found =
      mean_of_sketches(graph, [](const NeighborSketch& sketch, graph::EntityId a, graph::EntityId b) {
        return static_cast<double>(sketch.adjacency(a, b)) * sketch.norm(a);
      });
  for (graph::EntityId a = 0; a < n; ++a)
    for (graph::EntityId b = 0; b < n; ++b) {
      const auto near = graph.neighbors(a);
      const bool adjacent = std::find(near.begin(), near.end(), b) != near.end();
      const double wanted = adjacent ? 1 / std::sqrt(static_cast<double>(graph.neighbors(b).size())) : 0;
      EXPECT_NEAR(found[static_cast<std::size_t>(a) * n + b], wanted,
                  0.03 * std::sqrt(shared_weight(graph, a, a)))
          << a << ' ' << b;
    }
}

TEST(NeighborSketch, AdjacencyIsTheCosineWithTheSigns) {
  const auto graph = random_graph(24, 60);
  const NeighborSketch sketch(graph);
  for (graph::EntityId a = 0; a < graph.num_connected(); ++a) {
    const graph::EntityId b = (a + 5) % graph.num_connected();
    double cosine = 0;
    for (int i = 0; i < NeighborSketch::kWidth; ++i)
      cosine +=
          static_cast<double>(sketch.direction(a)[static_cast<std::size_t>(i)]) * sketch.sign(b, i) / 16;
    EXPECT_NEAR(cosine, sketch.adjacency(a, b), 1e-6);
  }
}

TEST(NeighborSketch, IsTheSameForAnyNumberOfThreadsAndNothingWithoutEdges) {
  const auto graph = random_graph(60, 200);
  set_num_threads(1);
  const NeighborSketch one(graph);
  set_num_threads(3);
  const NeighborSketch three(graph);
  set_num_threads(1);
  for (graph::EntityId a = 0; a < graph.num_connected(); ++a) {
    EXPECT_TRUE(std::ranges::equal(one.direction(a), three.direction(a)));
    EXPECT_EQ(one.norm(a), three.norm(a));
  }
  const graph::EntityId lonely = *graph.find_entity("nobody");
  EXPECT_EQ(one.norm(lonely), 0);
  EXPECT_TRUE(std::ranges::all_of(one.direction(lonely), [](float x) { return x == 0; }));
}

}  // namespace
}  // namespace kgwalk::embeddings
