#include "embeddings/links/question_trainer.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "embeddings/links/n3.h"
#include "embeddings/vectors/simd.h"
#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/parallel.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

LossKind kind_of(EmbeddingLoss loss) {
  if (loss == EmbeddingLoss::kSoftmax) return LossKind::kSoftmax;
  return loss == EmbeddingLoss::kSelfAdversarial ? LossKind::kSelfAdversarial : LossKind::kMargin;
}

RowOptimizer::Kind kind_of(RowOptimizerKind kind) {
  if (kind == RowOptimizerKind::kSgd) return RowOptimizer::Kind::kSgd;
  return kind == RowOptimizerKind::kAdam ? RowOptimizer::Kind::kAdam : RowOptimizer::Kind::kAdagrad;
}

void add_scaled(float* out, float factor, const float* x, int first, int last) {
  for (int j = first; j < last; j += kLane)
    simd::store(out + j, simd::load(out + j) + factor * simd::load(x + j));
}

void scale(float* values, float factor, int count) {
  for (int j = 0; j < count; j += kLane) simd::store(values + j, factor * simd::load(values + j));
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

// d(distance)/d(squared distance), doubled: what multiplies (a - b) in the gradient of the distance. Of a
// product it multiplies -b.
float chain(Measure measure, float slope, float distance) {
  if (measure == Measure::kL2) return slope / std::max(distance, 1e-6F);
  return measure == Measure::kL2Squared ? 2.0F * slope : slope;
}

// Adds factor * d(distance of point and other)/d(point), for the columns [first, last).
void add_pull(Measure measure, float* out, float factor, const float* point, const float* other, int first,
              int last, int dim) {
  if (measure == Measure::kL1)
    add_scaled_signs(out, factor, point, other, first, last, dim);
  else if (measure == Measure::kProduct)
    add_scaled(out, -factor, other, first, last);
  else
    add_scaled_difference(out, factor, point, other, first, last);
}

}  // namespace

QuestionTrainer::QuestionTrainer(const EmbeddingConfig& config, EmbeddingModel& model)
    : config_(config),
      model_(model),
      entity_optimizer_(kind_of(config.optimizer), model.entities.rows(), config.dim),
      relation_optimizer_(kind_of(config.optimizer), model.relations.rows(),
                          model.parameters.rows() > 0 ? model.parameters.dim() : config.dim),
      column_of_entity_(static_cast<std::size_t>(model.entities.rows()), -1),
      slot_of_entity_(static_cast<std::size_t>(model.entities.rows()), -1),
      slot_of_relation_(static_cast<std::size_t>(model.relations.rows()), -1) {
  validate(config_);
  loss_.kind = kind_of(config.loss);
  loss_.margin = static_cast<float>(config.margin);
  loss_.scale = static_cast<float>(config.scale);
  loss_.temperature = static_cast<float>(config.temperature);
  points_ = Matrix(config.batch, config.dim);
  point_gradient_ = Matrix(config.batch, config.dim);
  given_gradient_ = Matrix(config.batch, config.dim);
  asked_gradient_ = Matrix(config.batch, config.dim);
  if (model.parameters.rows() > 0) parameter_gradient_ = Matrix(1, model.parameters.dim());
  if (config.dropout > 0) keep_ = Matrix(config.batch, config.dim);
  point_length_.resize(static_cast<std::size_t>(config.batch));
  size_for(all() ? model.entities.rows() : config.negatives);
}

// Kernels take their sizes from the tables.
void QuestionTrainer::size_for(std::int64_t num_negatives) {
  num_negatives_ = num_negatives;
  const int columns = static_cast<int>(num_negatives);
  if (!all()) negatives_ = Matrix(num_negatives, config_.dim);
  distances_ = Matrix(config_.batch, columns);
  if (model_.measure == Measure::kL1) transposed_ = Matrix(config_.dim, columns);
  negative_length_.assign(static_cast<std::size_t>(padded(columns)), 0.0F);
  loss_.num_negatives = columns;
  loss_.log_correction =
      static_cast<float>(config_.correction * std::log(static_cast<double>(model_.entities.rows()) /
                                                       static_cast<double>(num_negatives)));
}

double QuestionTrainer::step(std::span<const Question> questions, std::span<const EntityId> negatives,
                             float learning_rate, Random* dropout) {
  const auto n = static_cast<std::int64_t>(questions.size());
  if (n > config_.batch || static_cast<std::int64_t>(negatives.size()) > config_.negatives ||
      negatives.empty() != all())
    throw ConfigError("a batch has more questions or negatives than configured, or no negatives");
  gather_negatives(negatives);
  gather_points(questions, dropout);
  mark_rows(questions);
  std::vector<double> losses(questions.size());
  parallel_for(n, 32, [&](std::int64_t first, std::int64_t last) {
    measure(first, last - first);
    Matrix slopes(1, static_cast<int>(num_negatives_));
    for (std::int64_t i = first; i < last; ++i)
      losses[static_cast<std::size_t>(i)] = differentiate(questions, i, slopes);
    pull_questions(questions, first, last - first);
  });
  if (model_.measure == Measure::kL1) {
    std::fill_n(gradient_.data(), num_negatives_ * gradient_.stride(), 0.0F);
    parallel_for(model_.entities.stride() / kLane, 1, [&](std::int64_t first, std::int64_t last) {
      l1_gradients(points_, n, this->negatives(), distances_, static_cast<int>(first), static_cast<int>(last),
                   point_gradient_, gradient_);
    });
  } else {
    parallel_for(num_negatives_, 64,
                 [&](std::int64_t first, std::int64_t last) { pull_negatives(n, first, last - first); });
  }
  parallel_for(n, 32,
               [&](std::int64_t first, std::int64_t last) { pull_tables(questions, first, last - first); });
  parallel_for(model_.entities.stride() / kLane, 2, [&](std::int64_t first, std::int64_t last) {
    scatter(questions, static_cast<int>(first) * kLane, static_cast<int>(last) * kLane);
  });
  apply(questions.size(), learning_rate);
  forget();
  double total = 0;
  for (const double loss : losses) total += loss;
  return total;
}

// Vectors of the negatives side by side, and what the measure needs of them.
void QuestionTrainer::gather_negatives(std::span<const EntityId> negatives) {
  const auto count = all() ? model_.entities.rows() : static_cast<std::int64_t>(negatives.size());
  if (count != num_negatives_) size_for(count);
  touched_.clear();
  for (std::int64_t k = 0; k < count; ++k) {
    const EntityId entity = all() ? static_cast<EntityId>(k) : negatives[static_cast<std::size_t>(k)];
    touched_.push_back(entity);
    column_of_entity_[entity] = slot_of_entity_[entity] = static_cast<std::int32_t>(k);
    const float* e = model_.entities.row(entity);
    if (!all())
      std::memcpy(negatives_.row(k), e, static_cast<std::size_t>(negatives_.stride()) * sizeof(float));
    if (model_.measure == Measure::kL2 || model_.measure == Measure::kL2Squared)
      negative_length_[static_cast<std::size_t>(k)] = squared_length(e, model_.entities.stride());
    if (model_.measure == Measure::kL1)
      for (int j = 0; j < config_.dim; ++j) transposed_.row(j)[k] = e[j];
  }
}

void QuestionTrainer::gather_points(std::span<const Question> questions, Random* dropout) {
  const int stride = model_.entities.stride();
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

// Gives every touched row a slot in the gradient tables; negatives have theirs.
void QuestionTrainer::mark_rows(std::span<const Question> questions) {
  touched_relations_.clear();
  const auto touch = [this](EntityId e) {
    if (slot_of_entity_[e] >= 0) return;
    slot_of_entity_[e] = static_cast<std::int32_t>(touched_.size());
    touched_.push_back(e);
  };
  for (const Question& q : questions) {
    touch(q.given);
    for (const EntityId e : q.answers) touch(e);
    const RelationId row = asked(q).relation;
    if (slot_of_relation_[row] >= 0) continue;
    slot_of_relation_[row] = static_cast<std::int32_t>(touched_relations_.size());
    touched_relations_.push_back(row);
  }
  const auto grown = [this](Matrix& m, std::size_t rows) {
    if (m.rows() < static_cast<std::int64_t>(rows))
      m = Matrix(static_cast<std::int64_t>(all() ? rows : rows + rows / 2), config_.dim);
  };
  grown(gradient_, touched_.size());
  grown(relation_gradient_, touched_relations_.size());
  if (config_.n3_penalty > 0) count_facts(questions);
}

// How many facts of the batch, by their weights, have each touched row.
void QuestionTrainer::count_facts(std::span<const Question> questions) {
  facts_of_entity_.assign(touched_.size(), 0.0F);
  facts_of_relation_.assign(touched_relations_.size(), 0.0F);
  for (const Question& q : questions) {
    float sum = 0;
    for (std::size_t t = 0; t < q.answers.size(); ++t) {
      facts_of_entity_[static_cast<std::size_t>(slot_of_entity_[q.answers[t]])] += q.weights[t];
      sum += q.weights[t];
    }
    facts_of_entity_[static_cast<std::size_t>(slot_of_entity_[q.given])] += sum;
    facts_of_relation_[static_cast<std::size_t>(slot_of_relation_[asked(q).relation])] += sum;
  }
}

// Distances of the questions [first, first + count) to all negatives.
void QuestionTrainer::measure(std::int64_t first, std::int64_t count) {
  if (model_.measure == Measure::kL1) return l1_distances(points_, first, count, transposed_, distances_);
  const int stride = points_.stride();
  const bool product = model_.measure == Measure::kProduct;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(count),
              static_cast<int>(num_negatives_), config_.dim, product ? -1.0F : -2.0F, points_.row(first),
              stride, negatives().data(), stride, 0.0F, distances_.row(first), distances_.stride());
  if (product) return;
  for (std::int64_t i = first; i < first + count; ++i) {
    float* d = distances_.row(i);
    const float length = point_length_[static_cast<std::size_t>(i)];
    for (int k = 0; k < distances_.stride(); k += kLane) {
      const F16 squared = simd::load(d + k) + (length + simd::load(negative_length_.data() + k));
      const F16 positive = simd::max(squared, simd::splat(1e-12F));
      simd::store(d + k, model_.measure == Measure::kL2 ? simd::sqrt(positive) : positive);
    }
  }
}

// Turns question i's distances into the factors of its gradient; returns its loss.
double QuestionTrainer::differentiate(std::span<const Question> questions, std::int64_t i, Matrix& slopes) {
  const Question& q = questions[static_cast<std::size_t>(i)];
  float* d = distances_.row(i);
  std::fill(d + num_negatives_, d + distances_.stride(), kMasked);
  for (const EntityId e : q.known)
    if (column_of_entity_[e] >= 0) d[column_of_entity_[e]] = kMasked;
  const auto offset = static_cast<std::size_t>(answer_offset_[static_cast<std::size_t>(i)]);
  const std::span<float> distance(answer_distance_.data() + offset, q.answers.size());
  const std::span<float> slope(answer_slope_.data() + offset, q.answers.size());
  distances_to(model_.measure, points_.row(i), model_.entities, q.answers, distance.data());
  const auto width = static_cast<std::size_t>(distances_.stride());
  float* s = slopes.row(0);
  const double loss = loss_.evaluate(distance, q.weights, {d, width}, slope, {s, width});
  for (std::size_t t = 0; t < slope.size(); ++t) slope[t] = chain(model_.measure, slope[t], distance[t]);
  for (std::size_t k = 0; k < width; k += kLane) {
    F16 factor = simd::load(s + k);
    if (model_.measure == Measure::kL2) factor = factor / simd::load(d + k);
    if (model_.measure == Measure::kL2Squared) factor = factor * 2.0F;
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
    for (std::size_t t = 0; t < q.answers.size(); ++t)
      add_pull(model_.measure, out, slope[t], point, model_.entities.row(q.answers[t]), 0, stride,
               config_.dim);
    if (model_.measure == Measure::kL1 || model_.measure == Measure::kProduct) continue;
    F16 sum{};
    for (int k = 0; k < distances_.stride(); k += kLane) sum += simd::load(distances_.row(i) + k);
    add_scaled(out, simd::sum(sum), point, 0, stride);
  }
  if (model_.measure == Measure::kL1) return;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(count), config_.dim,
              static_cast<int>(num_negatives_), -1.0F, distances_.row(first), distances_.stride(),
              negatives().data(), stride, 1.0F, point_gradient_.row(first), stride);
}

// Gradients of the negatives [first, first + count): sum_i factor(i, k) (negative(k) - point(i)), without the
// negative itself for products.
void QuestionTrainer::pull_negatives(std::int64_t num_questions, std::int64_t first, std::int64_t count) {
  const int stride = points_.stride();
  const bool product = model_.measure == Measure::kProduct;
  if (!product) {
    std::vector<float> sums(static_cast<std::size_t>(count), 0.0F);
    for (std::int64_t i = 0; i < num_questions; ++i) {
      const float* factor = distances_.row(i) + first;
      for (std::int64_t k = 0; k < count; ++k) sums[static_cast<std::size_t>(k)] += factor[k];
    }
    for (std::int64_t k = 0; k < count; ++k) {
      float* out = gradient_.row(first + k);
      const float* negative = negatives().row(first + k);
      for (int j = 0; j < stride; j += kLane)
        simd::store(out + j, sums[static_cast<std::size_t>(k)] * simd::load(negative + j));
    }
  }
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(count), config_.dim,
              static_cast<int>(num_questions), -1.0F, distances_.data() + first, distances_.stride(),
              points_.data(), stride, product ? 0.0F : 1.0F, gradient_.row(first), stride);
}

// From the questions' points to the vectors that they are made from.
void QuestionTrainer::pull_tables(std::span<const Question> questions, std::int64_t first,
                                  std::int64_t count) {
  for (std::int64_t i = first; i < first + count; ++i) {
    const Question& q = questions[static_cast<std::size_t>(i)];
    float* gradient = point_gradient_.row(i);
    if (keep_.rows() > 0)
      for (int j = 0; j < config_.dim; ++j) gradient[j] *= keep_.row(i)[j];
    const EmbeddingModel::Asked as = asked(q);
    model_.score->pull(std::as_const(model_).entities.values(q.given),
                       std::as_const(model_).relations.values(as.relation), as.side,
                       std::as_const(point_gradient_).values(i), given_gradient_.values(i),
                       asked_gradient_.values(i));
  }
}

// Sums the batch's gradients by row, for the columns [first, last); each thread has its own columns.
void QuestionTrainer::scatter(std::span<const Question> questions, int first, int last) {
  const auto bytes = static_cast<std::size_t>(last - first) * sizeof(float);
  for (std::size_t s = static_cast<std::size_t>(num_negatives_); s < touched_.size(); ++s)
    std::memset(gradient_.row(static_cast<std::int64_t>(s)) + first, 0, bytes);
  for (std::size_t s = 0; s < touched_relations_.size(); ++s)
    std::memset(relation_gradient_.row(static_cast<std::int64_t>(s)) + first, 0, bytes);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& q = questions[i];
    const auto row = static_cast<std::int64_t>(i);
    const float* point = points_.row(row);
    const float* slope = answer_slope_.data() + answer_offset_[i];
    for (std::size_t t = 0; t < q.answers.size(); ++t) {
      float* out = entity_gradient(q.answers[t]);
      if (model_.measure == Measure::kProduct)
        add_scaled(out, -slope[t], point, first, last);
      else
        add_pull(model_.measure, out, -slope[t], point, model_.entities.row(q.answers[t]), first, last,
                 config_.dim);
    }
    add_scaled(entity_gradient(q.given), 1.0F, given_gradient_.row(row), first, last);
    add_scaled(relation_gradient_.row(slot_of_relation_[asked(q).relation]), 1.0F, asked_gradient_.row(row),
               first, last);
  }
}

// Moves the touched rows by the mean gradient.
void QuestionTrainer::apply(std::size_t num_questions, float learning_rate) {
  const float share = 1.0F / static_cast<float>(num_questions);
  const auto n3 = static_cast<float>(config_.n3_penalty);
  entity_optimizer_.next_step();
  relation_optimizer_.next_step();
  parallel_for(static_cast<std::int64_t>(touched_.size()), 256, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t s = first; s < last; ++s) {
      const EntityId e = touched_[static_cast<std::size_t>(s)];
      if (n3 > 0 && facts_of_entity_[static_cast<std::size_t>(s)] > 0)
        add_n3_gradient(model_.entities.values(e), model_.score->complex(),
                        n3 * facts_of_entity_[static_cast<std::size_t>(s)], gradient_.values(s));
      scale(gradient_.row(s), share, gradient_.stride());
      entity_optimizer_.update(model_.entities.row(e), e, gradient_.row(s), learning_rate,
                               static_cast<float>(config_.l2_penalty));
    }
  });
  for (std::size_t s = 0; s < touched_relations_.size(); ++s) apply_relation(s, share, learning_rate);
}

void QuestionTrainer::apply_relation(std::size_t slot, float share, float learning_rate) {
  const RelationId r = touched_relations_[slot];
  const auto s = static_cast<std::int64_t>(slot);
  float* gradient = relation_gradient_.row(s);
  if (model_.parameters.rows() == 0) {
    if (config_.n3_penalty > 0)
      add_n3_gradient(model_.relations.values(r), model_.score->complex(),
                      static_cast<float>(config_.n3_penalty) * facts_of_relation_[slot],
                      relation_gradient_.values(s));
    scale(gradient, share, relation_gradient_.stride());
    return relation_optimizer_.update(model_.relations.row(r), r, gradient, learning_rate, 0.0F);
  }
  scale(gradient, share, relation_gradient_.stride());
  model_.score->pull_relation(model_.relations.values(r), relation_gradient_.values(s),
                              parameter_gradient_.values(0));
  relation_optimizer_.update(model_.parameters.row(r), r, parameter_gradient_.row(0), learning_rate, 0.0F);
  model_.score->make_relation(model_.parameters.values(r), model_.relations.values(r));
}

// Takes the batch's marks away.
void QuestionTrainer::forget() {
  for (std::int64_t k = 0; k < num_negatives_; ++k)
    column_of_entity_[touched_[static_cast<std::size_t>(k)]] = -1;
  for (const EntityId e : touched_) slot_of_entity_[e] = -1;
  for (const RelationId r : touched_relations_) slot_of_relation_[r] = -1;
}

}  // namespace kgwalk::embeddings
