// Trajectories to a goal and their printed forms.
#include "kgwalk/guide.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"
#include "kgwalk/plan_formats.h"
#include "runtime/config.h"
#include "tests/planner/talk_world.h"

namespace kgwalk {
namespace {

using testing::compass_guide;
using testing::contains;

std::string refusal_of(const TrajectoryRequest& request, Planner::Stage stage = Planner::Stage::kTwo) {
  try {
    (void)compass_guide(stage).lead(request);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Guide, LeadsToTheGoalAndStopsThere) {
  const Trajectory t = compass_guide().lead({.start = "taxi driver", .goal = "crime", .turns = 20});
  EXPECT_EQ(t.request.start, "Taxi Driver");
  EXPECT_EQ(t.request.goal, "Crime");
  EXPECT_EQ(t.start_to_goal, 5);
  ASSERT_EQ(t.turns.size(), 5U);
  EXPECT_TRUE(t.reached());
  for (std::size_t i = 0; i < t.turns.size(); ++i) {
    EXPECT_EQ(t.turns[i].distance_to_goal, 4 - static_cast<int>(i));
    EXPECT_EQ(t.turns[i].branch.at, t.turns[i].hop.head);
    if (i > 0) {
      EXPECT_EQ(t.turns[i].hop.head, t.turns[i - 1].hop.tail);
    }
    EXPECT_EQ(t.turns[i].hop.probability, t.turns[i].branch.candidates.front().probability);
  }
}

TEST(Guide, FollowsTheRouteThatLookingAheadHasFound) {
  const auto graph = testing::talk_graph();
  Planner planner(std::make_unique<const PlannerCore>(std::make_unique<testing::CompassWalker>(graph),
                                                      Planner::Stage::kTwo));
  const Guide guide(std::make_unique<const GuideCore>(
      std::move(planner), std::make_unique<testing::EchoUser>(graph),
      rl::RouteConfig{.revisit = false, .beam = 4, .detour = 1, .spare = 0}));
  const Trajectory t = guide.lead({.start = "Taxi Driver", .goal = "Crime", .turns = 20});
  ASSERT_EQ(t.turns.size(), 5U);
  EXPECT_TRUE(t.reached());
  for (const TrajectoryTurn& turn : t.turns) {
    EXPECT_EQ(turn.hop.tail, turn.branch.candidates.front().tail);
    EXPECT_EQ(turn.hop.probability, turn.branch.candidates.front().probability);
    EXPECT_EQ(turn.said, turn.hop.head + "? " + std::to_string(&turn - t.turns.data()));
  }
}

TEST(Guide, SaysWhatWasGivenThenTheUserGoesOn) {
  const Trajectory t =
      compass_guide().lead({.start = "Taxi Driver", .goal = "Crime", .turns = 20, .say = {"A film?", ""}});
  ASSERT_EQ(t.turns.size(), 5U);
  EXPECT_EQ(t.turns[0].said, "A film?");
  EXPECT_EQ(t.turns[1].said, "");  // silence joins nothing
  EXPECT_EQ(t.turns[2].said, t.turns[2].hop.head + "? 1");
  EXPECT_EQ(t.turns[3].said, t.turns[3].hop.head + "? 2");
}

TEST(Guide, TheAssistantSaysEachHopAndBothHearIt) {
  const auto graph = testing::talk_graph();
  Planner planner(std::make_unique<const PlannerCore>(std::make_unique<testing::CompassWalker>(graph),
                                                      Planner::Stage::kTwo));
  const Guide guide(std::make_unique<const GuideCore>(
      std::move(planner), std::make_unique<testing::EchoUser>(graph), rl::RouteConfig{},
      std::make_shared<const Responder>(Responder::by_wordings())));
  const Trajectory t = guide.lead({.start = "Taxi Driver", .goal = "Crime", .turns = 20});
  ASSERT_EQ(t.turns.size(), 5U);
  EXPECT_EQ(t.turns[1].said, "Robert De Niro? 2") << "what was said by both counts";
  for (const TrajectoryTurn& turn : t.turns)
    EXPECT_TRUE(contains(turn.sentence, turn.hop.tail)) << turn.sentence;
  EXPECT_TRUE(contains(trajectory_as_text(t), "    assistant: "));
  EXPECT_TRUE(contains(trajectory_as_html(t), "class=\"said assistant\""));
  EXPECT_TRUE(contains(trajectory_as_json(t), "\"sentence\": "));
}

TEST(Guide, StopsAtTheTurnsAllowed) {
  const Trajectory t = compass_guide().lead({.start = "Taxi Driver", .goal = "Crime", .turns = 2});
  EXPECT_EQ(t.turns.size(), 2U);
  EXPECT_FALSE(t.reached());
  EXPECT_EQ(t.distance_left(), 3);
  EXPECT_TRUE(contains(trajectory_as_text(t), "not reached: 2 hops taken, 3 hops left"));
}

TEST(Guide, AnswersAQuestionOnTheWayAndGoesOnFromTheNearest) {
  const Trajectory t = testing::listening_guide().lead(
      {.start = "Heat (1995 Film)", .goal = "Crime", .turns = 9, .say = {"Who starred in Scarface?"}});
  ASSERT_EQ(t.turns.size(), 4U);  // the question and three hops
  EXPECT_TRUE(t.reached());
  EXPECT_TRUE(t.turns[0].answers);
  EXPECT_EQ(t.turns[0].hop.head, "Scarface");
  EXPECT_EQ(t.turns[0].hop.tail, "Al Pacino");
  EXPECT_EQ(t.turns[0].branch.candidates.front().tail, "Al Pacino");
  EXPECT_EQ(t.turns[0].on_from, "Heat (1995 Film)");
  EXPECT_EQ(t.turns[0].distance_to_goal, 3);
  EXPECT_FALSE(t.turns[1].answers);
  EXPECT_EQ(t.turns[1].hop.head, "Heat (1995 Film)");
  EXPECT_TRUE(contains(trajectory_as_text(t), "    answers the question; on from Heat (1995 Film)\n"));
  EXPECT_TRUE(contains(trajectory_as_dot(t), "label=\"Scarface\""));
}

TEST(Guide, SaysWhatIsWrongWithAGoal) {
  EXPECT_TRUE(contains(refusal_of({.start = "Scarface", .goal = "Mars"}),
                       "cannot be reached from Scarface: no path"));
  EXPECT_TRUE(contains(refusal_of({.start = "Scarface", .goal = "Planet X"}), "it has no edges"));
  EXPECT_TRUE(contains(refusal_of({.start = "Scarface", .goal = "SCARFACE"}), "is the start itself"));
  EXPECT_TRUE(contains(refusal_of({.start = "Scarface", .goal = "Crimee"}), "did you mean 'Crime'"));
  EXPECT_TRUE(contains(refusal_of({.start = "Scarfase", .goal = "Crime"}), "did you mean 'Scarface'"));
  EXPECT_TRUE(
      contains(refusal_of({.start = "Planet X", .goal = "Crime"}), "cannot be reached from Planet X"));
}

TEST(Guide, RefusesNumbersOutOfRangeAndWalkersThatKnowNoGoals) {
  for (const int turns : {0, -1, kMaxTurns + 1})
    EXPECT_TRUE(contains(refusal_of({.start = "Scarface", .goal = "Crime", .turns = turns}), "turns"))
        << turns;
  EXPECT_TRUE(contains(refusal_of({.start = "Scarface", .goal = "Crime", .shown = 0}), "shown"));
  EXPECT_TRUE(contains(refusal_of({.start = "Scarface", .goal = "Crime"}, Planner::Stage::kOne), "stage 1"));
}

TEST(PlannerCore, AsksOnIdsWhatThePlannerAsksByName) {
  const Guide guide = compass_guide();
  const graph::KnowledgeGraph& graph = guide.planner().graph();
  const auto id = [&](const char* name) { return *graph.find_entity(name); };
  const auto relation = [&](const char* name) { return *graph.find_relation(name); };
  walker::Example s;
  s.context = {{graph::Speaker::kUser, "Hi"}, {graph::Speaker::kAssistant, "Hello"}};
  s.speaker = graph::Speaker::kUser;
  s.walked = {{id("Collateral"), relation("directed_by"), id("Michael Mann")},
              {id("Michael Mann"), relation("~directed_by"), id("Heat (1995 Film)")},
              {id("Heat (1995 Film)"), relation("starred_actors"), id("Al Pacino")}};
  s.path_ends = {2, 3};
  s.start = id("Al Pacino");
  s.goal = id("Crime");
  const PlanRequest request{.history = {{"user", "Hi"}, {"assistant", "Hello"}},
                            .walked = {{{"Collateral", "directed_by", "Michael Mann"},
                                        {"Michael Mann", "~directed_by", "Heat (1995 Film)"}},
                                       {{"Heat (1995 Film)", "starred_actors", "Al Pacino"}}},
                            .start = "al pacino",
                            .goal = "crime",
                            .k = 4};
  Plan by_name = guide.planner().explain(request);
  EXPECT_EQ(by_name.request.goal, "Crime");
  EXPECT_EQ(by_name.request.history.size(), 2U);
  by_name.request.history.clear();  // ids know start and goal only
  const Findings found = guide.planner().core().plan(s, {.k = 4});
  EXPECT_EQ(plan_as_json(named(graph, found)), plan_as_json(by_name));
}

TEST(TrajectoryFormat, TextTellsEveryHopWithItsProbabilityAndTheDistanceLeft) {
  const Trajectory t = compass_guide().lead(
      {.start = "Taxi Driver", .goal = "Michael Mann", .turns = 9, .say = {"Go", "", ""}});
  const double to_film = 1 / (1 + std::exp(-4.0));  // one hop away against three
  EXPECT_EQ(trajectory_as_text(t),
            "goal: Michael Mann, 3 hops from Taxi Driver\n"
            "    user: Go\n"
            " 1. Taxi Driver -[starred_actors]-> Robert De Niro   [100.0 % of 1]   2 to goal\n"
            " 2. Robert De Niro -[~starred_actors]-> Heat (1995 Film)   [" +
                std::to_string(100 * to_film).substr(0, 4) +
                " % of 2]   1 to goal\n"
                " 3. Heat (1995 Film) -[directed_by]-> Michael Mann   [96.5 % of 3]   0 to goal\n"
                "reached in 3 hops, the fewest possible\n");
}

TEST(TrajectoryFormat, JsonParsesBackWithEveryTurn) {
  const Trajectory t = compass_guide().lead({.start = "Taxi Driver", .goal = "Crime", .turns = 3});
  const Json json = Json::parse(trajectory_as_json(t));
  EXPECT_EQ(json["goal"], "Crime");
  EXPECT_EQ(json["start_to_goal"], 5);
  EXPECT_EQ(json["reached"], false);
  ASSERT_EQ(json["turns"].size(), 3U);
  EXPECT_EQ(json["turns"][0]["hop"]["tail"], "Robert De Niro");
  EXPECT_EQ(json["turns"][2]["distance_to_goal"], 2);
  EXPECT_EQ(json["turns"][2]["num_candidates"], json["turns"][2]["candidates"].size());
}

TEST(TrajectoryFormat, DotIsOneChainWithGrayBranches) {
  const std::string dot =
      trajectory_as_dot(compass_guide().lead({.start = "Taxi Driver", .goal = "Michael Mann", .turns = 9}));
  EXPECT_TRUE(dot.starts_with("digraph trajectory {\n")) << dot;
  EXPECT_TRUE(contains(dot, "n0 [label=\"Taxi Driver (3 to goal)\"")) << dot;
  EXPECT_TRUE(contains(dot, "\"Michael Mann (0 to goal)\", style=\"rounded,bold\"")) << dot;
  EXPECT_TRUE(contains(dot, "[label=\"Al Pacino\", color=gray70")) << dot;
}

TEST(TrajectoryFormat, HtmlIsSelfContainedAndEscaped) {
  Trajectory t = compass_guide().lead({.start = "Taxi Driver", .goal = "Crime", .turns = 9, .say = {"<b>&"}});
  const std::string html = trajectory_as_html(t);
  EXPECT_TRUE(contains(html, "&lt;b&gt;&amp;"));
  for (const char* outside : {"<b>", "<script", "src=", "href="})
    EXPECT_FALSE(contains(html, outside)) << outside;
  std::size_t rows = 0;
  for (std::size_t at = html.find("class=\"turn\""); at != std::string::npos;
       at = html.find("class=\"turn\"", at + 1))
    ++rows;
  EXPECT_EQ(rows, t.turns.size());
  EXPECT_TRUE(contains(html, "the goal</span>"));
  EXPECT_THROW((void)format_trajectory(t, "pdf"), ConfigError);
}

}  // namespace
}  // namespace kgwalk
