// Low-rank factors of a symmetric matrix of bytes from some of its rows, where all of them are too many.
//
// The rows C = M[S, :] give the leading directions Q of all columns, and M ~ Q B Q^T with the B that fits C
// best in least squares: a Nystroem approximation (Drineas, Mahoney, JMLR 6, 2005) whose directions are
// chosen before it is inverted, so that small eigenvalues do no harm.
#pragma once

#include <cstdint>
#include <span>

#include "embeddings/distance/low_rank.h"

namespace kgwalk::embeddings {

/// sources: the rows' numbers, distinct. rows: [sources.size(), n], where ByteMatrix::kAbsent stands for
/// `absent`. Needs sources.size()^2 doubles beside factors and rows. The result does not depend on threads
/// beyond rounding. ConfigError when there are fewer rows than rank + oversampling.
[[nodiscard]] LowRankFactors factors_of_rows(std::span<const std::uint32_t> sources,
                                             std::span<const std::uint8_t> rows, std::int64_t n, float absent,
                                             const LowRankOptions& options);

}  // namespace kgwalk::embeddings
