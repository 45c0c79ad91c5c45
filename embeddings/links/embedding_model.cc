#include "embeddings/links/embedding_model.h"

#include <numbers>

#include "runtime/config.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {

void EmbeddingConfig::check(Problems& problems) const {
  const ScoreModel& score = score_model(model);
  if (score.complex() && dim % 2 != 0) problems.add("dim", "must be even: half of it are imaginary parts");
  if (model == EmbeddingKind::kRotatE && norm == EmbeddingNorm::kL1)
    problems.add("norm", "rotations keep lengths, so rotate works with norm = l2 or l2_squared");
  if (sampling == EmbeddingSampling::kPerTriple) {
    if (model != EmbeddingKind::kTransE)
      problems.add("sampling", "per_triple works with model = transe only");
    if (loss != EmbeddingLoss::kMargin) problems.add("sampling", "per_triple works with loss = margin only");
    if (norm == EmbeddingNorm::kL2Squared)
      problems.add("sampling", "per_triple works with norm = l1 or l2 only");
    if (optimizer != RowOptimizerKind::kSgd)
      problems.add("sampling", "per_triple works with optimizer = sgd only");
    if (reciprocal) problems.add("reciprocal", "needs sampling = shared or all");
    if (n3_penalty > 0) problems.add("n3_penalty", "needs sampling = shared or all");
  }
}

EmbeddingConfig default_embedding(EmbeddingKind kind) {
  EmbeddingConfig config;
  config.model = kind;
  score_model(kind).set_defaults(config);
  return config;
}

namespace {

void fill_uniform(Matrix& m, double bound, Random& random) {
  for (std::int64_t i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.dim(); ++j)
      m.row(i)[j] = static_cast<float>((2.0 * random.uniform() - 1.0) * bound);
}

}  // namespace

EmbeddingModel EmbeddingModel::random(const EmbeddingConfig& config, std::int64_t num_entities,
                                      std::int64_t num_relations) {
  const ScoreModel& score = score_model(config.model);
  EmbeddingModel model{&score, score.measure(config), Matrix(num_entities, config.dim),
                       Matrix(num_relations, config.dim), Matrix()};
  Random random(config.seed, 0);
  fill_uniform(model.entities, config.initial, random);
  const int parameters = score.parameters(config.dim);
  if (parameters == 0) {
    fill_uniform(model.relations, config.initial, random);
    return model;
  }
  model.parameters = Matrix(num_relations, parameters);
  fill_uniform(model.parameters, std::numbers::pi, random);
  for (std::int64_t r = 0; r < num_relations; ++r)
    score.make_relation(model.parameters.values(r), model.relations.values(r));
  return model;
}

void EmbeddingModel::question(EntityId given, RelationId relation, Side side, float* out) const {
  const Asked as = asked(relation, side);
  score->ask(entities.values(given), relations.values(as.relation), as.side,
             {out, static_cast<std::size_t>(entities.dim())});
}

float EmbeddingModel::distance(const Triple& triple) const {
  Matrix point(1, entities.dim());
  question(triple.head, triple.relation, Side::kTail, point.row(0));
  float out = 0;
  distances_to(measure, point.row(0), entities, std::span(&triple.tail, 1), &out);
  return out;
}

}  // namespace kgwalk::embeddings
