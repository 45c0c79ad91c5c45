// Training of a recognizer as a task of the one training loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/tensor/trainer.h"
#include "seq2seq/metrics/edits.h"
#include "seq2seq/search/ctc.h"
#include "seq2seq/tasks/recognition/config.h"
#include "seq2seq/tasks/recognition/speech_data.h"
#include "seq2seq/tasks/snapshots.h"

namespace kgwalk::seq2seq {

// Features beside each other.
struct SpeechBatch {
  torch::Tensor x;        // float32 [B, T, F], zeros behind an utterance's end
  torch::Tensor lengths;  // int64 [B]
};
[[nodiscard]] SpeechBatch pad_features(std::span<const torch::Tensor> features);
[[nodiscard]] SpeechTargets targets_of(std::span<const std::vector<int>* const> units);

// Borrowed matrix of utterance `b` of log_probs [B, T', V] (float32, CPU, contiguous).
[[nodiscard]] FrameScores frame_scores_of(const torch::Tensor& log_probs, const torch::Tensor& lengths,
                                          std::int64_t b);

// Not thread-safe. Evaluations leave their weights as snapshots for averaging.
class RecognitionTask : public Task {
 public:
  // Sets the model's normalization from the training data. ConfigError when there is nothing to train on
  // or to evaluate.
  RecognitionTask(const RecognitionConfig& config, const SpeechUnits& units, SpeechData train, SpeechData dev,
                  std::filesystem::path snapshots, std::uint64_t seed);

  [[nodiscard]] torch::nn::Module& module() override { return *model_; }
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // On the development data: losses a unit, word and character error rates of CTC's best path. "score" is the
  // character error rate, negated.
  [[nodiscard]] Json evaluate() override;
  void after_update(std::int64_t step) override { updates_ = step; }
  void save_extra(const std::filesystem::path& folder) const override;
  void load_extra(const std::filesystem::path& folder) override;

  [[nodiscard]] CtcAttention& model() noexcept { return model_; }
  [[nodiscard]] std::vector<std::filesystem::path> snapshots(std::int64_t step) const {
    return snapshots_.newest(step);
  }

 private:
  const RecognitionConfig& config_;
  const SpeechUnits& units_;
  SpeechData train_, dev_;
  Snapshots snapshots_;
  CtcAttention model_;
  std::uint64_t seed_;
  int epoch_ = 0;
  std::vector<std::vector<std::size_t>> batches_, dev_batches_;
  std::int64_t updates_ = 0;
};

}  // namespace kgwalk::seq2seq
