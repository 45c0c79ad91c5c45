// A2C on a world whose optimum is known: a line of five places, the goal at its right end.
#include <torch/optim.h>

#include "rl/training/a2c.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/random.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/runtime/test_support.h"

namespace kgwalk::rl {
namespace {

using torch::Tensor;

constexpr RunKind kTestRun{.name = "test", .command = "test", .parts = {"trainer"}};
constexpr int kPlaces = 5;  // 0 .. 4; the goal is 4 and ends the episode with reward 1
constexpr double kDiscount = 0.8;

struct TableNetImpl : torch::nn::Module {
  TableNetImpl() {
    policy = register_parameter("policy", torch::zeros({kPlaces, 2}));
    value = register_parameter("value", torch::zeros({kPlaces}));
  }
  Tensor policy, value;
};
TORCH_MODULE(TableNet);

class LineActor : public Actor {
 public:
  explicit LineActor(int episodes) : random_(5), places_(static_cast<std::size_t>(episodes), 0) {}
  torch::nn::Module& module() override { return *net_; }
  Step act() override {
    const Tensor at = torch::tensor(at::ArrayRef<std::int64_t>(places_), torch::kInt64);
    const Tensor log_probs = torch::log_softmax(net_->policy.index_select(0, at), 1);  // [B, 2]
    std::vector<std::int64_t> moves;
    std::vector<float> rewards, ended;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double right = std::exp(log_probs[static_cast<std::int64_t>(i)][1].item<double>());
      moves.push_back(random_.uniform() < right ? 1 : 0);
      places_[i] = std::max<std::int64_t>(0, places_[i] + (moves.back() == 1 ? 1 : -1));
      const bool reached = places_[i] == kPlaces - 1;
      rewards.push_back(reached ? 1.0F : 0.0F);
      ended.push_back(reached ? 1.0F : 0.0F);
      if (reached) places_[i] = static_cast<std::int64_t>(random_.below(kPlaces - 1));
    }
    const Tensor taken = torch::tensor(at::ArrayRef<std::int64_t>(moves), torch::kInt64);
    return {log_probs.gather(1, taken.unsqueeze(1)).squeeze(1), -(log_probs.exp() * log_probs).sum(1),
            net_->value.index_select(0, at), torch::tensor(rewards), torch::tensor(ended)};
  }
  Tensor values() override {
    return net_->value.index_select(0, torch::tensor(at::ArrayRef<std::int64_t>(places_), torch::kInt64));
  }
  Json evaluate() override { return {{"score", 0}}; }
  void save(const std::filesystem::path& /*folder*/) const override {}
  void load(const std::filesystem::path& /*folder*/) override {}
  TableNet net_;

 private:
  Random random_;
  std::vector<std::int64_t> places_;
};

TEST(A2c, ReturnsStopAtTheEndOfAnEpisode) {
  const Tensor rewards = torch::tensor({{1.0F, 0.0F}, {2.0F, 0.0F}, {4.0F, 1.0F}});
  const Tensor ended = torch::tensor({{0.0F, 0.0F}, {1.0F, 0.0F}, {0.0F, 0.0F}});
  const Tensor returns = n_step_returns(rewards, ended, torch::tensor({10.0F, 20.0F}), 0.5);
  const Tensor expected =
      torch::tensor({{1 + 0.5F * 2, 0.25F * 11}, {2.0F, 0.5F * 11}, {4 + 5.0F, 1 + 10.0F}});
  EXPECT_TRUE(torch::allclose(returns, expected)) << returns;
}

TEST(A2c, LossPushesTowardsActionsBetterThanExpected) {
  A2cConfig config;
  config.normalize = false;
  config.entropy = 0;
  const Tensor log_probs = torch::full({1, 2}, -1.0F).requires_grad_();
  const Tensor values = torch::tensor({{0.0F, 0.0F}}).requires_grad_();
  const A2cLoss loss =
      a2c_loss(log_probs, torch::zeros({1, 2}), values, torch::tensor({{1.0F, -1.0F}}), config);
  loss.total.backward();
  EXPECT_LT(log_probs.grad()[0][0].item<float>(), 0);  // descent raises it
  EXPECT_GT(log_probs.grad()[0][1].item<float>(), 0);
  EXPECT_NEAR(values.grad()[0][0].item<float>(), config.value * -2.0 / 2, 1e-6);
}

TEST(A2c, LearnsTheLineWorld) {
  seed_torch(3);
  LineActor actor(32);
  A2cConfig config;
  config.discount = kDiscount;
  config.entropy = 0.001;
  config.steps = 5;
  A2cTask task(actor, config);
  torch::optim::Adam optimizer(actor.module().parameters(), torch::optim::AdamOptions(0.05));
  for (int update = 0; update < 300; ++update) {
    optimizer.zero_grad();
    task.step(0).loss.backward();
    optimizer.step();
  }
  const Tensor right = torch::softmax(actor.net_->policy, 1).select(1, 1);
  for (int place = 0; place < kPlaces - 1; ++place) {
    EXPECT_GT(right[place].item<double>(), 0.95) << "place " << place;
    // The optimal value of a place is the discount to the number of hops before the last.
    EXPECT_NEAR(actor.net_->value[place].item<double>(), std::pow(kDiscount, kPlaces - 2 - place), 0.1)
        << "place " << place;
  }
}

// Whose rewards are no numbers after some steps.
class PoisonedActor : public LineActor {
 public:
  explicit PoisonedActor(int good_steps) : LineActor(8), left_(good_steps) {}
  Step act() override {
    Step step = LineActor::act();
    if (left_-- <= 0) step.rewards = step.rewards * std::nan("");
    return step;
  }
  Json evaluate() override {
    evaluated = checksum_of(state_of(*net_));
    return {{"score", 1}};
  }
  std::string evaluated;  // weights at the last evaluation

 private:
  int left_;
};

TEST(A2c, WhatIsNoNumberStopsAndLeavesTheCheckpointBeforeIt) {
  const test::TempFolder folder;
  A2cConfig config;
  config.updates_per_epoch = 3;
  config.steps = 2;
  TrainerConfig trainer;
  trainer.max_epochs = 4;
  PoisonedActor actor(2 * 7);  // seven good updates
  A2cTask task(actor, config);
  RunFolder run = RunFolder::create(folder / "run", kTestRun);
  const std::string said = test::message_of<NumericError>([&] {
    (void)train(task, trainer, RunManifest(kTestRun, to_json_of(trainer), 1), run, silent_reporter(),
                never_stop());
  });
  EXPECT_TRUE(test::contains(said, "update 8") && test::contains(said, "checkpoints/last")) << said;
  const Checkpoint last = read_checkpoint(run.checkpoint("last"));
  EXPECT_EQ(last.state["step"], 6);
  EXPECT_EQ(checksum_of(last.model), actor.evaluated);
  for (const auto& [name, tensor] : last.model)
    EXPECT_TRUE(torch::isfinite(tensor).all().item<bool>()) << name;

  PoisonedActor healed(1000);  // the run goes on from there
  A2cTask again(healed, config);
  const TrainReport report = train(again, trainer, RunManifest(kTestRun, to_json_of(trainer), 1), run,
                                   silent_reporter(), never_stop());
  EXPECT_EQ(report.steps, 12);
}

}  // namespace
}  // namespace kgwalk::rl
