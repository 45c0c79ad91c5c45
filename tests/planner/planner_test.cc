#include "kgwalk/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "kgwalk/error.h"
#include "planner/planner_core.h"
#include "tests/walker/small_world.h"
#include "walker/search/search.h"

namespace kgwalk {
namespace {

using walker::testing::film_graph;
using walker::testing::HashedWalker;

Planner over(std::unique_ptr<const walker::WalkModel> model) {
  return Planner(std::make_unique<const PlannerCore>(std::move(model), Planner::Stage::kOne));
}

Planner film_planner(std::uint64_t seed = 3) {
  return over(std::make_unique<HashedWalker>(film_graph(), seed));
}

std::string error_of(const PlanRequest& request) {
  try {
    (void)film_planner().plan(request);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Planner, GivesTheBestPathsInDescendingOrderWithTheirHopProbabilities) {
  const Planner planner = film_planner();
  const auto paths = planner.plan({.start = "heat", .k = 10});  // names are folded
  ASSERT_EQ(paths.size(), 10u);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i > 0) {
      EXPECT_GE(paths[i - 1].log_prob, paths[i].log_prob);
    }
    EXPECT_EQ(paths[i].hops.front().head, "Heat");
    double product = paths[i].stop_probability;
    for (const PlannedHop& hop : paths[i].hops) product *= hop.probability;
    EXPECT_NEAR(std::log(product), paths[i].log_prob, 1e-4);
    EXPECT_EQ(paths[i].distance_to_goal, std::nullopt);
  }
}

TEST(Planner, PathsAreThoseOfTheBeamSearch) {
  const auto graph = film_graph();
  const HashedWalker model(graph, 3);
  walker::Example example;
  example.start = *graph->find_entity("Crime");
  const auto expected = walker::beam_paths(model, {&example, 1}, {.beam = 25, .max_hops = 2}).front();
  const auto paths = film_planner().plan({.start = "Crime", .k = 3});
  ASSERT_EQ(paths.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(paths[i].log_prob, expected[i].log_prob, 1e-6);
    EXPECT_EQ(paths[i].hops.size(), static_cast<std::size_t>(expected[i].num_hops));
  }
}

TEST(Planner, DistancesToTheGoalAreExact) {
  const Plan plan = film_planner().explain({.start = "Heat", .goal = "TAXI driver", .k = 12});
  EXPECT_EQ(plan.request.goal, "Taxi Driver");  // in the graph's spelling
  EXPECT_EQ(plan.start_to_goal, 2);
  EXPECT_EQ(plan.goal_standing, GoalStanding::kReachable);
  bool seen = false;
  for (const PlannedPath& path : plan.paths) {
    if (path.hops.back().tail != "Robert De Niro") continue;
    EXPECT_EQ(path.distance_to_goal, 1);
    seen = true;
  }
  EXPECT_TRUE(seen);
}

TEST(Planner, AGoalInAnotherComponentIsUnreachableAndSaidSo) {
  const auto graph = walker::testing::graph_of({{"a", "r", "b"}, {"x", "r", "y"}});
  const Planner planner = over(std::make_unique<HashedWalker>(graph, 1));
  const Plan plan = planner.explain({.start = "a", .goal = "x", .k = 1});
  EXPECT_FALSE(plan.start_to_goal.has_value());
  EXPECT_EQ(plan.goal_standing, GoalStanding::kApart);
  EXPECT_EQ(plan.paths.at(0).distance_to_goal, std::nullopt);
}

TEST(Planner, AGoalWithoutEdgesAndOneThatIsTheStartAreToldApart) {
  const std::vector<graph::NamedTriple> triples{{"a", "r", "b"}};
  const auto graph = std::make_shared<const graph::KnowledgeGraph>(
      graph::KnowledgeGraph::from_triples(triples, std::vector<std::string>{"alone"}));
  const Planner planner = over(std::make_unique<HashedWalker>(graph, 1));
  EXPECT_EQ(planner.explain({.start = "a", .goal = "alone", .k = 1}).goal_standing, GoalStanding::kIsolated);
  EXPECT_EQ(planner.explain({.start = "a", .goal = "A", .k = 1}).goal_standing, GoalStanding::kStart);
  EXPECT_EQ(planner.explain({.start = "a", .k = 1}).goal_standing, GoalStanding::kNone);
  EXPECT_TRUE(planner.explain({.start = "alone", .goal = "a", .k = 1}).paths.empty());
}

// A model that counts what it is asked.
class CountingWalker : public HashedWalker {
 public:
  CountingWalker(int* encodes, int* scores)
      : HashedWalker(film_graph(), 3), encodes_(encodes), scores_(scores) {}
  [[nodiscard]] std::unique_ptr<walker::Encoded> encode(
      std::span<const walker::Example> examples) const override {
    ++*encodes_;
    return HashedWalker::encode(examples);
  }
  [[nodiscard]] walker::CandidateScores score(walker::Encoded& encoded,
                                              std::span<const walker::PartialPath> states) const override {
    ++*scores_;
    return HashedWalker::score(encoded, states);
  }

 private:
  int *encodes_, *scores_;
};

TEST(Planner, EncodesARequestOnceAndScoresEachHopOnce) {
  int encodes = 0, scores = 0;
  const Planner planner = over(std::make_unique<CountingWalker>(&encodes, &scores));
  const Plan plan = planner.explain({.start = "Heat", .k = 5});
  EXPECT_GT(plan.branches.size(), 1u);
  EXPECT_EQ(encodes, 1);
  EXPECT_EQ(scores, 2);
}

TEST(Planner, BranchesHoldEveryCandidateCountAndAreSorted) {
  const Plan plan = film_planner().explain({.start = "Heat", .k = 4});
  ASSERT_FALSE(plan.branches.empty());
  // Each branch says by which hops it is reached, so that it can be drawn where it grows.
  for (const PlanBranch& branch : plan.branches)
    EXPECT_EQ(branch.at, branch.prefix.empty() ? plan.request.start : branch.prefix.back().tail);
  EXPECT_FALSE(plan.branches.back().prefix.empty());
  EXPECT_TRUE(plan.branches[0].prefix.empty());
  EXPECT_EQ(plan.branches[0].num_candidates, 5u);
  double sum = plan.branches[0].stop_probability;
  for (std::size_t i = 0; i < plan.branches[0].candidates.size(); ++i) {
    sum += plan.branches[0].candidates[i].probability;
    if (i > 0) {
      EXPECT_GE(plan.branches[0].candidates[i - 1].probability, plan.branches[0].candidates[i].probability);
    }
  }
  EXPECT_NEAR(sum, 1.0, 1e-5);
}

TEST(Planner, UnknownNamesSuggestTheNearestOnes) {
  EXPECT_NE(error_of({.start = "Haet"}).find("did you mean 'Heat'"), std::string::npos);
  EXPECT_NE(error_of({.start = "Heat", .goal = "Taxi Drivr"}).find("'Taxi Driver'"), std::string::npos);
  EXPECT_NE(error_of({.history = {{"bot", "hi"}}, .start = "Heat"}).find("'user' or 'assistant'"),
            std::string::npos);
}

TEST(Planner, NumbersOutOfRangeAreAllNamedAtOnce) {
  const std::string error = error_of({.start = "Heat", .k = 0, .beam = 0, .max_hops = 99});
  for (const char* name : {"k", "beam", "max_hops"}) EXPECT_NE(error.find(name), std::string::npos) << error;
}

TEST(Planner, WalkedHopsMustBeEdgesOfTheGraph) {
  EXPECT_NE(
      error_of({.walked = {{{"Heat", "written_by", "Michael Mann"}}}, .start = "Heat"}).find("is no edge"),
      std::string::npos);
  EXPECT_EQ(error_of({.walked = {{{"Heat", "directed_by", "Michael Mann"}}}, .start = "Heat"}), "no error");
}

TEST(Planner, ConcurrentPlansGiveTheSameAnswers) {
  const Planner planner = film_planner();
  const char* starts[] = {"Heat", "Crime", "Michael Mann", "Al Pacino"};
  std::vector<std::string> expected(4), got(16);
  const auto answer = [&](const char* start) {
    std::string text;
    for (const PlannedPath& p : planner.plan({.start = start, .goal = "Drama", .k = 5}))
      text += p.to_string() + std::to_string(p.log_prob) + std::to_string(p.distance_to_goal.value()) + "\n";
    return text;
  };
  for (std::size_t i = 0; i < 4; ++i) expected[i] = answer(starts[i]);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 16; ++t) threads.emplace_back([&, t] { got[t] = answer(starts[t % 4]); });
  }
  for (std::size_t t = 0; t < 16; ++t) EXPECT_EQ(got[t], expected[t % 4]);
}

}  // namespace
}  // namespace kgwalk
