// Stage 1: supervised learning of turn-level goals (thesis 5.3.3) as a task of the one training loop.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/trainer.h"
#include "walker/network/neural_walker.h"
#include "walker/training/loss.h"

namespace kgwalk::walker {

// Not thread-safe. `model` is borrowed and trained in place.
class WalkTask : public Task {
 public:
  // train: examples with gold paths whose dialogue numbers index resources.training; dev: those that choose
  // the best checkpoint.
  WalkTask(NeuralWalker& model, std::vector<Example> train, std::vector<Example> dev);

  [[nodiscard]] torch::nn::Module& module() override;
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // path@k and tgt@k on dev by beam search; "score" is the mean of the ten.
  [[nodiscard]] Json evaluate() override;

  [[nodiscard]] std::int64_t num_batches() const { return static_cast<std::int64_t>(batches_.size()); }

 private:
  struct States;  // the supervised states of a batch
  [[nodiscard]] States collect(std::span<const Example* const> examples,
                               std::span<const std::size_t> ids) const;
  [[nodiscard]] torch::Tensor accepted(const States& states, const CandidateTensors& candidates) const;
  void set_feature_scale();

  NeuralWalker& model_;
  std::vector<Example> train_, dev_;
  std::vector<FeatureContext> contexts_;  // one a training example, its own group left out
  std::vector<std::int64_t> text_lengths_;
  std::vector<std::vector<std::size_t>> batches_;
};

}  // namespace kgwalk::walker
