#include "kgwalk/plan_formats.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"
#include "planner/formats/walk_tree.h"
#include "runtime/config.h"

namespace kgwalk {
namespace {

Plan small_plan() {
  const PlannedHop directed{"Iron Man", "directed_by", "Jon Favreau", 0.5};
  const PlannedHop back{"Jon Favreau", "~directed_by", "Elf & \"Friends\"", 0.25};
  const PlannedHop genre{"Iron Man", "has_genre", "Action", 0.125};
  const PlannedHop year{"Iron Man", "release_year", "2008", 0.0625};
  Plan plan;
  plan.request.start = "Iron Man";
  plan.request.history = {{"user", "Who made <Iron Man>?"}};
  plan.paths = {{{directed}, std::log(0.25), 0.5}, {{directed, back}, std::log(0.125), 1.0}};
  plan.branches = {{{}, "Iron Man", 0.01, {directed, genre, year}, 73},
                   {{directed}, "Jon Favreau", 0.5, {back}, 44}};
  return plan;
}

TEST(PlanFormat, TextListsPathsWithPercentAndPerHopProbabilities) {
  const std::string text = plan_as_text(small_plan());
  EXPECT_EQ(text,
            " 1.  25.00 %  Iron Man -[directed_by]-> Jon Favreau   [50.0 % · stop 50.0 %]\n"
            " 2.  12.50 %  Iron Man -[directed_by]-> Jon Favreau -[~directed_by]-> Elf & \"Friends\""
            "   [50.0 % · 25.0 % · stop 100.0 %]\n");
}

TEST(PlanFormat, TextShowsDistancesAndSaysWhenTheGoalIsUnreachable) {
  Plan plan = small_plan();
  plan.request.goal = "Elf";
  plan.start_to_goal = 2;
  plan.goal_standing = GoalStanding::kReachable;
  plan.paths[0].distance_to_goal = 1;
  const std::string text = plan_as_text(plan);
  EXPECT_NE(text.find("goal: Elf, 2 hops from Iron Man"), std::string::npos);
  EXPECT_NE(text.find("1 to goal"), std::string::npos);
  EXPECT_NE(text.find("goal unreachable"), std::string::npos);
}

TEST(PlanFormat, EveryFormSaysWhyAGoalCannotBeWalkedTo) {
  const std::pair<GoalStanding, std::string> cases[] = {
      {GoalStanding::kApart, "goal: Elf, which cannot be reached from Iron Man: no path joins them"},
      {GoalStanding::kIsolated, "goal: Elf, which cannot be reached from Iron Man: it has no edges"},
      {GoalStanding::kStart, "goal: Elf, which is the start itself"}};
  for (const auto& [standing, words] : cases) {
    Plan plan = small_plan();
    plan.request.goal = "Elf";
    plan.goal_standing = standing;
    EXPECT_NE(plan_as_text(plan).find(words), std::string::npos) << plan_as_text(plan);
    EXPECT_NE(plan_as_html(plan).find(words), std::string::npos);
    EXPECT_TRUE(Json::parse(plan_as_json(plan))["goal_note"].get<std::string>().starts_with(words));
  }
}

TEST(PlanFormat, AStartWithoutEdgesIsSaid) {
  Plan plan;
  plan.request.start = "Nowhere";
  EXPECT_EQ(plan_as_text(plan), "'Nowhere' has no out-edges: no path can be planned.\n");
}

TEST(PlanFormat, JsonParsesBackWithEveryNumber) {
  const Json json = Json::parse(plan_as_json(small_plan()));
  EXPECT_EQ(json["start"], "Iron Man");
  ASSERT_EQ(json["paths"].size(), 2u);
  EXPECT_NEAR(json["paths"][1]["probability"].get<double>(), 0.125, 1e-12);
  EXPECT_EQ(json["paths"][1]["hops"][1]["tail"], "Elf & \"Friends\"");
  EXPECT_EQ(json["branches"][0]["num_candidates"], 73);
  EXPECT_FALSE(json.contains("goal"));
}

TEST(PlanFormat, DotEscapesQuotesAndSharesCommonPrefixes) {
  const std::string dot = plan_as_dot(small_plan());
  EXPECT_NE(dot.find("\"Elf & \\\"Friends\\\"\""), std::string::npos);
  std::size_t nodes = 0;
  for (std::size_t at = dot.find("[label=\"Jon Favreau\"]"); at != std::string::npos;
       at = dot.find("[label=\"Jon Favreau\"]", at + 1))
    ++nodes;
  EXPECT_EQ(nodes, 1u);
}

TEST(PlanFormat, HtmlIsSelfContainedAndEscaped) {
  const std::string html = plan_as_html(small_plan());
  EXPECT_NE(html.find("Who made &lt;Iron Man&gt;?"), std::string::npos);
  EXPECT_EQ(html.find("<Iron Man>"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
}

TEST(PlanFormat, TreeKeepsChosenBranchesAndTheBestRejectedOnes) {
  const WalkTree tree = WalkTree::of(small_plan(), 1);
  ASSERT_EQ(tree.root.children.size(), 2u);  // Jon Favreau chosen; one rejected candidate, the most probable
  EXPECT_TRUE(tree.root.children[0].chosen);
  EXPECT_FALSE(tree.root.children[1].chosen);
  EXPECT_EQ(tree.root.children[1].hop.tail, "Action");
  EXPECT_EQ(tree.num_leaves(), 2u);
}

TEST(PlanFormat, UnknownFormatNamesTheKnownOnes) {
  try {
    (void)format_plan(small_plan(), "pdf");
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("text, json, dot or html"), std::string::npos);
  }
}

}  // namespace
}  // namespace kgwalk
