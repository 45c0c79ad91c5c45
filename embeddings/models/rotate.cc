// RotatE: a relation turns every complex entry of h by an angle, and t lies near (Sun et al., ICLR 2019).
#include <cmath>

#include "embeddings/models/complex_product.h"
#include "embeddings/models/models.h"

namespace kgwalk::embeddings {
namespace {

// Angles are what is trained; the vector holds their cosines and sines. Turning back keeps distances, so that
// |h r - t| = |h - t conj(r)|. The paper sums the moduli of the differences; here their squares are summed,
// which are matrix products.
class RotatE final : public ComplexQuestions {
 public:
  EmbeddingKind kind() const override { return EmbeddingKind::kRotatE; }
  Measure measure(const EmbeddingConfig& config) const override {
    return config.norm == EmbeddingNorm::kL2Squared ? Measure::kL2Squared : Measure::kL2;
  }
  int parameters(int dim) const override { return dim / 2; }
  void make_relation(Values parameters, WritableValues relation) const override {
    for (std::size_t j = 0; j < parameters.size(); ++j) {
      relation[j] = std::cos(parameters[j]);
      relation[parameters.size() + j] = std::sin(parameters[j]);
    }
  }
  void pull_relation(Values relation, Values relation_gradient,
                     WritableValues parameter_gradient) const override {
    const std::size_t half = parameter_gradient.size();
    for (std::size_t j = 0; j < half; ++j)
      parameter_gradient[j] =
          relation[j] * relation_gradient[half + j] - relation[half + j] * relation_gradient[j];
  }
};

}  // namespace

const ScoreModel& rotate() {
  static const RotatE model;
  return model;
}

}  // namespace kgwalk::embeddings
