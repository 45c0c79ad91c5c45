// Distances between vectors: the one definition that training, ranking and tests share.
#pragma once

#include <cstdint>
#include <span>

#include "embeddings/vectors/matrix.h"
#include "kgwalk/graph_types.h"

namespace kgwalk::embeddings {

/// kL1: sum of absolute differences. kL2: Euclidean. kL2Squared: its square. kProduct: the inner product,
/// negated, so that less is nearer here too.
enum class Measure : std::uint8_t { kL1, kL2, kL2Squared, kProduct };

/// out[i] = distance from `query` to row ids[i] of `rows`. `query` holds rows.stride() floats, 64-byte
/// aligned and zero padded. The order of the floating-point operations depends on the stride alone, so a pair
/// of vectors always gets the same bits, whichever caller asks. Thread-safe.
void distances_to(Measure measure, const float* query, const Matrix& rows,
                  std::span<const graph::EntityId> ids, float* out);

/// The same for the rows [first, first + count).
void distances_to_range(Measure measure, const float* query, const Matrix& rows, std::int64_t first,
                        std::int64_t count, float* out);

/// Squared length of a row of `stride` floats.
[[nodiscard]] float squared_length(const float* row, int stride);

/// L1 distances of `num_queries` consecutive rows of `queries`, from row `first` on, to all points:
/// out(i, k) = |queries(i) - points(k)|_1. `transposed` holds the points as columns, [D, K padded]; columns
/// behind the last point get the queries' distances to its content. Register-blocked over four queries and 64
/// points. Thread-safe on disjoint rows.
void l1_distances(const Matrix& queries, std::int64_t first, std::int64_t num_queries,
                  const Matrix& transposed, Matrix& out);

/// Gradient of sum(coefficients(i, k) * |queries(i) - points(k)|_1) for the 16-float columns [first_block,
/// last_block): added to query_gradients and point_gradients. Thread-safe on disjoint column blocks. At zero
/// differences the subgradient +1 is taken.
void l1_gradients(const Matrix& queries, std::int64_t num_queries, const Matrix& points,
                  const Matrix& coefficients, int first_block, int last_block, Matrix& query_gradients,
                  Matrix& point_gradients);

}  // namespace kgwalk::embeddings
