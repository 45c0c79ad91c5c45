// ComplEx: a fact's score is the real part of the sum of h_j r_j conj(t_j) (Trouillon et al., ICML 2016).
#include "embeddings/models/complex_product.h"
#include "embeddings/models/models.h"

namespace kgwalk::embeddings {
namespace {

// The real part of a b* is the product of both as real vectors of twice the length.
class ComplEx final : public ComplexQuestions {
 public:
  EmbeddingKind kind() const override { return EmbeddingKind::kComplEx; }
  Measure measure(const EmbeddingConfig&) const override { return Measure::kProduct; }
  void set_defaults(EmbeddingConfig& config) const override { set_product_defaults(config); }
};

}  // namespace

const ScoreModel& complex_products() {
  static const ComplEx model;
  return model;
}

}  // namespace kgwalk::embeddings
