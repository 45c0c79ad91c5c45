#include "walker/data/starts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/walker/small_world.h"

namespace kgwalk::walker {
namespace {

using testing::film_graph;

class Starts : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> names(const Example& example) const {
    std::vector<std::string> found;
    for (const StartCandidate& candidate : find_starts(example, *graph_, linker_))
      found.emplace_back(graph_->entity_name(candidate.entity));
    return found;
  }
  static Example said(std::initializer_list<const char*> utterances) {
    Example example;
    for (const char* text : utterances)
      example.context.push_back(
          {example.context.size() % 2 == 0 ? graph::Speaker::kUser : graph::Speaker::kAssistant, text});
    return example;
  }
  std::shared_ptr<const graph::KnowledgeGraph> graph_ = film_graph();
  dialogue::EntityLinker linker_{*graph_, {}};
};

TEST_F(Starts, AreWhatWasNamedTheNewestFirst) {
  EXPECT_EQ(names(said({"I saw Heat.", "I prefer Taxi Driver.", "Who directed it?"})),
            (std::vector<std::string>{"Taxi Driver", "Heat"}));
}

TEST_F(Starts, AreWhatTheLastPathMetToo) {
  Example example = said({"Who directed it?"});
  const graph::EntityId heat = *graph_->find_entity("Heat"), mann = *graph_->find_entity("Michael Mann");
  example.walked = {{heat, *graph_->find_relation("directed_by"), mann}};
  example.path_ends = {1};
  EXPECT_EQ(names(example), (std::vector<std::string>{"Heat", "Michael Mann"}));
}

TEST_F(Starts, NothingNamedAndNothingWalkedIsNowhere) { EXPECT_TRUE(names(said({"Hello!"})).empty()); }

// "Tell me Heat's director" must not start from something that is called Director.
TEST_F(Starts, HowANameIsWrittenCounts) {
  const auto marks = [&](const char* text) {
    float sum = 0;
    for (const StartCandidate& candidate : find_starts(said({text}), *graph_, linker_))
      sum += candidate.features[kStaticStartFeatures - 2] + 10 * candidate.features[kStaticStartFeatures - 1];
    return sum;
  };
  EXPECT_EQ(marks("I saw Heat and Taxi Driver."), 0);
  EXPECT_EQ(marks("taxi driver"), 1);
}

}  // namespace
}  // namespace kgwalk::walker
