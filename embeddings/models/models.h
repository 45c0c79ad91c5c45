// The models there are, each in the file of its name.
#pragma once

#include "embeddings/models/score_model.h"

namespace kgwalk::embeddings {

/// What suits models that score by products: many negatives, reciprocal relations, N3 (Lacroix,
/// Usunier, Obozinski, ICML 2018).
void set_product_defaults(EmbeddingConfig& config);

[[nodiscard]] const ScoreModel& transe();
[[nodiscard]] const ScoreModel& complex_products();
[[nodiscard]] const ScoreModel& rotate();
[[nodiscard]] const ScoreModel& distmult();

}  // namespace kgwalk::embeddings
