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
#include "walker/training/question_source.h"

namespace kgwalk::walker {

// Not thread-safe. `model` is borrowed and trained in place.
class WalkTask : public Task {
 public:
  // train: examples with gold paths whose dialogue numbers index resources.training; dev: those that choose
  // the best checkpoint.
  // questions: what the walker learns to hear from; empty unless it listens.
  WalkTask(NeuralWalker& model, std::vector<Example> train, std::vector<Example> dev,
           std::vector<QuestionSource> questions = {});

  [[nodiscard]] torch::nn::Module& module() override;
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // path@k and tgt@k on dev by beam search and, per source of questions, the shares of those kept back whose
  // relation and whose act are right. "score" is the mean of the ten; with questions, of it and the mean of
  // the sources' first.
  [[nodiscard]] Json evaluate() override;
  // Layers of the text encoder move by text.trained_rate of an update.
  void after_update(std::int64_t step) override;
  void load_extra(const std::filesystem::path& folder) override;

  [[nodiscard]] std::int64_t num_batches() const { return static_cast<std::int64_t>(batches_.size()); }

 private:
  struct States;  // the supervised states of a batch
  [[nodiscard]] States collect(std::span<const Example* const> examples,
                               std::span<const std::size_t> ids) const;
  [[nodiscard]] torch::Tensor accepted(const States& states, const CandidateTensors& candidates) const;
  [[nodiscard]] torch::Tensor question_loss(std::int64_t batch);
  void evaluate_questions(Json& json);
  void set_feature_scale();
  void set_unheard();
  void remember_text_layers();

  NeuralWalker& model_;
  std::vector<Example> train_, dev_;
  std::vector<FeatureContext> contexts_;  // one a training example, its own group left out
  std::vector<std::int64_t> text_lengths_;
  std::vector<std::vector<std::size_t>> batches_;
  std::vector<QuestionSource> questions_;
  std::uint64_t question_seed_ = 0;  // of the epoch
  std::vector<std::pair<torch::Tensor, torch::Tensor>>
      text_layers_;  // weights, and what they were before the update
};

}  // namespace kgwalk::walker
