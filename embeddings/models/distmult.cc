// DistMult: a fact's score is the sum of h_j r_j t_j, the same for both directions (Yang et al., ICLR 2015).
#include "embeddings/models/models.h"

namespace kgwalk::embeddings {
namespace {

class DistMult final : public ScoreModel {
 public:
  EmbeddingKind kind() const override { return EmbeddingKind::kDistMult; }
  Measure measure(const EmbeddingConfig&) const override { return Measure::kProduct; }
  void set_defaults(EmbeddingConfig& config) const override { set_product_defaults(config); }
  void ask(Values given, Values relation, Side, WritableValues point) const override {
    for (std::size_t j = 0; j < point.size(); ++j) point[j] = given[j] * relation[j];
  }
  void pull(Values given, Values relation, Side, Values point_gradient, WritableValues given_gradient,
            WritableValues relation_gradient) const override {
    for (std::size_t j = 0; j < point_gradient.size(); ++j) {
      given_gradient[j] = point_gradient[j] * relation[j];
      relation_gradient[j] = point_gradient[j] * given[j];
    }
  }
  void invert(Values relation, WritableValues inverse) const override {
    for (std::size_t j = 0; j < relation.size(); ++j) inverse[j] = relation[j];
  }
};

}  // namespace

const ScoreModel& distmult() {
  static const DistMult model;
  return model;
}

}  // namespace kgwalk::embeddings
