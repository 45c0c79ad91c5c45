// TransE: a relation is a translation; a triple (h, r, t) is good when h + r lies near t (Bordes et
// al., NIPS 2013).
#pragma once

#include <cstdint>
#include <string>

#include "embeddings/transe/triples.h"
#include "embeddings/vectors/matrix.h"
#include "embeddings/vectors/score_kernels.h"
#include "kgwalk/embeddings.h"

namespace kgwalk::embeddings {

[[nodiscard]] Norm norm_of(const TransEConfig& config);

/// The two tables. A question (h, r, ?) is the point h + r, and (?, r, t) is t - r: its answers are the
/// nearest entities.
struct TransEModel {
  Norm norm = Norm::kL2;
  Matrix entities;   // [E, D]
  Matrix relations;  // [R, D]

  /// Tables with uniform entries in [-initial, initial], the same for the same seed.
  [[nodiscard]] static TransEModel random(const TransEConfig& config, std::int64_t num_entities,
                                          std::int64_t num_relations);
  /// Writes the question's point, stride floats.
  void question(EntityId given, RelationId relation, Side side, float* out) const;
  /// Distance of h + r from t under the norm.
  [[nodiscard]] float distance(const Triple& triple) const;
};

}  // namespace kgwalk::embeddings
