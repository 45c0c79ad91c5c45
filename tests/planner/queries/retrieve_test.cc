// Facts for a prompt.
#include "kgwalk/retrieve.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/error.h"
#include "kgwalk/json.h"
#include "kgwalk/plan_formats.h"
#include "kgwalk/planner.h"
#include "tests/graph/detailed_graph.h"
#include "tests/planner/talk_world.h"

namespace kgwalk {
namespace {

class Retrieving : public ::testing::Test {
 protected:
  Retrieving() {
    auto guide = std::make_shared<const Guide>(testing::compass_guide());
    auto linker = std::make_shared<const dialogue::EntityLinker>(guide->planner().graph(),
                                                                 std::span<const graph::Dialogue>());
    retriever_ = std::make_unique<Retriever>(std::move(guide), std::move(linker));
  }
  std::unique_ptr<Retriever> retriever_;
};

TEST_F(Retrieving, GivesFactsReadForwardOnceEachWithTheirSource) {
  const Retrieved found = retriever_->retrieve({.question = "Who is Michael Mann?"});
  EXPECT_EQ(found.entities, std::vector<std::string>{"Michael Mann"});
  EXPECT_TRUE(testing::contains(found.text, "Collateral | directed_by | Michael Mann\n")) << found.text;
  EXPECT_EQ(found.text.find('~'), std::string::npos) << found.text;
  std::set<std::string> lines;
  for (const RetrievedFact& fact : found.facts) {
    EXPECT_TRUE(lines.insert(fact.fact.head + fact.fact.relation + fact.fact.tail).second);
    EXPECT_EQ(fact.source, "path from Michael Mann");
    EXPECT_GT(fact.weight, 0);
    EXPECT_LE(fact.weight, 1);
  }
}

TEST_F(Retrieving, AddsWhatJoinsTheEntitiesThatAreNamed) {
  const Retrieved found = retriever_->retrieve({.question = "What has Scarface to do with Taxi Driver?"});
  EXPECT_EQ(found.entities, (std::vector<std::string>{"Scarface", "Taxi Driver"}));
  EXPECT_TRUE(testing::contains(found.text, "Heat (1995 Film) | starred_actors | Robert De Niro\n"))
      << found.text;
  EXPECT_EQ(found.facts.front().source, "joins Scarface and Taxi Driver");
}

TEST(Sources, AreNamedByPathsAnswersAndFactsAndAsJson) {
  const auto graph = std::make_shared<const graph::KnowledgeGraph>(
      graph::testing::detailed_graph({{{"Heat", "directed_by", "Michael Mann"}, 0.5F, "imdb"},
                                      {{"Heat", "directed_by", "Michael Mann"}, {}, "wiki"},
                                      {{"Heat", "has_genre", "Crime"}}},
                                     {{"Heat", "Heat of Los Angeles"}}));
  auto guide = std::make_shared<const Guide>(testing::compass_guide(Planner::Stage::kOne, graph));
  const Plan plan = guide->planner().explain({.start = "Michael Mann", .max_hops = 1});
  ASSERT_EQ(plan.paths.size(), 1U);
  EXPECT_EQ(plan.paths[0].hops[0].sources, (std::vector<std::string>{"imdb", "wiki"}));
  EXPECT_EQ(plan.paths[0].hops[0].weight, 0.5F);
  EXPECT_EQ(sources_of(plan.paths[0].hops), (std::vector<std::string>{"imdb", "wiki"}));
  EXPECT_TRUE(testing::contains(format_plan(plan, "text"), "[imdb, wiki]\n")) << format_plan(plan, "text");
  const Json hop = Json::parse(format_plan(plan, "json"))["paths"][0]["hops"][0];
  EXPECT_EQ(hop["sources"], Json({"imdb", "wiki"}));
  EXPECT_EQ(hop["weight"], 0.5);
  auto linker = std::make_shared<const dialogue::EntityLinker>(*graph, std::span<const graph::Dialogue>());
  const Retriever retriever(std::move(guide), std::move(linker));
  const Retrieved found = retriever.retrieve({.question = "Who made heat of los angeles?"});  // an alias
  EXPECT_TRUE(testing::contains(found.text, "Heat | directed_by | Michael Mann [imdb, wiki]\n"))
      << found.text;
  EXPECT_TRUE(testing::contains(found.text, "Heat | has_genre | Crime\n")) << found.text;
}

TEST_F(Retrieving, KeepsToTheBudgetAndSaysWhatItCut) {
  const Retrieved all = retriever_->retrieve({.question = "Michael Mann", .tokens = 1000});
  EXPECT_FALSE(all.cut);
  EXPECT_EQ(all.tokens, estimated_tokens(all.text));
  const Retrieved some = retriever_->retrieve({.question = "Michael Mann", .tokens = 20});
  EXPECT_TRUE(some.cut);
  EXPECT_LE(some.tokens, 20);
  EXPECT_LT(some.facts.size(), all.facts.size());
}

TEST_F(Retrieving, HasNothingToSayToWhatNamesNothing) {
  const Retrieved found = retriever_->retrieve({.question = "how are you today?"});
  EXPECT_TRUE(found.text.empty());
  EXPECT_TRUE(found.entities.empty());
  EXPECT_FALSE(found.cut);
}

TEST_F(Retrieving, RefusesNumbersOutOfRangeAllAtOnce) {
  try {
    (void)retriever_->retrieve({.question = "\xff", .tokens = 3, .k = 0});
    FAIL();
  } catch (const ConfigError& error) {
    for (const char* part : {"question", "tokens", "k:"})
      EXPECT_TRUE(testing::contains(error.what(), part)) << error.what();
  }
}

TEST(EstimatedTokens, CountsFoursOfBytesAndSigns) {
  EXPECT_EQ(estimated_tokens(""), 0);
  EXPECT_EQ(estimated_tokens("film"), 1);
  EXPECT_EQ(estimated_tokens("films"), 2);
  EXPECT_EQ(estimated_tokens("a | b"), 3);
}

}  // namespace
}  // namespace kgwalk
