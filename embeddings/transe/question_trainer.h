// TransE training by questions: a batch of points against one shared set of negative entities, so that nearly
// all work is matrix products (L2) or register-blocked sums of absolute differences (L1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embeddings/transe/ranking_loss.h"
#include "embeddings/transe/transe.h"
#include "embeddings/vectors/row_optimizer.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {

/// "Which entities complete (given, relation) on `side`?" with the answers that are to be trained.
struct Question {
  EntityId given = 0;
  RelationId relation = 0;
  Side side = Side::kTail;
  std::span<const EntityId> answers;
  std::span<const float> weights;  // one an answer
  std::span<const EntityId>
      known;  // entities that may not count as negatives; usually all answers in training
};

/// One batch at a time. The loss of a batch is the sum over its questions of RankingLoss, divided by their
/// number. Works inside on all threads of kgwalk/threads.h; results do not depend on their number beyond
/// rounding, and are bit-equal on one thread. Not thread-safe.
class QuestionTrainer {
 public:
  /// Borrows `model`, which must outlive the trainer.
  QuestionTrainer(const TransEConfig& config, TransEModel& model);

  /// Trains on one batch; `negatives` are distinct entities, config.negatives or fewer of them. Returns the
  /// summed loss. `dropout` (may be null) draws the dropped entries.
  double step(std::span<const Question> questions, std::span<const EntityId> negatives, float learning_rate,
              Random* dropout = nullptr);

  [[nodiscard]] RowOptimizer& entity_optimizer() { return entity_optimizer_; }
  [[nodiscard]] RowOptimizer& relation_optimizer() { return relation_optimizer_; }

 private:
  void gather(std::span<const Question> questions, std::span<const EntityId> negatives, Random* dropout);
  void measure(std::int64_t first, std::int64_t count);
  double differentiate(std::span<const Question> questions, std::int64_t i);
  void pull_questions(std::span<const Question> questions, std::int64_t first, std::int64_t count);
  void pull_negatives(std::int64_t num_questions, std::int64_t first, std::int64_t count);
  void mark_rows(std::span<const Question> questions, std::span<const EntityId> negatives);
  void scatter(std::span<const Question> questions, int first_column, int last_column);
  void apply(std::span<const Question> questions, float learning_rate);
  [[nodiscard]] float* entity_gradient(EntityId e) { return gradient_.row(slot_of_entity_[e]); }

  TransEConfig config_;
  TransEModel& model_;
  RankingLoss loss_;
  RowOptimizer entity_optimizer_;
  RowOptimizer relation_optimizer_;

  Matrix points_;                                      // [B, D] question points
  Matrix keep_;                                        // [B, D] dropout factors, when dropout is on
  Matrix negatives_;                                   // [K, D]
  Matrix transposed_;                                  // [D, K] for L1
  Matrix distances_;                                   // [B, K], then slope over distance
  Matrix slopes_;                                      // [B, K]
  Matrix point_gradient_;                              // [B, D]
  Matrix negative_gradient_;                           // [K, D]
  std::vector<float> point_length_, negative_length_;  // squared
  std::vector<float> answer_distance_, answer_slope_;  // all answers of the batch, in order
  std::vector<std::int64_t> answer_offset_;            // [B + 1]
  std::vector<std::int32_t> column_of_entity_;         // [E], -1: not a negative of this batch
  std::vector<std::int32_t> slot_of_entity_;           // [E], -1: untouched by this batch
  std::vector<EntityId> touched_;                      // the entity of each slot; negatives first
  std::vector<std::int32_t> slot_of_relation_;
  std::vector<RelationId> touched_relations_;
  Matrix gradient_;           // [slots, D]
  Matrix relation_gradient_;  // [slots, D]
  std::int64_t num_negatives_ = 0;
};

}  // namespace kgwalk::embeddings
