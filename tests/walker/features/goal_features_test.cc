// What embeddings say of a candidate and the goal, against formulas written out anew in double precision.
#include "walker/features/goal_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "tests/walker/small_world.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;

constexpr std::int64_t kWidth = 5, kRank = 3, kStride = 11;  // rows lie apart, as columns of a wider table
constexpr double kScale = 0.7;

int column(std::string_view name) {
  const auto it = std::find_if(kGoalFeatures.begin(), kGoalFeatures.end(),
                               [&](const FeatureInfo& feature) { return feature.name == name; });
  return static_cast<int>(it - kGoalFeatures.begin());
}

struct RandomWorld {
  explicit RandomWorld(std::uint64_t seed, bool exact = false) : graph(testing::random_graph(seed, 14, 34)) {
    Random random(seed);
    const auto fill = [&](std::vector<float>& table, std::size_t rows) {
      table.resize(rows * kStride);
      for (float& x : table) x = static_cast<float>(random.normal());
    };
    fill(entities, graph->num_entities());
    fill(relations, graph->num_relations());
    fill(right, graph->num_entities());
    const auto rows = static_cast<std::int64_t>(graph->num_entities());
    tables = {.kg = {entities.data(), rows, kStride, kWidth},
              .relations = {relations.data(), graph->num_relations(), kStride, kWidth},
              .relation_scale = kScale,
              .left = {entities.data() + kWidth, rows, kStride, kRank},
              .right = {right.data(), rows, kStride, kRank}};
    index = std::make_shared<const graph::DistanceIndex>(graph::DistanceIndex::build(*graph));
    features = std::make_unique<GoalFeatures>(*graph, tables, exact ? index : nullptr);
  }

  std::shared_ptr<const graph::KnowledgeGraph> graph;
  std::vector<float> entities, relations, right;
  GoalTables tables;
  std::shared_ptr<const graph::DistanceIndex> index;
  std::unique_ptr<GoalFeatures> features;
};

double length(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

std::vector<double> minus(std::span<const float> a, std::span<const float> b) {
  std::vector<double> x;
  for (std::size_t i = 0; i < a.size(); ++i) x.push_back(static_cast<double>(a[i]) - b[i]);
  return x;
}

double estimate(const RandomWorld& w, EntityId a, EntityId b) {
  if (a == b) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < kRank; ++i)
    sum += static_cast<double>(w.tables.left.row(a)[i]) * w.tables.right.row(b)[i];
  return sum;
}

// Least |e[tail] - (e[goal] + scale r)| over the eight commonest relations that leave the goal (of equally
// common ones those of lower id); one more than |e[tail] - e[goal]| when that is less.
double link(const RandomWorld& w, EntityId tail, EntityId goal) {
  std::map<graph::RelationId, int> counts;
  for (const graph::Edge& edge : w.graph->out_edges(goal)) ++counts[edge.relation];
  std::vector<std::pair<int, graph::RelationId>> order;
  for (const auto& [relation, count] : counts) order.emplace_back(-count, relation);
  std::sort(order.begin(), order.end());
  double best = length(minus(w.tables.kg.row(tail), w.tables.kg.row(goal))) + 1;
  for (std::size_t l = 0; l < std::min<std::size_t>(8, order.size()); ++l) {
    std::vector<double> x = minus(w.tables.kg.row(tail), w.tables.kg.row(goal));
    const auto r = w.tables.relations.row(order[l].second);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= kScale * r[i];
    best = std::min(best, length(x));
  }
  return best;
}

// A walk of some hops from a random entity, its goal any entity.
Example random_walk(const RandomWorld& w, Random& random, int hops) {
  Example e;
  do {
    e.start = static_cast<EntityId>(random.below(w.graph->num_entities()));
  } while (w.graph->out_edges(e.start).empty());
  for (int h = 0; h < hops; ++h) {
    const auto edges = w.graph->out_edges(e.start);
    const graph::Edge edge = edges[random.below(edges.size())];
    e.walked.push_back({e.start, edge.relation, edge.tail});
    e.start = edge.tail;
  }
  e.goal = static_cast<EntityId>(random.below(w.graph->num_entities()));
  return e;
}

void check_rows(const RandomWorld& w, const Example& e, const float* rows, bool exact) {
  const auto edges = w.graph->out_edges(e.start);
  std::vector<EntityId> tails;
  for (const graph::Edge& edge : edges) tails.push_back(edge.tail);
  tails.push_back(e.start);  // stopping
  const embeddings::NeighborSketch sketch(*w.graph);
  const auto common = [&](EntityId tail) {
    double cosine = 0;
    for (std::size_t i = 0; i < embeddings::NeighborSketch::kWidth; ++i)
      cosine += static_cast<double>(sketch.direction(tail)[i]) * sketch.direction(*e.goal)[i];
    return std::max(0.0, 16 * cosine - 4);
  };
  const auto adjacent = [&](EntityId tail) {
    return std::max(0.0, 16 * double(sketch.adjacency(tail, *e.goal)) - 4);
  };
  const auto adjacent_back = [&](EntityId tail) {
    return std::max(0.0, 16 * double(sketch.adjacency(*e.goal, tail)) - 4);
  };
  double least_estimate = 1e9, least_link = 1e9, most_common = -1e9, most_adjacent = -1e9,
         most_adjacent_back = -1e9;
  for (const EntityId tail : tails) {
    least_estimate = std::min(least_estimate, estimate(w, tail, *e.goal));
    least_link = std::min(least_link, link(w, tail, *e.goal));
    most_common = std::max(most_common, common(tail));
    most_adjacent = std::max(most_adjacent, adjacent(tail));
    most_adjacent_back = std::max(most_adjacent_back, adjacent_back(tail));
  }
  for (std::size_t j = 0; j < tails.size(); ++j, rows += kNumGoalFeatures) {
    const EntityId tail = tails[j];
    int visits = tail == (e.walked.empty() ? e.start : e.walked.front().head);
    for (const graph::Triple& hop : e.walked) visits += hop.tail == tail;
    const int here = w.index->distance(e.start, *e.goal), there = w.index->distance(tail, *e.goal);
    const std::map<std::string_view, double> expected{
        {"is_goal", tail == *e.goal},
        {"nearer", estimate(w, e.start, *e.goal) - estimate(w, tail, *e.goal)},
        {"estimate", estimate(w, tail, *e.goal)},
        {"estimate_rank", estimate(w, tail, *e.goal) - least_estimate},
        {"row_distance", 10 * length(minus(w.tables.left.row(tail), w.tables.left.row(*e.goal)))},
        {"kg_distance", length(minus(w.tables.kg.row(tail), w.tables.kg.row(*e.goal)))},
        {"link", link(w, tail, *e.goal)},
        {"link_rank", link(w, tail, *e.goal) - least_link},
        {"degree", std::log(1.0 + static_cast<double>(w.graph->out_edges(tail).size()))},
        {"visited", std::log(1.0 + visits)},
        {"visited_any", visits > 0},
        {"came_from", !e.walked.empty() && e.walked.back().head == tail},
        {"here_estimate", estimate(w, e.start, *e.goal)},
        {"exact_nearer", exact ? here - there : 0},
        {"exact", exact ? there / 4.0 : 0},
        {"common", common(tail)},
        {"common_rank", most_common - common(tail)},
        {"common_scale", std::log(static_cast<double>(sketch.norm(tail)) * sketch.norm(*e.goal) / 16 + 1e-4)},
        {"adjacent", adjacent(tail)},
        {"adjacent_rank", most_adjacent - adjacent(tail)},
        {"adjacent_back", adjacent_back(tail)},
        {"adjacent_back_rank", most_adjacent_back - adjacent_back(tail)}};
    ASSERT_EQ(expected.size(), kGoalFeatures.size());
    for (const auto& [name, value] : expected)
      EXPECT_NEAR(rows[column(name)], value, 1e-4) << name << " of candidate " << j;
  }
}

TEST(GoalFeatures, EqualPlainFormulas) {
  for (const bool exact : {false, true})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const RandomWorld w(seed, exact);
      EXPECT_EQ(w.features->exact(), exact);
      Random random(seed + 100);
      std::vector<Example> examples;
      for (int i = 0; i < 12; ++i) examples.push_back(random_walk(w, random, i % 5));
      std::vector<EntityId> entities;
      std::vector<GoalContext> contexts;
      std::vector<const GoalContext*> pointers;
      for (const Example& e : examples) {
        entities.push_back(e.start);
        contexts.push_back(w.features->context(e));
      }
      for (const GoalContext& c : contexts) pointers.push_back(&c);
      const Candidates candidates = candidates_of(*w.graph, entities);
      std::vector<float> rows(static_cast<std::size_t>(candidates.size()) * kNumGoalFeatures, 99.0F);
      w.features->extract(pointers, candidates, rows);
      for (std::size_t i = 0; i < examples.size(); ++i)
        check_rows(w, examples[i], rows.data() + candidates.offsets[i] * kNumGoalFeatures, exact);
    }
}

TEST(GoalFeatures, AreNothingWithoutAGoal) {
  const RandomWorld w(5, true);
  Random random(1);
  Example with = random_walk(w, random, 2), without = random_walk(w, random, 1);
  without.goal.reset();
  const std::vector<EntityId> entities{without.start, with.start};
  const GoalContext none = w.features->context(without), some = w.features->context(with);
  const GoalContext* pointers[] = {&none, &some};
  const Candidates candidates = candidates_of(*w.graph, entities);
  std::vector<float> rows(static_cast<std::size_t>(candidates.size()) * kNumGoalFeatures, 99.0F);
  w.features->extract(pointers, candidates, rows);
  for (std::int64_t k = 0; k < candidates.offsets[1] * kNumGoalFeatures; ++k)
    EXPECT_EQ(rows[static_cast<std::size_t>(k)], 0);
  check_rows(w, with, rows.data() + candidates.offsets[1] * kNumGoalFeatures, true);
}

TEST(GoalFeatures, RefuseRowsThatDoNotFit) {
  const RandomWorld w(6);
  Random random(1);
  const Example e = random_walk(w, random, 1);
  const GoalContext c = w.features->context(e);
  const GoalContext* pointers[] = {&c};
  const Candidates candidates = candidates_of(*w.graph, std::vector<EntityId>{e.start});
  std::vector<float> rows(static_cast<std::size_t>(candidates.size()) * kNumGoalFeatures - 1);
  EXPECT_THROW(w.features->extract(pointers, candidates, rows), ShapeError);
}

}  // namespace
}  // namespace kgwalk::walker
