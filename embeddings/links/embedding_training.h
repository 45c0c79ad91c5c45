// A whole training run of embeddings: epochs over all questions of a set of triples, stoppable and
// resumable between batches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "embeddings/links/embedding_model.h"
#include "embeddings/links/question_trainer.h"
#include "embeddings/links/triple_trainer.h"
#include "kgwalk/progress.h"
#include "runtime/processor_share.h"

namespace kgwalk::embeddings {

/// Order, negatives and dropout of every batch are functions of (seed, epoch, batch), so that the state
/// between two batches is the tables, the optimizers and two counters. On one thread, a resumed run ends with
/// the same bits as an unbroken one. Not thread-safe.
class EmbeddingTraining {
 public:
  /// `triple_weights`: how much each triple counts, 0 or more, scaled to mean 1; empty: all alike.
  /// `reverse`: of each relation the one of the same facts backwards, whose vector asks for heads where the
  /// configuration is reciprocal; one without (itself) asks with its own. Empty: R more vectors are made.
  /// ConfigError where the sampling is per triple and weights are given, or all of them are 0.
  EmbeddingTraining(const EmbeddingConfig& config, std::vector<Triple> triples, std::int64_t num_entities,
                    std::int64_t num_relations, std::vector<float> triple_weights = {},
                    std::vector<RelationId> reverse = {});

  /// Trains to the end of the current epoch. Returns the mean loss per answer (per triple with per_triple
  /// sampling), or nullopt when `stop` asked to end earlier; the next call goes on with the next batch.
  /// NumericError when the loss is not finite.
  std::optional<double> run_epoch(Reporter& reporter = silent_reporter(),
                                  const StopFlag& stop = never_stop());

  [[nodiscard]] const EmbeddingConfig& config() const { return config_; }
  [[nodiscard]] const EmbeddingModel& model() const { return model_; }
  [[nodiscard]] int epochs_done() const { return epoch_; }
  [[nodiscard]] bool done() const { return epoch_ >= config_.epochs; }
  /// Questions (or triples) an epoch.
  [[nodiscard]] std::int64_t epoch_size() const;

  /// One safetensors file with tables, optimizer state, counters and the configuration; written atomically.
  void save(const std::filesystem::path& file);
  /// FormatError when the file belongs to another configuration, other triples or other sizes.
  void load(const std::filesystem::path& file);

 private:
  [[nodiscard]] float learning_rate(double epochs) const;
  [[nodiscard]] std::vector<std::uint32_t> order(int epoch) const;
  double run_batch(std::span<const std::uint32_t> order, std::int64_t batch, float rate);
  [[nodiscard]] Question question(std::uint32_t number) const;
  void weigh_answers(std::span<const float> triple_weights);
  std::optional<double> run_questions(Reporter& reporter, const StopFlag& stop);

  EmbeddingConfig config_;
  std::vector<Triple> triples_;
  EmbeddingModel model_;
  AnswerIndex index_;
  std::vector<float> weights_;                  // one an answer of index_
  std::vector<std::uint32_t> group_of_;         // group of each answer, when answers are not grouped
  std::unique_ptr<QuestionTrainer> questions_;  // sampling = shared or all
  std::unique_ptr<TripleTrainer> singles_;      // sampling = per_triple
  ProcessorShare share_;
  int epoch_ = 0;
  std::int64_t batch_ = 0;  // next batch of the epoch
  double epoch_loss_ = 0;   // so far
};

}  // namespace kgwalk::embeddings
