#include "embeddings/transe/question_trainer.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "embeddings/vectors/simd.h"
#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/parallel.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

LossKind kind_of(TransELoss loss) {
  if (loss == TransELoss::kSoftmax) return LossKind::kSoftmax;
  return loss == TransELoss::kSelfAdversarial ? LossKind::kSelfAdversarial : LossKind::kMargin;
}

RowOptimizer::Kind kind_of(RowOptimizerKind kind) {
  if (kind == RowOptimizerKind::kSgd) return RowOptimizer::Kind::kSgd;
  return kind == RowOptimizerKind::kAdam ? RowOptimizer::Kind::kAdam : RowOptimizer::Kind::kAdagrad;
}

void add_scaled(float* out, float factor, const float* x, int first, int last) {
  for (int j = first; j < last; j += kLane)
    simd::store(out + j, simd::load(out + j) + factor * simd::load(x + j));
}

void add_scaled_difference(float* out, float factor, const float* a, const float* b, int first, int last) {
  for (int j = first; j < last; j += kLane)
    simd::store(out + j, simd::load(out + j) + factor * (simd::load(a + j) - simd::load(b + j)));
}

void add_scaled_signs(float* out, float factor, const float* a, const float* b, int first, int last,
                      int dim) {
  for (int j = first; j < last; j += kLane)
    simd::store(out + j, simd::load(out + j) +
                             simd::flip_sign(simd::splat(factor), simd::load(a + j) - simd::load(b + j)));
  for (int j = std::max(first, dim); j < last; ++j) out[j] = 0.0F;
}

// d(distance)/d(squared distance), doubled: what multiplies (a - b) in the gradient of the distance.
float chain(Norm norm, float slope, float distance) {
  if (norm == Norm::kL2) return slope / std::max(distance, 1e-6F);
  return norm == Norm::kL2Squared ? 2.0F * slope : slope;
}

}  // namespace

QuestionTrainer::QuestionTrainer(const TransEConfig& config, TransEModel& model)
    : config_(config),
      model_(model),
      entity_optimizer_(kind_of(config.optimizer), model.entities.rows(), config.dim),
      relation_optimizer_(kind_of(config.optimizer), model.relations.rows(), config.dim),
      column_of_entity_(static_cast<std::size_t>(model.entities.rows()), -1),
      slot_of_entity_(static_cast<std::size_t>(model.entities.rows()), -1),
      slot_of_relation_(static_cast<std::size_t>(model.relations.rows()), -1) {
  validate(config_);
  loss_.kind = kind_of(config.loss);
  loss_.margin = static_cast<float>(config.margin);
  loss_.scale = static_cast<float>(config.scale);
  loss_.temperature = static_cast<float>(config.temperature);
  negatives_ = Matrix(config.negatives, config.dim);
  negative_gradient_ = Matrix(config.negatives, config.dim);
  points_ = Matrix(config.batch, config.dim);
  point_gradient_ = Matrix(config.batch, config.dim);
  distances_ = Matrix(config.batch, config.negatives);
  slopes_ = Matrix(config.batch, config.negatives);
  if (config.dropout > 0) keep_ = Matrix(config.batch, config.dim);
  if (model.norm == Norm::kL1) transposed_ = Matrix(config.dim, config.negatives);
  point_length_.resize(static_cast<std::size_t>(config.batch));
  negative_length_.resize(static_cast<std::size_t>(padded(config.negatives)));
}

double QuestionTrainer::step(std::span<const Question> questions, std::span<const EntityId> negatives,
                             float learning_rate, Random* dropout) {
  const auto n = static_cast<std::int64_t>(questions.size());
  if (n > config_.batch || static_cast<std::int64_t>(negatives.size()) > config_.negatives ||
      negatives.empty())
    throw ConfigError("a batch has more questions or negatives than configured, or no negatives");
  gather(questions, negatives, dropout);
  std::vector<double> losses(questions.size());
  parallel_for(n, 32, [&](std::int64_t first, std::int64_t last) {
    measure(first, last - first);
    for (std::int64_t i = first; i < last; ++i)
      losses[static_cast<std::size_t>(i)] = differentiate(questions, i);
    pull_questions(questions, first, last - first);
  });
  if (model_.norm == Norm::kL1) {
    std::fill_n(negative_gradient_.data(), negative_gradient_.size(), 0.0F);
    parallel_for(model_.entities.stride() / kLane, 1, [&](std::int64_t first, std::int64_t last) {
      l1_gradients(points_, n, negatives_, distances_, static_cast<int>(first), static_cast<int>(last),
                   point_gradient_, negative_gradient_);
    });
  } else {
    parallel_for(num_negatives_, 64,
                 [&](std::int64_t first, std::int64_t last) { pull_negatives(n, first, last - first); });
  }
  mark_rows(questions, negatives);
  parallel_for(model_.entities.stride() / kLane, 2, [&](std::int64_t first, std::int64_t last) {
    scatter(questions, static_cast<int>(first) * kLane, static_cast<int>(last) * kLane);
  });
  apply(questions, learning_rate);
  double total = 0;
  for (const double loss : losses) total += loss;
  return total;
}

void QuestionTrainer::gather(std::span<const Question> questions, std::span<const EntityId> negatives,
                             Random* dropout) {
  const int stride = model_.entities.stride();
  num_negatives_ = static_cast<std::int64_t>(negatives.size());
  if (num_negatives_ != negatives_.rows()) {  // kernels take their sizes from the tables
    negatives_ = Matrix(num_negatives_, config_.dim);
    negative_gradient_ = Matrix(num_negatives_, config_.dim);
    distances_ = Matrix(config_.batch, static_cast<int>(num_negatives_));
    slopes_ = Matrix(config_.batch, static_cast<int>(num_negatives_));
    if (model_.norm == Norm::kL1) transposed_ = Matrix(config_.dim, static_cast<int>(num_negatives_));
  }
  loss_.num_negatives = static_cast<int>(num_negatives_);
  loss_.log_correction =
      static_cast<float>(config_.correction * std::log(static_cast<double>(model_.entities.rows()) /
                                                       static_cast<double>(num_negatives_)));
  for (std::size_t k = 0; k < negatives.size(); ++k) {
    const float* e = model_.entities.row(negatives[k]);
    column_of_entity_[negatives[k]] = static_cast<std::int32_t>(k);
    std::memcpy(negatives_.row(static_cast<std::int64_t>(k)), e,
                static_cast<std::size_t>(stride) * sizeof(float));
    negative_length_[k] = squared_length(e, stride);
    if (model_.norm == Norm::kL1)
      for (int j = 0; j < config_.dim; ++j) transposed_.row(j)[k] = e[j];
  }
  answer_offset_.assign(1, 0);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& q = questions[i];
    float* point = points_.row(static_cast<std::int64_t>(i));
    model_.question(q.given, q.relation, q.side, point);
    if (dropout && config_.dropout > 0) {
      float* keep = keep_.row(static_cast<std::int64_t>(i));
      const auto kept = static_cast<float>(1.0 / (1.0 - config_.dropout));
      for (int j = 0; j < config_.dim; ++j) keep[j] = dropout->uniform() < config_.dropout ? 0.0F : kept;
      for (int j = 0; j < stride; ++j) point[j] *= keep[j];
    }
    point_length_[i] = squared_length(point, stride);
    answer_offset_.push_back(answer_offset_.back() + static_cast<std::int64_t>(q.answers.size()));
  }
  answer_distance_.resize(static_cast<std::size_t>(answer_offset_.back()));
  answer_slope_.resize(answer_distance_.size());
}

// Distances of the questions [first, first + count) to all negatives.
void QuestionTrainer::measure(std::int64_t first, std::int64_t count) {
  if (model_.norm == Norm::kL1) return l1_distances(points_, first, count, transposed_, distances_);
  const int stride = points_.stride();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(count),
              static_cast<int>(num_negatives_), config_.dim, -2.0F, points_.row(first), stride,
              negatives_.data(), stride, 0.0F, distances_.row(first), distances_.stride());
  for (std::int64_t i = first; i < first + count; ++i) {
    float* d = distances_.row(i);
    const float length = point_length_[static_cast<std::size_t>(i)];
    for (int k = 0; k < distances_.stride(); k += kLane) {
      const F16 squared = simd::load(d + k) + (length + simd::load(negative_length_.data() + k));
      const F16 positive = simd::max(squared, simd::splat(1e-12F));
      simd::store(d + k, model_.norm == Norm::kL2 ? simd::sqrt(positive) : positive);
    }
  }
}

// Turns question i's distances into the factors of its gradient; returns its loss.
double QuestionTrainer::differentiate(std::span<const Question> questions, std::int64_t i) {
  const Question& q = questions[static_cast<std::size_t>(i)];
  float* d = distances_.row(i);
  std::fill(d + num_negatives_, d + distances_.stride(), kMasked);
  for (const EntityId e : q.known)
    if (column_of_entity_[e] >= 0) d[column_of_entity_[e]] = kMasked;
  const auto offset = static_cast<std::size_t>(answer_offset_[static_cast<std::size_t>(i)]);
  const std::span<float> distance(answer_distance_.data() + offset, q.answers.size());
  const std::span<float> slope(answer_slope_.data() + offset, q.answers.size());
  distances_to(model_.norm, points_.row(i), model_.entities, q.answers, distance.data());
  const auto width = static_cast<std::size_t>(distances_.stride());
  float* s = slopes_.row(i);
  const double loss = loss_.evaluate(distance, q.weights, {d, width}, slope, {s, width});
  for (std::size_t t = 0; t < slope.size(); ++t) slope[t] = chain(model_.norm, slope[t], distance[t]);
  for (std::size_t k = 0; k < width; k += kLane) {
    F16 factor = simd::load(s + k);
    if (model_.norm == Norm::kL2) factor = factor / simd::load(d + k);
    if (model_.norm == Norm::kL2Squared) factor = factor * 2.0F;
    simd::store(d + k, factor);
  }
  return loss;
}

// Gradients of the questions' points: from their answers and, unless L1, from the negatives (L1 sums both
// ways at once).
void QuestionTrainer::pull_questions(std::span<const Question> questions, std::int64_t first,
                                     std::int64_t count) {
  const int stride = points_.stride();
  for (std::int64_t i = first; i < first + count; ++i) {
    float* out = point_gradient_.row(i);
    std::fill(out, out + stride, 0.0F);
    const float* point = points_.row(i);
    const Question& q = questions[static_cast<std::size_t>(i)];
    const float* slope = answer_slope_.data() + answer_offset_[static_cast<std::size_t>(i)];
    for (std::size_t t = 0; t < q.answers.size(); ++t) {
      const float* answer = model_.entities.row(q.answers[t]);
      if (model_.norm == Norm::kL1)
        add_scaled_signs(out, slope[t], point, answer, 0, stride, config_.dim);
      else
        add_scaled_difference(out, slope[t], point, answer, 0, stride);
    }
    if (model_.norm == Norm::kL1) continue;
    F16 sum{};
    for (int k = 0; k < distances_.stride(); k += kLane) sum += simd::load(distances_.row(i) + k);
    add_scaled(out, simd::sum(sum), point, 0, stride);
  }
  if (model_.norm == Norm::kL1) return;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(count), config_.dim,
              static_cast<int>(num_negatives_), -1.0F, distances_.row(first), distances_.stride(),
              negatives_.data(), stride, 1.0F, point_gradient_.row(first), stride);
}

// Gradients of the negatives [first, first + count): sum_i factor(i, k) (negative(k) - point(i)).
void QuestionTrainer::pull_negatives(std::int64_t num_questions, std::int64_t first, std::int64_t count) {
  const int stride = points_.stride();
  std::vector<float> sums(static_cast<std::size_t>(count), 0.0F);
  for (std::int64_t i = 0; i < num_questions; ++i) {
    const float* factor = distances_.row(i) + first;
    for (std::int64_t k = 0; k < count; ++k) sums[static_cast<std::size_t>(k)] += factor[k];
  }
  for (std::int64_t k = 0; k < count; ++k) {
    float* out = negative_gradient_.row(first + k);
    const float* negative = negatives_.row(first + k);
    for (int j = 0; j < stride; j += kLane)
      simd::store(out + j, sums[static_cast<std::size_t>(k)] * simd::load(negative + j));
  }
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(count), config_.dim,
              static_cast<int>(num_questions), -1.0F, distances_.data() + first, distances_.stride(),
              points_.data(), stride, 1.0F, negative_gradient_.row(first), stride);
}

// Gives every touched row a slot in the gradient tables.
void QuestionTrainer::mark_rows(std::span<const Question> questions, std::span<const EntityId> negatives) {
  touched_.clear();
  touched_relations_.clear();
  const auto touch = [this](EntityId e) {
    if (slot_of_entity_[e] >= 0) return;
    slot_of_entity_[e] = static_cast<std::int32_t>(touched_.size());
    touched_.push_back(e);
  };
  for (const EntityId e : negatives) touch(e);
  for (const Question& q : questions) {
    touch(q.given);
    for (const EntityId e : q.answers) touch(e);
    if (slot_of_relation_[q.relation] >= 0) continue;
    slot_of_relation_[q.relation] = static_cast<std::int32_t>(touched_relations_.size());
    touched_relations_.push_back(q.relation);
  }
  const auto grown = [this](Matrix& m, std::size_t rows) {
    if (m.rows() < static_cast<std::int64_t>(rows))
      m = Matrix(static_cast<std::int64_t>(rows + rows / 2), config_.dim);
  };
  grown(gradient_, touched_.size());
  grown(relation_gradient_, touched_relations_.size());
}

// Sums the batch's gradients by row, for the columns [first, last); each thread has its own columns.
void QuestionTrainer::scatter(std::span<const Question> questions, int first, int last) {
  const auto bytes = static_cast<std::size_t>(last - first) * sizeof(float);
  for (std::int64_t k = 0; k < num_negatives_; ++k)
    std::memcpy(gradient_.row(k) + first, negative_gradient_.row(k) + first, bytes);
  for (std::size_t s = static_cast<std::size_t>(num_negatives_); s < touched_.size(); ++s)
    std::memset(gradient_.row(static_cast<std::int64_t>(s)) + first, 0, bytes);
  for (std::size_t s = 0; s < touched_relations_.size(); ++s)
    std::memset(relation_gradient_.row(static_cast<std::int64_t>(s)) + first, 0, bytes);
  const bool dropped = keep_.rows() > 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& q = questions[i];
    const auto row = static_cast<std::int64_t>(i);
    const float* point = points_.row(row);
    const float* slope = answer_slope_.data() + answer_offset_[i];
    for (std::size_t t = 0; t < q.answers.size(); ++t) {
      const float* answer = model_.entities.row(q.answers[t]);
      if (model_.norm == Norm::kL1)
        add_scaled_signs(entity_gradient(q.answers[t]), -slope[t], point, answer, first, last, config_.dim);
      else
        add_scaled_difference(entity_gradient(q.answers[t]), -slope[t], point, answer, first, last);
    }
    float* gradient = point_gradient_.row(row);
    if (dropped)
      for (int j = first; j < last; ++j) gradient[j] *= keep_.row(row)[j];
    add_scaled(entity_gradient(q.given), 1.0F, gradient, first, last);
    add_scaled(relation_gradient_.row(slot_of_relation_[q.relation]), q.side == Side::kTail ? 1.0F : -1.0F,
               gradient, first, last);
  }
}

// Moves the touched rows by the mean gradient and forgets the batch's marks.
void QuestionTrainer::apply(std::span<const Question> questions, float learning_rate) {
  const float share = 1.0F / static_cast<float>(questions.size());
  const auto move = [share, learning_rate](RowOptimizer& optimizer, Matrix& table, std::int64_t row,
                                           float* gradient, double penalty) {
    for (int j = 0; j < table.stride(); j += kLane)
      simd::store(gradient + j, share * simd::load(gradient + j));
    optimizer.update(table.row(row), row, gradient, learning_rate, static_cast<float>(penalty));
  };
  entity_optimizer_.next_step();
  relation_optimizer_.next_step();
  parallel_for(static_cast<std::int64_t>(touched_.size()), 256, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t s = first; s < last; ++s)
      move(entity_optimizer_, model_.entities, touched_[static_cast<std::size_t>(s)], gradient_.row(s),
           config_.l2_penalty);
  });
  for (std::size_t s = 0; s < touched_relations_.size(); ++s)
    move(relation_optimizer_, model_.relations, touched_relations_[s],
         relation_gradient_.row(static_cast<std::int64_t>(s)), 0.0);
  for (std::int64_t k = 0; k < num_negatives_; ++k)
    column_of_entity_[touched_[static_cast<std::size_t>(k)]] = -1;
  for (const EntityId e : touched_) slot_of_entity_[e] = -1;
  for (const RelationId r : touched_relations_) slot_of_relation_[r] = -1;
}

}  // namespace kgwalk::embeddings
