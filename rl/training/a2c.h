// Advantage actor-critic (Mnih et al., ICML 2016, synchronous form): n-step returns, advantage, entropy
// bonus, as a task of the one training loop. It knows nothing of graphs: any world of parallel episodes
// learns through it.
//
// Shapes: B parallel episodes, T steps of a rollout.
#pragma once

#include <deque>
#include <filesystem>
#include <vector>

#include "runtime/config.h"
#include "runtime/launch.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk::rl {

struct A2cConfig {
  int steps = 4;               // T: hops between two updates
  double discount = 0.9;       // gamma
  double entropy = 0.01;       // weight of the entropy bonus
  double value = 0.5;          // weight of the value loss
  bool normalize = true;       // advantages of a rollout to mean zero and deviation one
  int updates_per_epoch = 50;  // evaluations come at the end of an epoch
  template <class F>
  void fields(F& f) {
    f("steps", steps, "Number of turns between two updates, n of the n-step returns.").range(1, 1000);
    f("discount", discount, "Factor by which a reward counts less for each turn that it comes later.")
        .range(0, 1);
    f("entropy", entropy, "Weight of the entropy bonus, which keeps the policy trying.").range(0, 10);
    f("value", value, "Weight of the loss of the value head.").range(0, 100);
    f("normalize", normalize, "Advantages of a rollout are brought to mean zero and deviation one.")
        .formerly("normalise");
    f("updates_per_epoch", updates_per_epoch, "Number of updates that count as an epoch.").range(1, 1e6);
  }
};

// One step of all episodes. log_probs, entropies and values carry gradients; all [B] float32.
struct Step {
  torch::Tensor log_probs;  // of the actions taken
  torch::Tensor entropies;  // of the policy in the states left
  torch::Tensor values;     // V of the states left
  torch::Tensor rewards;
  torch::Tensor ended;  // 1 where the episode ended with this step: nothing comes after it
};

// The policy in its world. Called from one thread.
class Actor {
 public:
  virtual ~Actor() = default;
  [[nodiscard]] virtual torch::nn::Module& module() = 0;
  // Draws an action for every episode, takes it, and restarts ended episodes.
  [[nodiscard]] virtual Step act() = 0;
  // V of the present states, [B]; called without gradients.
  [[nodiscard]] virtual torch::Tensor values() = 0;
  // Added to the loss of each update, e.g. what keeps stage 1 from being forgotten; undefined = nothing.
  [[nodiscard]] virtual torch::Tensor further_loss() { return {}; }
  // Returns and success of whole episodes that ended since the last call, for the curves.
  [[nodiscard]] virtual Json episode_metrics() { return Json::object(); }
  [[nodiscard]] virtual Json evaluate() = 0;  // with "score"
  // State of the world, so that a resumed training goes on as if nothing had happened.
  virtual void save(const std::filesystem::path& folder) const = 0;
  virtual void load(const std::filesystem::path& folder) = 0;
};

// R_t = r_t + gamma (1 - ended_t) R_{t+1}, R_T = last: rewards, ended [T, B], last [B] -> [T, B].
[[nodiscard]] torch::Tensor n_step_returns(const torch::Tensor& rewards, const torch::Tensor& ended,
                                           const torch::Tensor& last, double discount);

struct A2cLoss {
  torch::Tensor total;                        // scalar
  double policy = 0, value = 0, entropy = 0;  // means
  double explained_variance = 0;              // 1 - Var(R - V) / Var(R); 0 when all returns are equal
};
// log_probs, entropies, values, returns: [T, B].
[[nodiscard]] A2cLoss a2c_loss(const torch::Tensor& log_probs, const torch::Tensor& entropies,
                               const torch::Tensor& values, const torch::Tensor& returns,
                               const A2cConfig& config);

class A2cTask : public Task {
 public:
  A2cTask(Actor& actor, const A2cConfig& config) : actor_(actor), config_(config) {}

  [[nodiscard]] torch::nn::Module& module() override { return actor_.module(); }
  std::int64_t begin_epoch(int /*epoch*/, Random& /*random*/) override { return config_.updates_per_epoch; }
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  [[nodiscard]] Json evaluate() override { return actor_.evaluate(); }
  void save_extra(const std::filesystem::path& folder) const override { actor_.save(folder); }
  // Processes that train together each have a world of their own; that of the first is the one that is kept.
  void load_extra(const std::filesystem::path& folder) override {
    if (launch().rank == 0) actor_.load(folder);
  }

 private:
  Actor& actor_;
  A2cConfig config_;
};

}  // namespace kgwalk::rl
