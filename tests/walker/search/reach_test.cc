#include "walker/search/reach.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/walker/search/walks.h"
#include "tests/walker/small_world.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;
using graph::RelationId;

// Any numbers that depend on hop, on the relation before and on the relation.
float heard(int hop, RelationId before, std::size_t relation) {
  return std::sin(static_cast<float>(7 * hop + 3 * before + 5 * relation)) * 2;
}

TEST(Reach, SumsOverAllWalks) {
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
    std::map<EntityId, double> expected;
    const testing::Walks walks(*graph, 0, 3, heard);
    walks.each([&](EntityId end, double probability) { expected[end] += probability; });
    double sum = 0, before = 1, arrived = 0;
    for (const Reached& end : reach(*graph, 0, hearing, {.max_hops = 3, .least = 0}, &arrived)) {
      EXPECT_NEAR(end.probability * arrived, expected[end.entity], 1e-9);
      EXPECT_LE(end.probability, before + 1e-12);
      EXPECT_NE(end.entity, 0U);
      before = end.probability;
      sum += end.probability;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_NEAR(arrived, walks.total(), 1e-9);
  }
}

}  // namespace
}  // namespace kgwalk::walker
