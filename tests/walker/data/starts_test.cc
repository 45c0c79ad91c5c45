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

// "Tell me Jim's religion" asks about Jim, though a genre is called Religion.
TEST_F(Starts, HowANameIsWrittenCounts) {
  const auto graph =
      testing::graph_of({{"Jim", "Religion", "Shaker"}, {"Film", "has_genre", "Religion (Genre)"}});
  const dialogue::EntityLinker linker(*graph, {});
  const auto marks = [&](const char* text) {
    for (const StartCandidate& candidate : find_starts(said({text}), *graph, linker))
      if (graph->entity_name(candidate.entity) == "Religion (Genre)")
        return std::pair(candidate.features[kStaticStartFeatures - 2],
                         candidate.features[kStaticStartFeatures - 1]);
    return std::pair(-1.0F, -1.0F);
  };
  EXPECT_EQ(marks("religion"), std::pair(1.0F, 0.0F));
  EXPECT_EQ(marks("I like Religion."), std::pair(0.0F, 0.0F));
}

// Where the linker finds no name in what was said last, names that are everyday words may be meant.
TEST_F(Starts, EverydayNamesAreLookedForWhereNoOtherIsNamed) {
  std::vector<std::string> asked;
  const EverydayNames everyday = [&](std::string_view text) {
    asked.emplace_back(text);
    return std::vector<graph::EntityId>{*graph_->find_entity("Crime")};
  };
  const auto found = find_starts(said({"I saw Heat.", "who was in that one"}), *graph_, linker_, everyday);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(graph_->entity_name(found[0].entity), "Crime");
  EXPECT_EQ(graph_->entity_name(found[1].entity), "Heat");
  EXPECT_EQ(asked, std::vector<std::string>{"who was in that one"});  // of the last utterance alone
  EXPECT_EQ(find_starts(said({"Who directed Heat?"}), *graph_, linker_, everyday).size(), 1U);
  EXPECT_EQ(asked.size(), 1U);
}

}  // namespace
}  // namespace kgwalk::walker
