// What the trainings on pairs of a source and a target share (translation, summaries): configuration, batches
// by tokens, perplexity of the development pairs, groups of heads, snapshots for averaging, the run's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/config.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/search/token_search.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/grouped_net.h"
#include "seq2seq/tasks/snapshots.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// Fields that follow the model's and the vocabulary's in a task's configuration.
struct PairConfig {
  GroupedHeadsOptions heads;  // group-constrained training of all attentions when groups > 0
  int max_tokens = 4096;      // of a batch: pairs times the longest side
  double smoothing = 0.1;     // of the labels
  int average = 5;            // weights of the last evaluations that are averaged; 1 = the last alone
  Choice<KeptWeights> keep = KeptWeights::kAverage;
  TokenSearchOptions search;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("heads", heads, "Groups of attention heads.");
    f("max_tokens", max_tokens, "Number of tokens in a batch, padding counted.").range(1, 1 << 24);
    f("smoothing", smoothing, "Label smoothing of the training loss.").range(0, 0.99);
    f("average", average, "Number of last evaluations whose weights are averaged at the end.").range(1, 1000);
    f("keep", keep, "Weights of the finished model: that average, or those of the best evaluation.");
    f("search", search, "Beam search.");
    f("trainer", trainer, "Training loop.");
  }
  void check(Problems& problems) const;
};

// Sums over the target pieces of a batch.
struct PairLoss {
  torch::Tensor loss;       // [], in training only
  double nll = 0;           // of -log P(gold)
  std::int64_t pieces = 0;  // targets' pieces
  Json metrics;             // sums of other numbers, by name; null = none
};

// Not thread-safe. Evaluations leave the model's weights in `snapshots`.
class PairTask : public Task {
 public:
  [[nodiscard]] torch::nn::Module& module() override { return *net_; }
  std::int64_t begin_epoch(int epoch, Random& random) override;
  [[nodiscard]] StepResult step(std::int64_t batch) override;
  // Perplexity a piece of the development pairs; "score" is its logarithm, negated.
  [[nodiscard]] Json evaluate() override;
  void after_update(std::int64_t step) override;
  void save_extra(const std::filesystem::path& folder) const override { vocabulary_.save(folder); }
  void load_extra(const std::filesystem::path& folder) override;

  [[nodiscard]] GroupedNet& net() noexcept { return net_; }
  // All training pairs in batches, for votes.
  [[nodiscard]] std::vector<std::vector<std::size_t>> training_batches(Random& random) const;
  // Model and run's snapshots become those of the finished training: the average, or the best checkpoint.
  void take_final_weights(const RunFolder& folder, std::int64_t updates);

 protected:
  struct Parts {
    std::shared_ptr<torch::nn::Module> model;
    const torch::nn::Module* attended;   // its part whose heads are grouped
    std::vector<LengthPair> train, dev;  // lengths of all pairs
    std::filesystem::path snapshots;
  };
  // Borrows config and vocabulary. ConfigError when there is nothing to train on or to evaluate.
  PairTask(const PairConfig& config, const SentencePiece& vocabulary, Parts parts);
  // Loss of training or development pairs, all on the model in its present mode.
  [[nodiscard]] virtual PairLoss loss_of(bool training, std::span<const std::size_t> chosen) = 0;
  [[nodiscard]] const SentencePiece& vocabulary() const noexcept { return vocabulary_; }
  // For pairs whose pieces change from pass to pass: as many as before.
  void set_training_lengths(std::vector<LengthPair> lengths) { lengths_ = std::move(lengths); }

 private:
  const PairConfig& config_;
  const SentencePiece& vocabulary_;
  std::vector<LengthPair> lengths_;
  Snapshots snapshots_;
  GroupedNet net_;
  std::vector<std::vector<std::size_t>> batches_, dev_batches_;
  std::int64_t updates_ = 0;
};

struct PairTrainReport {
  TrainReport training;
  std::int64_t vocabulary = 0;
  ParameterCount parameters;
  std::int64_t pairs = 0, left_out = 0, cut = 0;  // left out or shortened for their length
  std::int64_t pieces = 0;                        // of the training targets, ends included
  std::filesystem::path model;
  [[nodiscard]] Json to_json() const;
};

// The vocabulary of a training that is resumed, else a new one from make().
[[nodiscard]] SentencePiece vocabulary_of_run(const RunFolder& folder, Reporter& reporter,
                                              const std::function<SentencePiece()>& make);

// What is particular to a training that runs in a folder.
struct PairRun {
  RunKind kind;
  std::string what;         // for people: "translator"
  RunManifest manifest;     // its configuration goes into the model's folder too
  const PairConfig* pairs;  // never null
};
// Trains, takes the final weights and writes RUN/model; completes the report.
void train_pairs(PairTask& task, const PairRun& run, RunFolder& folder, const SentencePiece& vocabulary,
                 PairTrainReport& report, Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::seq2seq
