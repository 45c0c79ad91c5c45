// TransE: a relation is a translation, and t lies near h + r (Bordes et al., NIPS 2013).
#include "embeddings/models/models.h"

namespace kgwalk::embeddings {
namespace {

class TransE final : public ScoreModel {
 public:
  EmbeddingKind kind() const override { return EmbeddingKind::kTransE; }
  Measure measure(const EmbeddingConfig& config) const override {
    if (config.norm == EmbeddingNorm::kL1) return Measure::kL1;
    return config.norm == EmbeddingNorm::kL2 ? Measure::kL2 : Measure::kL2Squared;
  }
  bool additive() const override { return true; }
  // h + r, or t - r.
  void ask(Values given, Values relation, Side side, WritableValues point) const override {
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (std::size_t j = 0; j < point.size(); ++j) point[j] = given[j] + sign * relation[j];
  }
  void pull(Values, Values, Side side, Values point_gradient, WritableValues given_gradient,
            WritableValues relation_gradient) const override {
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (std::size_t j = 0; j < point_gradient.size(); ++j) {
      given_gradient[j] = point_gradient[j];
      relation_gradient[j] = sign * point_gradient[j];
    }
  }
  void invert(Values relation, WritableValues inverse) const override {
    for (std::size_t j = 0; j < relation.size(); ++j) inverse[j] = -relation[j];
  }
};

}  // namespace

const ScoreModel& transe() {
  static const TransE model;
  return model;
}

}  // namespace kgwalk::embeddings
