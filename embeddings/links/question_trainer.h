// Training by questions: a batch of points against one shared set of negative entities, or against all
// entities, so that nearly all work is matrix products (register-blocked sums of absolute differences for
// L1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embeddings/links/embedding_model.h"
#include "embeddings/links/ranking_loss.h"
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
  QuestionTrainer(const EmbeddingConfig& config, EmbeddingModel& model);

  /// Trains on one batch; `negatives` are distinct entities, config.negatives or fewer of them. With sampling
  /// = all there are none to give: all entities are. Returns the summed loss, without the penalties.
  /// `dropout` (may be null) draws the dropped entries.
  double step(std::span<const Question> questions, std::span<const EntityId> negatives, float learning_rate,
              Random* dropout = nullptr);

  [[nodiscard]] RowOptimizer& entity_optimizer() { return entity_optimizer_; }
  [[nodiscard]] RowOptimizer& relation_optimizer() { return relation_optimizer_; }

 private:
  [[nodiscard]] bool all() const { return config_.sampling == EmbeddingSampling::kAll; }
  void size_for(std::int64_t num_negatives);
  void gather_negatives(std::span<const EntityId> negatives);
  void gather_points(std::span<const Question> questions, Random* dropout);
  void mark_rows(std::span<const Question> questions);
  void count_facts(std::span<const Question> questions);
  void measure(std::int64_t first, std::int64_t count);
  double differentiate(std::span<const Question> questions, std::int64_t i, Matrix& slopes);
  void pull_questions(std::span<const Question> questions, std::int64_t first, std::int64_t count);
  void pull_tables(std::span<const Question> questions, std::int64_t first, std::int64_t count);
  void pull_negatives(std::int64_t num_questions, std::int64_t first, std::int64_t count);
  void scatter(std::span<const Question> questions, int first_column, int last_column);
  void apply(std::size_t num_questions, float learning_rate);
  void apply_relation(std::size_t slot, float share, float learning_rate);
  void forget();
  [[nodiscard]] float* entity_gradient(EntityId e) { return gradient_.row(slot_of_entity_[e]); }
  [[nodiscard]] const Matrix& negatives() const { return all() ? model_.entities : negatives_; }
  [[nodiscard]] EmbeddingModel::Asked asked(const Question& q) const {
    return model_.asked(q.relation, q.side);
  }

  EmbeddingConfig config_;
  EmbeddingModel& model_;
  RankingLoss loss_;
  RowOptimizer entity_optimizer_;
  RowOptimizer relation_optimizer_;

  Matrix points_;                                      // [B, D] question points
  Matrix keep_;                                        // [B, D] dropout factors, when dropout is on
  Matrix negatives_;                                   // [K, D], unless all entities are negatives
  Matrix transposed_;                                  // [D, K] for L1
  Matrix distances_;                                   // [B, K], then slope over distance
  Matrix point_gradient_;                              // [B, D]
  Matrix given_gradient_;                              // [B, D] of the entities given
  Matrix asked_gradient_;                              // [B, D] of the relations asked with
  std::vector<float> point_length_, negative_length_;  // squared
  std::vector<float> answer_distance_, answer_slope_;  // all answers of the batch, in order
  std::vector<std::int64_t> answer_offset_;            // [B + 1]
  std::vector<std::int32_t> column_of_entity_;         // [E], -1: not a negative of this batch
  std::vector<std::int32_t> slot_of_entity_;           // [E], -1: untouched by this batch
  std::vector<EntityId> touched_;                      // the entity of each slot; negatives first
  std::vector<std::int32_t> slot_of_relation_;
  std::vector<RelationId> touched_relations_;
  Matrix gradient_;            // [slots, D]
  Matrix relation_gradient_;   // [slots, D]
  Matrix parameter_gradient_;  // [1, P], where relations are made from parameters
  std::vector<float> facts_of_entity_, facts_of_relation_;  // [slots] facts of the batch, for the N3 penalty
  std::int64_t num_negatives_ = 0;
};

}  // namespace kgwalk::embeddings
