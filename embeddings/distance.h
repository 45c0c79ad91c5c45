// Distances between vectors: the one definition that training, ranking and tests share.
#pragma once

#include <cstdint>
#include <span>

#include "embeddings/matrix.h"

namespace kgwalk::embeddings {

/// kL1: sum of absolute differences. kL2: Euclidean. kL2Squared: its square.
enum class Norm : std::uint8_t { kL1, kL2, kL2Squared };

/// Distances from `query` (rows.stride() floats, 64-byte aligned, zero padded) to the rows `ids` of `rows`; out[i]
/// belongs to ids[i]. The order of the floating-point operations depends on the stride alone, so a pair of vectors always
/// gets the same bits, whichever caller asks.
void distances_to(Norm norm, const float* query, const Matrix& rows, std::span<const std::int32_t> ids, float* out);

/// The same for the rows [first, first + count).
void distances_to_range(Norm norm, const float* query, const Matrix& rows, std::int64_t first, std::int64_t count,
                        float* out);

}  // namespace kgwalk::embeddings
