// Random tables and triples for the tests of embeddings.
#pragma once

#include <utility>
#include <vector>

#include "embeddings/links/embedding_model.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {

inline Matrix random_matrix(std::int64_t rows, int dim, Random& random) {
  Matrix m(rows, dim);
  for (std::int64_t i = 0; i < rows; ++i)
    for (int j = 0; j < dim; ++j) m.row(i)[j] = static_cast<float>(random.normal());
  return m;
}

/// Entries drawn from a few values only, so that many distances are exactly equal.
inline Matrix coarse_matrix(std::int64_t rows, int dim, int values, Random& random) {
  Matrix m(rows, dim);
  for (std::int64_t i = 0; i < rows; ++i)
    for (int j = 0; j < dim; ++j)
      m.row(i)[j] = 0.5F * static_cast<float>(random.below(static_cast<std::uint64_t>(values)));
  return m;
}

inline std::vector<Triple> random_triples(int count, std::uint64_t entities, std::uint64_t relations,
                                          Random& random) {
  std::vector<Triple> out;
  for (int i = 0; i < count; ++i)
    out.push_back({static_cast<EntityId>(random.below(entities)),
                   static_cast<RelationId>(random.below(relations)),
                   static_cast<EntityId>(random.below(entities))});
  return out;
}

/// Tables of TransE, unless another model is named.
inline EmbeddingModel tables_of(Measure measure, Matrix entities, Matrix relations,
                                EmbeddingKind kind = EmbeddingKind::kTransE) {
  return {&score_model(kind), measure, std::move(entities), std::move(relations), Matrix()};
}

}  // namespace kgwalk::embeddings
