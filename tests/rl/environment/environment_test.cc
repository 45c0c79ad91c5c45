// Pairs, episodes, rewards and walks on a small graph whose distances are known.
#include "rl/environment/environment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "rl/environment/success_rates.h"
#include "rl/environment/walks.h"
#include "rl/presets.h"
#include "rl/simulator/simulator_config.h"
#include "rl/training/stage2_config.h"
#include "tests/walker/remembering_walker.h"

namespace kgwalk::rl {
namespace {

using graph::Edge;
using graph::EntityId;

// A ring of 40 places and one name without edges.
graph::KnowledgeGraph ring() {
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < 40; ++i)
    triples.push_back({"place " + std::to_string(i), "next", "place " + std::to_string((i + 1) % 40)});
  return graph::KnowledgeGraph::from_triples(triples, std::vector<std::string>{"nowhere"});
}

Edge edge_to(const graph::KnowledgeGraph& graph, EntityId from, EntityId to) {
  for (const Edge& edge : graph.out_edges(from))
    if (edge.tail == to) return edge;
  throw Error("no such edge");
}

// Hops that come nearer, or go away.
std::vector<Edge> hops(const Environment& world, const graph::KnowledgeGraph& graph,
                       const graph::DistanceIndex& index, bool nearer) {
  std::vector<Edge> chosen;
  for (const Episode& e : world.episodes())
    for (const EntityId v : graph.neighbors(e.situation.start))
      if ((index.distance(v, e.pair.goal) < e.distance) == nearer || e.distance == 20) {
        chosen.push_back(edge_to(graph, e.situation.start, v));
        break;
      }
  return chosen;
}

// Films in a row, joined by their directors, a genre each.
graph::KnowledgeGraph films() {
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < 12; ++i) {
    const std::string film = "Film " + std::to_string(i);
    triples.push_back({film, "directed_by", "Director " + std::to_string(i)});
    triples.push_back({"Film " + std::to_string(i + 1), "directed_by", "Director " + std::to_string(i)});
    triples.push_back({film, "has_genre", "Genre " + std::to_string(i)});
  }
  return graph::KnowledgeGraph::from_triples(triples, {});
}

// Scores all edges alike, hears a question in whatever was said, and any relation in it; or hears nothing.
class Listener : public walker::testing::RememberingWalker {
 public:
  Listener(const graph::KnowledgeGraph& graph, bool hears) : graph_(graph), hears_(hears) {}
  [[nodiscard]] const graph::KnowledgeGraph& graph() const override { return graph_; }
  [[nodiscard]] std::string describe() const override { return "listener"; }
  [[nodiscard]] walker::CandidateScores score(walker::Encoded& encoded,
                                              std::span<const walker::PartialPath> states) const override {
    walker::CandidateScores scores;
    scores.offsets.push_back(0);
    for (const walker::PartialPath& path : states) {
      const auto start = example_of(encoded, path).start;
      const EntityId at =
          path.num_hops == 0 ? start : path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail;
      const std::size_t count = graph_.out_edges(at).size() + 1;
      scores.log_probs.insert(scores.log_probs.end(), count, -std::log(static_cast<float>(count)));
      scores.offsets.push_back(static_cast<std::int64_t>(scores.log_probs.size()));
    }
    return scores;
  }
  [[nodiscard]] std::vector<walker::Hearing> hear(walker::Encoded& encoded) const override {
    std::vector<walker::Hearing> heard(examples_of(encoded).size());
    for (walker::Hearing& one : heard)
      one.acts[static_cast<std::size_t>(hears_ ? walker::Act::kOne : walker::Act::kNothing)] = 1;
    return heard;
  }
  [[nodiscard]] walker::RelationHearing relation_hearing(walker::Encoded& /*encoded*/,
                                                         std::size_t /*example*/) const override {
    return [this](int hop, std::span<const graph::RelationId> before) {
      std::vector<float> row(graph_.num_relations() + 1, 0.0F);
      if (hop > 0) row.back() = 20;
      return std::vector<std::vector<float>>(before.size(), row);
    };
  }

 private:
  const graph::KnowledgeGraph& graph_;
  bool hears_;
};

std::vector<std::vector<graph::Triple>> walked(const std::vector<Walk>& walks) {
  std::vector<std::vector<graph::Triple>> all;
  for (const Walk& walk : walks) all.push_back(walk.episode.situation.walked);
  return all;
}

TEST(SideQuestions, AreAnsweredBesideTheHopsAndNeverLeadAway) {
  const auto graph = films();
  const auto index = graph::DistanceIndex::build(graph);
  const auto pairs = sample_pairs(graph, GoalSplit::kTrain, {5}, 12, 1).pairs.front();
  const SideQuestions questions(graph);
  const Listener hears(graph, true), deaf(graph, false);
  const auto walk = [&](const walker::WalkModel& model, double share) {
    WalkConfig config;
    config.asking = {share, &questions, &model, 2};
    return walk_pairs(pairs, shortest(graph, index, 5), SilentUser(), index, nullptr, config, 1);
  };
  const auto plain = walk(hears, 0), asked = walk(hears, 0.5), unheard = walk(deaf, 0.5);
  std::int64_t number = 0, right = 0;
  for (const Walk& w : asked) {
    EXPECT_TRUE(w.reached());
    EXPECT_LE(w.episode.hops, w.episode.pair.distance);  // an answer may come nearer, none leads away
    EXPECT_TRUE(w.episode.situation.context.empty());    // none is heard twice
    for (const AskedOnTheWay& one : w.asked) {
      ++number;
      right += one.right ? 1 : 0;
      EXPECT_TRUE(one.heard);
      EXPECT_LE(index.distance(one.on_from, w.episode.pair.goal),
                index.distance(one.stood, w.episode.pair.goal));
    }
  }
  EXPECT_GT(number, 4);
  EXPECT_GT(right, 0);
  const SuccessRow row = success_row(5, asked);
  EXPECT_EQ(row.asked, number);
  EXPECT_EQ(row.answered, right);
  EXPECT_EQ(row.heard, number);
  EXPECT_NE(success_table({&row, 1}).find("answered rightly"), std::string::npos);
  EXPECT_EQ(walked(unheard), walked(plain));  // what is not heard changes nothing, and costs no turn
  for (const Walk& w : unheard)
    for (const AskedOnTheWay& one : w.asked) EXPECT_FALSE(one.heard || one.right);
}

TEST(SideQuestions, AskWhatTheGraphCanAnswer) {
  const auto graph = films();
  const SideQuestions questions(graph);
  walker::Example here;
  here.start = *graph.find_entity("Film 3");
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const auto question = questions.ask(here, random);
    ASSERT_TRUE(question.has_value());
    EXPECT_EQ(question->about, here.start);
    EXPECT_EQ(question->said.back().speaker, graph::Speaker::kUser);
    for (const EntityId answer : question->right)
      EXPECT_NE(edge_to(graph, here.start, answer).tail, here.start);
  }
}

TEST(Pairs, HaveTheirDistanceAndKeepGoalsApart) {
  const auto graph = ring();
  const auto index = graph::DistanceIndex::build(graph);
  PairStream stream(graph, GoalSplit::kTrain, {2, 5}, 3);
  std::set<int> seen;
  for (int i = 0; i < 200; ++i) {
    const Pair pair = stream.next();
    EXPECT_EQ(index.distance(pair.start, pair.goal), pair.distance);
    EXPECT_EQ(goal_split(graph, pair.goal), GoalSplit::kTrain);
    seen.insert(pair.distance);
  }
  EXPECT_EQ(seen, (std::set<int>{2, 5}));
}

TEST(Pairs, ARareDistanceComesAsOftenAsACommonOne) {
  std::vector<graph::NamedTriple> triples;  // a star of 300 with two tails of 10: 16 hops lie between few
  const auto edge = [&](int a, int b) { triples.push_back({std::to_string(a), "r", std::to_string(b)}); };
  for (int leaf = 1; leaf <= 300; ++leaf) edge(0, leaf);
  for (int i = 300; i < 320; ++i) edge(i == 310 ? 0 : i, i + 1);
  const auto graph = graph::KnowledgeGraph::from_triples(triples, {});
  PairStream stream(graph, GoalSplit::kTrain, {1, 2, 16, 40}, 3);
  std::map<int, int> count;
  for (int i = 0; i < 3000; ++i) ++count[stream.next().distance];
  ASSERT_EQ(count.size(), 3U) << "40 occurs nowhere";
  for (const auto& [distance, times] : count) EXPECT_NEAR(times, 1000, 130) << distance;  // five deviations
}

TEST(Pairs, AStreamGoesOnWhereItWasSaved) {
  const auto graph = ring();
  PairStream a(graph, GoalSplit::kTrain, {3}, 3), b(graph, GoalSplit::kTrain, {3}, 4);
  (void)a.next();
  b.set_state(a.state());
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(a.next(), b.next());
}

TEST(Pairs, SayWhatIsInfeasible) {
  const auto graph = ring();
  const PairSample sample = sample_pairs(graph, GoalSplit::kTrain, {20, 21}, 3, 1);
  EXPECT_EQ(sample.pairs[0].size(), 3U);
  EXPECT_TRUE(sample.pairs[1].empty());
  EXPECT_GT(sample.infeasible[1], 0);
  EXPECT_EQ(sample.infeasible[0], 0);
  EXPECT_THROW(PairStream(graph, GoalSplit::kTrain, {21}, 1), ConfigError);
  EXPECT_THROW((void)goal_split_named("trian"), ConfigError);
}

TEST(Environment, RewardsNearerHopsAndTheGoal) {
  const auto graph = ring();
  const auto index = graph::DistanceIndex::build(graph);
  const SilentUser user;
  EnvironmentConfig config;
  config.episodes = 6;
  config.distances = {2};
  config.reward.goal = 1;
  Environment world(graph, index, user, config, 7);
  for (const HopOutcome& o : world.step(hops(world, graph, index, true), {})) EXPECT_EQ(o.reward, 1);
  for (const HopOutcome& o : world.step(hops(world, graph, index, true), {})) {
    EXPECT_TRUE(o.reached && o.ended);
    EXPECT_EQ(o.reward, 2);
  }
  for (const Episode& e : world.episodes()) EXPECT_EQ(e.hops, 0);  // begun anew
}

TEST(Environment, ToAndFroEarnsNothingAgainstTheBest) {
  const auto graph = ring();
  const auto index = graph::DistanceIndex::build(graph);
  const SilentUser user;
  for (const char* than : {"best", "previous"}) {
    EnvironmentConfig config;
    config.episodes = 4;
    config.distances = {5};
    config.reward.than = than;
    Environment world(graph, index, user, config, 7);
    (void)world.step(hops(world, graph, index, true), {});
    (void)world.step(hops(world, graph, index, false), {});
    for (const HopOutcome& o : world.step(hops(world, graph, index, true), {}))
      EXPECT_EQ(o.reward, std::string(than) == "best" ? 0 : 1);
  }
}

TEST(Environment, NaturalnessIsWeighed) {
  const auto graph = ring();
  const auto index = graph::DistanceIndex::build(graph);
  const SilentUser user;
  EnvironmentConfig config;
  config.episodes = 2;
  config.distances = {5};
  config.reward.naturalness = 0.25;
  config.reward.natural_scale = 10;
  Environment world(graph, index, user, config, 7);
  EXPECT_THROW((void)world.step(hops(world, graph, index, true), {}), ShapeError);
  const std::vector<float> natural{-5, -20};
  const auto outcomes = world.step(hops(world, graph, index, true), natural);
  EXPECT_NEAR(outcomes[0].reward, 0.75 - 0.25 * 0.5, 1e-9);
  EXPECT_NEAR(outcomes[1].reward, 0.75 - 0.25 * 2, 1e-9);
}

TEST(Environment, GoesOnWhereItWasSaved) {
  const auto graph = ring();
  const auto index = graph::DistanceIndex::build(graph);
  const SilentUser user;
  EnvironmentConfig config;
  config.episodes = 5;
  config.distances = {2, 3};
  Environment a(graph, index, user, config, 7), b(graph, index, user, config, 8);
  (void)a.step(hops(a, graph, index, true), {});
  b.set_state(a.state());
  for (int i = 0; i < 20; ++i) {
    (void)a.step(hops(a, graph, index, true), {});
    (void)b.step(hops(b, graph, index, true), {});
    EXPECT_EQ(a.state(), b.state());
  }
}

TEST(Presets, FitTheirConfigurations) {
  ASSERT_FALSE(preset_names("a2c").empty());
  for (const std::string& name : preset_names("a2c")) {
    Stage2Config config;
    apply_json(config, preset("a2c", name), name);
    EXPECT_NO_THROW(validate(config, name));
  }
  for (const std::string& name : preset_names("simulator")) {
    SimulatorConfig config;
    apply_json(config, preset("simulator", name), name);
    EXPECT_NO_THROW(validate(config, name));
  }
  EXPECT_THROW((void)preset("a2c", "natrual"), ConfigError);
}

TEST(Walks, ShortestPathsAlwaysReachInTime) {
  const auto graph = ring();
  const auto index = graph::DistanceIndex::build(graph);
  const PairSample sample = sample_pairs(graph, GoalSplit::kTrain, {4}, 10, 1);
  const auto walks =
      walk_pairs(sample.pairs[0], shortest(graph, index, 1), SilentUser(), index, nullptr, {}, 1);
  const SuccessRow row = success_row(4, walks);
  EXPECT_EQ(row.within[0], 10);
  EXPECT_EQ(row.within[2], 10);
  EXPECT_DOUBLE_EQ(row.turn_ratio, 1);
}

TEST(Walks, NaturalnessIsComparedPairByPair) {
  std::vector<Walk> walks(3), direct(3);
  for (int i = 0; i < 3; ++i) {
    walks[i].episode.hops = 4;
    walks[i].log_prob = -4.0 - i;  // -1, -1.25, -1.5 a hop
    direct[i].episode.hops = 2;
    direct[i].log_prob = -4.0 - 0.5 * i;  // -2, -2.25, -2.5 a hop
  }
  const SuccessRow row = success_row(2, walks, {.shortest = direct});
  EXPECT_DOUBLE_EQ(row.log_prob, -1.25);
  const auto gain = over_shortest({&row, 1});
  ASSERT_TRUE(gain);
  EXPECT_DOUBLE_EQ(gain->score, 1);
  EXPECT_NEAR(gain->low, 1, 1e-12);  // every pair gains 1, whichever are drawn
  EXPECT_NEAR(gain->high, 1, 1e-12);
  EXPECT_TRUE(row.to_json().contains("over_shortest"));
  const SuccessRow bare = success_row(2, walks);
  EXPECT_FALSE(over_shortest({&bare, 1}));
}

TEST(Walks, LostWalksEndAtTheBudget) {
  const auto graph = ring();
  const auto index = graph::DistanceIndex::build(graph);
  const Chooser back_and_forth = [&](std::span<const walker::Example* const> situations) {
    std::vector<std::optional<Edge>> chosen;
    for (const walker::Example* s : situations)
      chosen.push_back(graph.out_edges(s->start)[s->walked.size() % 2]);
    return chosen;
  };
  const PairSample sample = sample_pairs(graph, GoalSplit::kTrain, {6}, 5, 1);
  for (const Walk& w : walk_pairs(sample.pairs[0], back_and_forth, SilentUser(), index, nullptr, {}, 1)) {
    EXPECT_FALSE(w.reached());
    EXPECT_EQ(w.episode.hops, 12);
  }
}

}  // namespace
}  // namespace kgwalk::rl
