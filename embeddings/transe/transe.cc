#include "embeddings/transe/transe.h"

#include <algorithm>
#include <vector>

#include "runtime/config.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {

void TransEConfig::check(Problems& problems) const {
  if (sampling == TransESampling::kPerTriple) {
    if (loss != TransELoss::kMargin) problems.add("sampling", "per_triple works with loss = margin only");
    if (norm == TransENorm::kL2Squared)
      problems.add("sampling", "per_triple works with norm = l1 or l2 only");
    if (optimizer != RowOptimizerKind::kSgd)
      problems.add("sampling", "per_triple works with optimizer = sgd only");
  }
}

Norm norm_of(const TransEConfig& config) {
  if (config.norm == TransENorm::kL1) return Norm::kL1;
  return config.norm == TransENorm::kL2 ? Norm::kL2 : Norm::kL2Squared;
}

namespace {

void fill_uniform(Matrix& m, double bound, Random& random) {
  for (std::int64_t i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.dim(); ++j)
      m.row(i)[j] = static_cast<float>((2.0 * random.uniform() - 1.0) * bound);
}

}  // namespace

TransEModel TransEModel::random(const TransEConfig& config, std::int64_t num_entities,
                                std::int64_t num_relations) {
  TransEModel model{norm_of(config), Matrix(num_entities, config.dim), Matrix(num_relations, config.dim)};
  Random random(config.seed, 0);
  fill_uniform(model.entities, config.initial, random);
  fill_uniform(model.relations, config.initial, random);
  return model;
}

void TransEModel::question(EntityId given, RelationId relation, Side side, float* out) const {
  const float sign = side == Side::kTail ? 1.0F : -1.0F;
  const float* e = entities.row(given);
  const float* r = relations.row(relation);
  for (int j = 0; j < entities.stride(); ++j) out[j] = e[j] + sign * r[j];
}

float TransEModel::distance(const Triple& triple) const {
  Matrix point(1, entities.dim());
  question(triple.head, triple.relation, Side::kTail, point.row(0));
  float out = 0;
  distances_to(norm, point.row(0), entities, std::span(&triple.tail, 1), &out);
  return out;
}

}  // namespace kgwalk::embeddings
