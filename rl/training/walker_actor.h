// The walker as the policy of A2C in the graph's environment (thesis 5.3.4): one hop a turn, a value head
// beside the candidate scores.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rl/environment/environment.h"
#include "rl/environment/route_rules.h"
#include "rl/training/a2c.h"
#include "rl/training/imitation.h"
#include "rl/training/stage2_config.h"
#include "runtime/tensor/torch.h"
#include "walker/network/neural_walker.h"
#include "walker/training/training.h"

namespace kgwalk::rl {

// All weights of stage 2. "walker." are those of the walker, which walker::open_walker() reads; "value_*" the
// head.
class Stage2NetImpl : public torch::nn::Module {
 public:
  Stage2NetImpl(walker::WalkerNetImpl& walker, std::int64_t input_width, int hidden);
  // states [B, D], about [B, whatever is known beside them] -> [B]
  torch::Tensor value(const torch::Tensor& states, const torch::Tensor& about);

 private:
  seq2seq::Linear value_in_{nullptr}, value_out_{nullptr};
};
TORCH_MODULE(Stage2Net);

class WalkerActor : public Actor {
 public:
  // Everything is borrowed. `stage1`: the walker before stage 2, asked for naturalness; null when it has no
  // weight. `supervised`: stage 1's own task on the same walker; null when it has no weight. `evaluate` gives
  // the numbers of an evaluation, "score" among them.
  WalkerActor(walker::NeuralWalker& policy, const walker::NeuralWalker* stage1, walker::WalkTask* supervised,
              Environment& environment, const Stage2Config& config, std::uint64_t seed,
              std::function<Json()> evaluate);

  [[nodiscard]] torch::nn::Module& module() override { return *net_; }
  [[nodiscard]] Step act() override;
  [[nodiscard]] torch::Tensor values() override;
  [[nodiscard]] torch::Tensor further_loss() override;
  [[nodiscard]] Json episode_metrics() override;
  [[nodiscard]] Json evaluate() override { return evaluate_(); }
  void save(const std::filesystem::path& folder) const override;
  void load(const std::filesystem::path& folder) override;

 private:
  struct Present;  // the situations that wait for a hop
  Present& present();
  // Log-probabilities of the candidates that a hop may take, [K].
  [[nodiscard]] torch::Tensor open_log_probs(const torch::Tensor& scores, const Present& now) const;
  void begin_supervised_epoch();
  void step_environment(const Present& now, const std::vector<std::int64_t>& chosen, Step& step);

  walker::NeuralWalker& policy_;
  const walker::NeuralWalker* stage1_;
  walker::WalkTask* supervised_;
  Environment& environment_;
  Stage2Config config_;
  std::function<Json()> evaluate_;
  RouteRules rules_;
  std::optional<Imitation> imitation_;  // nullopt when it has no weight
  Stage2Net net_{nullptr};
  Random random_, shuffle_;
  std::shared_ptr<Present> present_;
  std::vector<std::uint64_t> epoch_shuffle_;       // state of shuffle_ before the supervised epoch
  std::int64_t next_batch_ = 0, num_batches_ = 0;  // of that epoch
  std::vector<double> earned_;                     // return so far of each episode
  std::int64_t ended_ = 0, reached_ = 0;           // episodes since the last metrics
  double ended_hops_ = 0, ended_return_ = 0;
};

}  // namespace kgwalk::rl
