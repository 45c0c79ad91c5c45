#include "walker/search/ways.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/walker/small_world.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;
using graph::RelationId;
using Relations = std::vector<RelationId>;

// Any numbers that depend on hop, on the relation before and on the relation.
float heard(int hop, RelationId before, std::size_t relation) {
  return std::sin(static_cast<float>(7 * hop + 3 * before + 5 * relation)) * 2;
}

// Every sequence of relations by trying them all.
class Twin {
 public:
  Twin(const graph::KnowledgeGraph& graph, int max_hops) : graph_(graph), max_hops_(max_hops) {}

  void walk(const Relations& way, const std::map<EntityId, double>& at, double probability) {
    const int hop = static_cast<int>(way.size());
    std::map<RelationId, std::map<EntityId, double>> next;
    for (const auto& [entity, share] : at) {
      std::map<RelationId, std::set<EntityId>> tails;
      for (const graph::Edge& edge : graph_.out_edges(entity))
        if (edge.tail != 0) tails[edge.relation].insert(edge.tail);
      for (const auto& [relation, ends] : tails)
        for (const EntityId end : ends) next[relation][end] += share / static_cast<double>(ends.size());
    }
    const RelationId before = hop == 0 ? graph_.num_relations() : way.back();
    double all = hop == 0 ? 0 : std::exp(heard(hop, before, graph_.num_relations()));
    const double stop = all;
    for (const auto& [relation, ends] : next) all += std::exp(heard(hop, before, relation));
    const bool last = hop == max_hops_ || next.empty();
    if (hop > 0) found[way] = {last ? probability : probability * stop / all, at};
    if (last) return;
    for (const auto& [relation, ends] : next) {
      Relations longer = way;
      longer.push_back(relation);
      walk(longer, ends, probability * std::exp(heard(hop, before, relation)) / all);
    }
  }

  std::map<Relations, std::pair<double, std::map<EntityId, double>>> found;

 private:
  const graph::KnowledgeGraph& graph_;
  int max_hops_;
};

TEST(Ways, AreAllSequencesOfRelationsWithTheirEnds) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto graph = testing::random_graph(seed);
    const RelationHearing hearing = [&](int hop, std::span<const RelationId> before) {
      std::vector<std::vector<float>> rows;
      for (const RelationId b : before) {
        rows.emplace_back();
        for (std::size_t r = 0; r <= graph->num_relations(); ++r) rows.back().push_back(heard(hop, b, r));
      }
      return rows;
    };
    Twin twin(*graph, 3);
    twin.walk({}, {{0, 1.0}}, 1);
    const std::vector<Way> ways = ways_heard(*graph, 0, hearing, {.max_hops = 3, .least = 0});
    ASSERT_EQ(ways.size(), twin.found.size());
    double before = 1, sum = 0;
    for (const Way& way : ways) {
      const auto& [probability, ends] = twin.found.at(way.relations);
      EXPECT_NEAR(way.probability, probability, 1e-6);
      EXPECT_LE(way.probability, before + 1e-12);
      before = way.probability;
      sum += way.probability;
      ASSERT_EQ(way.ends.size(), ends.size());
      for (const WayEnd& end : way.ends) {
        EXPECT_NEAR(end.share, ends.at(end.entity), 1e-9);
        ASSERT_EQ(static_cast<std::size_t>(end.path.num_hops), way.relations.size());
        EXPECT_EQ(end.path.hops[way.relations.size() - 1].tail, end.entity);
        EntityId here = 0;  // the path that is told is one of the graph, along the way
        for (std::size_t h = 0; h < way.relations.size(); ++h) {
          const auto edges = graph->out_edges(here);
          EXPECT_NE(std::find(edges.begin(), edges.end(), end.path.hops[h]), edges.end());
          EXPECT_EQ(end.path.hops[h].relation, way.relations[h]);
          here = end.path.hops[h].tail;
        }
      }
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

}  // namespace
}  // namespace kgwalk::walker
