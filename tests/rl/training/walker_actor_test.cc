// The walker as a policy: what it draws, values and counts, against plain computations on the same weights.
#include "rl/training/walker_actor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"
#include "rl/environment/routes.h"
#include "rl/environment/walks.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/rl/ring.h"
#include "tests/runtime/test_support.h"

namespace kgwalk::rl {
namespace {

using testing::bridged_ring;
using testing::walker_on;
using torch::Tensor;
using walker::NeuralWalker;

class ActorInTheRing : public ::testing::Test {
 protected:
  ActorInTheRing()
      : graph_(bridged_ring()),
        index_(graph::DistanceIndex::build(*graph_)),
        policy_(walker_on(graph_, 1)),
        stage1_(walker_on(graph_, 2)) {
    set_torch_threads(1);
    config_.environment.episodes = 6;
    config_.environment.distances = {3};
    config_.environment.reward.naturalness = 0.5;
    config_.environment.reward.natural_scale = 4;
    config_.environment.reward.goal = 50;
    config_.train = "all";
  }
  [[nodiscard]] Environment world(std::uint64_t seed = 7) const {
    return {*graph_, index_, user_, config_.environment, seed};
  }
  [[nodiscard]] std::unique_ptr<WalkerActor> actor(Environment& world, std::uint64_t seed = 5) const {
    seed_torch(3);  // of the value head
    return std::make_unique<WalkerActor>(*policy_, stage1_.get(), nullptr, world, config_, seed, [] {
      return Json{{"score", 0}};
    });
  }

  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  graph::DistanceIndex index_;
  SilentUser user_;
  Stage2Config config_;
  std::unique_ptr<NeuralWalker> policy_, stage1_;
};

std::vector<walker::Example> copies(const Environment& world) {
  std::vector<walker::Example> examples;
  for (const walker::Example* e : world.situations()) examples.push_back(*e);
  return examples;
}

std::vector<const walker::Example*> pointers(const std::vector<walker::Example>& examples) {
  std::vector<const walker::Example*> list;
  for (const walker::Example& e : examples) list.push_back(&e);
  return list;
}

// The hops just taken; no episode may have ended.
std::vector<graph::Edge> last_hops(const Environment& world) {
  std::vector<graph::Edge> hops;
  for (const Episode& e : world.episodes())
    hops.push_back({e.situation.walked.back().relation, e.situation.walked.back().tail});
  return hops;
}

TEST_F(ActorInTheRing, DrawsHopsByTheModelsProbabilitiesWithoutStopping) {
  Environment world = this->world();
  const auto actor = this->actor(world);
  const auto before = copies(world);
  const Step step = actor->act();
  ASSERT_EQ(step.log_probs.sizes(), (std::vector<std::int64_t>{6}));
  const auto hops = last_hops(world);  // three hops are needed, so that none has ended
  std::vector<walker::PartialPath> states;
  for (std::int32_t i = 0; i < 6; ++i) states.push_back({.example = i});
  const walker::CandidateScores scores = policy_->score(*policy_->encode(before), states);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto begin = static_cast<std::size_t>(scores.offsets[i]),
               stop = static_cast<std::size_t>(scores.offsets[i + 1]) - 1;
    double total = 0, entropy = 0;
    for (std::size_t k = begin; k < stop; ++k) total += std::exp(static_cast<double>(scores.log_probs[k]));
    for (std::size_t k = begin; k < stop; ++k) {
      const double p = std::exp(static_cast<double>(scores.log_probs[k])) / total;
      entropy -= p * std::log(p);
    }
    const auto row = static_cast<std::int64_t>(i);
    const std::int64_t place = walker::place_of(*graph_, before[i].start, hops[i]);
    ASSERT_GE(place, 0);
    EXPECT_NEAR(step.log_probs[row].item<double>(),
                scores.log_probs[begin + static_cast<std::size_t>(place)] - std::log(total), 1e-4);
    EXPECT_NEAR(step.entropies[row].item<double>(), entropy, 1e-4);
  }
}

TEST_F(ActorInTheRing, NaturalnessIsThatOfTheFirstStageWithTheGoalHidden) {
  Environment world = this->world(), twin = this->world();
  const auto actor = this->actor(world);
  const auto before = copies(world);
  const Step step = actor->act();
  const auto hops = last_hops(world);
  const std::vector<float> natural = hop_log_probs(*stage1_, pointers(before), hops);
  const auto outcomes = twin.step(hops, natural);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(step.rewards[static_cast<std::int64_t>(i)].item<double>(), outcomes[i].reward, 1e-4);
  EXPECT_EQ(twin.state()["episodes"], world.state()["episodes"]);
  // The goal would have changed them.
  std::vector<walker::PartialPath> states;
  for (std::int32_t i = 0; i < 6; ++i) states.push_back({.example = i});
  const auto with_goal = stage1_->score(*stage1_->encode(before), states);
  double difference = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto place =
        static_cast<std::size_t>(with_goal.offsets[i] + walker::place_of(*graph_, before[i].start, hops[i]));
    difference = std::max(difference, std::abs(static_cast<double>(with_goal.log_probs[place] - natural[i])));
  }
  EXPECT_GT(difference, 0.05);
}

TEST_F(ActorInTheRing, ValuesAreThoseOfTheNextStepAndCarryGradientsOnlyThere) {
  Environment world = this->world();
  const auto actor = this->actor(world);
  Tensor before;
  {
    const torch::NoGradGuard no_grad;
    before = actor->values();
  }
  ASSERT_EQ(before.sizes(), (std::vector<std::int64_t>{6}));
  EXPECT_FALSE(before.requires_grad());
  const Step step = actor->act();
  EXPECT_TRUE(torch::allclose(before, step.values, 1e-5, 1e-6));
  for (const Tensor* t : {&step.log_probs, &step.entropies, &step.values}) {
    EXPECT_TRUE(t->requires_grad());
    EXPECT_EQ(t->sizes(), step.rewards.sizes());
  }
  EXPECT_FALSE(step.rewards.requires_grad());
  EXPECT_GT((step.values.max() - step.values.min()).item<float>(), 0) << "the states differ";
}

TEST_F(ActorInTheRing, OnlyWhatTheGoalTouchesIsTrainedUnlessAllIs) {
  config_.train = "goal";
  Environment world = this->world();
  const auto actor = this->actor(world);
  int trained = 0, kept = 0;
  for (const auto& item : actor->module().named_parameters()) {
    const bool goal = item.key().find("goal") != std::string::npos || item.key().starts_with("value");
    EXPECT_EQ(item.value().requires_grad(), goal) << item.key();
    (goal ? trained : kept)++;
  }
  EXPECT_GT(trained, 4);
  EXPECT_GT(kept, 20);
}

TEST_F(ActorInTheRing, MetricsCountWholeEpisodes) {
  {  // Random likings of the goal's features could keep every walk away from it.
    const torch::NoGradGuard no_grad;
    for (const auto& item : policy_->net().named_parameters())
      if (item.key().starts_with("scorer.goal")) item.value().zero_();
  }
  Environment world = this->world();
  const auto actor = this->actor(world);
  std::vector<double> earned(6);
  std::vector<int> taken(6);
  double returns = 0, hops = 0;
  int ended = 0, reached = 0;
  for (int t = 0; t < 60; ++t) {
    const Step step = actor->act();
    for (std::size_t i = 0; i < 6; ++i) {
      const auto row = static_cast<std::int64_t>(i);
      earned[i] += step.rewards[row].item<double>();
      ++taken[i];
      const bool goal = step.rewards[row].item<double>() > 40;
      EXPECT_TRUE(!goal || step.ended[row].item<double>() == 1);
      if (step.ended[row].item<double>() == 0) continue;
      ++ended;
      reached += goal;
      returns += earned[i];
      hops += taken[i];
      EXPECT_LE(taken[i], 8) << "budget of distance 3";
      earned[i] = 0;
      taken[i] = 0;
    }
  }
  ASSERT_GT(ended, 20);
  ASSERT_GT(reached, 0);
  const Json metrics = actor->episode_metrics();
  EXPECT_NEAR(metrics["success"].get<double>(), 100.0 * reached / ended, 1e-9);
  EXPECT_NEAR(metrics["hops"].get<double>(), hops / ended, 1e-9);
  EXPECT_NEAR(metrics["return"].get<double>(), returns / ended, 1e-3);
  EXPECT_TRUE(actor->episode_metrics().empty()) << "counted once";
}

TEST_F(ActorInTheRing, ClosedEntitiesAreNeverDrawn) {
  config_.route = {.avoid_hubs = 2, .revisit = false};
  Environment world = this->world();
  const auto actor = this->actor(world);
  const graph::Hubs hubs(*graph_, 2);
  int hops = 0;
  for (int t = 0; t < 30; ++t) {
    const auto before = copies(world);
    const Step step = actor->act();
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (step.ended[static_cast<std::int64_t>(i)].item<float>() != 0) continue;
      const walker::Example& now = world.episodes()[i].situation;
      EXPECT_FALSE(stands_twice(now.walked));
      bool another = false;  // way than over a hub
      for (const graph::Edge& edge : graph_->out_edges(before[i].start))
        another |= RouteRules(*graph_, config_.route).allow(before[i], edge.tail);
      EXPECT_FALSE(another && hubs.contains(now.start));
      ++hops;
    }
  }
  EXPECT_GT(hops, 50);
}

TEST_F(ActorInTheRing, NothingToImitateIsSaid) {
  config_.imitation = 1;
  Environment world = this->world();
  EXPECT_TRUE(test::contains(test::message_of<ConfigError>([&] { (void)this->actor(world); }), "imitate"));
}

TEST_F(ActorInTheRing, GoesOnWhereItWasSaved) {
  const test::TempFolder folder;
  Environment world = this->world(), other = this->world(8);
  const auto actor = this->actor(world);
  for (int t = 0; t < 5; ++t) (void)actor->act();
  (void)actor->values();
  actor->save(folder.path());
  const auto resumed = this->actor(other, 99);
  resumed->load(folder.path());
  for (int t = 0; t < 12; ++t) {
    const Step a = actor->act(), b = resumed->act();
    EXPECT_TRUE(torch::equal(a.log_probs, b.log_probs)) << t;
    EXPECT_TRUE(torch::equal(a.rewards, b.rewards)) << t;
  }
  EXPECT_EQ(world.state(), other.state());
  EXPECT_EQ(actor->episode_metrics(), resumed->episode_metrics());
}

TEST_F(ActorInTheRing, AStateOfAnotherKindIsRefused) {
  const test::TempFolder folder;
  Environment world = this->world();
  const auto actor = this->actor(world);
  write_file_atomically(folder / "environment.json", "{\"environment\": 3}\n");
  EXPECT_TRUE(
      test::contains(test::message_of<FormatError>([&] { actor->load(folder.path()); }), "environment.json"));
  config_.environment.episodes = 4;
  Environment smaller(*graph_, index_, user_, config_.environment, 7);
  const auto few = this->actor(smaller);
  few->save(folder.path());
  EXPECT_TRUE(test::contains(test::message_of<FormatError>([&] { actor->load(folder.path()); }), "4"));
}

// Thesis 5.3.4: no comparison of candidate and goal, every weight trained, 1 for d_t < d_{t-1} and 0
// otherwise.
TEST_F(ActorInTheRing, AsPrintedEveryWeightLearnsFromTheGoalAsAnInput) {
  config_.environment.reward = {.than = Nearer::kPrevious, .goal = 0};
  Environment world = this->world();
  const auto printed = walker_on(graph_, 4, false, true);
  WalkerActor actor(*printed, nullptr, nullptr, world, config_, 5, [] { return Json{{"score", 0}}; });
  std::vector<graph::Distance> before;
  for (const Episode& e : world.episodes()) before.push_back(e.distance);
  const Step step = actor.act();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Episode& e = world.episodes()[i];
    if (step.ended[static_cast<std::int64_t>(i)].item<float>() != 0) continue;
    EXPECT_EQ(step.rewards[static_cast<std::int64_t>(i)].item<float>(), e.distance < before[i] ? 1 : 0) << i;
  }
  (step.log_probs.sum() + step.values.sum()).backward();
  for (const auto& p : actor.module().named_parameters()) {
    if (p.key().find("length_head") != std::string::npos || p.key().find("eop") != std::string::npos)
      continue;
    ASSERT_TRUE(p.value().grad().defined()) << p.key();
  }
  const auto examples = world.situations();
  const auto seen = printed->situations(examples);
  const auto hidden = seen.without_goals(graph_->num_entities());
  const torch::NoGradGuard no_grad;
  EXPECT_GT((printed->first_hop(seen).scores - printed->first_hop(hidden).scores).abs().max().item<float>(),
            1e-3)
      << "the goal is heard through the decoder";
}

TEST_F(ActorInTheRing, NeedsAWalkerThatKnowsGoalsAndTheFirstStageForNaturalness) {
  Environment world = this->world();
  const auto blind = walker_on(graph_, 4, false);
  config_.train = "goal";
  const auto none = [] { return Json{{"score", 0}}; };
  EXPECT_TRUE(test::contains(test::message_of<ConfigError>([&] {
                               WalkerActor(*blind, stage1_.get(), nullptr, world, config_, 1, none);
                             }),
                             "scoring.goal"));
  EXPECT_TRUE(test::contains(test::message_of<ConfigError>(
                                 [&] { WalkerActor(*policy_, nullptr, nullptr, world, config_, 1, none); }),
                             "naturalness"));
}

}  // namespace
}  // namespace kgwalk::rl
