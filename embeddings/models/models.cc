#include "embeddings/models/models.h"

namespace kgwalk::embeddings {

void set_product_defaults(EmbeddingConfig& config) {
  config.negatives = 2048;
  config.reciprocal = true;
  config.n3_penalty = 0.12;
  config.initial = 0.05;
  config.learning_rate = 0.15;
}

// A row a model.
const ScoreModel& score_model(EmbeddingKind kind) {
  switch (kind) {
    case EmbeddingKind::kTransE:
      return transe();
    case EmbeddingKind::kComplEx:
      return complex_products();
    case EmbeddingKind::kRotatE:
      return rotate();
    case EmbeddingKind::kDistMult:
      return distmult();
  }
  return transe();
}

}  // namespace kgwalk::embeddings
