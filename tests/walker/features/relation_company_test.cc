#include "walker/features/relation_company.h"

#include <gtest/gtest.h>

#include "tests/walker/small_world.h"

namespace kgwalk::walker {
namespace {

TEST(RelationCompany, TellsWhatAnEntityOfItsKindHas) {
  const auto graph = testing::film_graph();
  const RelationCompany company(*graph);
  std::vector<float> fit(graph->num_relations());
  company.log_fit(*graph->find_entity("Heat"), fit);
  // Films have directors and are nobody's.
  EXPECT_GT(fit[*graph->find_relation("directed_by")], fit[*graph->find_relation("~directed_by")] + 1);
  company.log_fit(*graph->find_entity("Michael Mann"), fit);
  EXPECT_GE(fit[*graph->find_relation("~directed_by")], std::log(RelationCompany::kRarest));
  for (const float f : fit) EXPECT_LE(f, 1e-6);
}

}  // namespace
}  // namespace kgwalk::walker
