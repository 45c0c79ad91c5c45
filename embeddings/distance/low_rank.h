// Randomized truncated SVD of a symmetric matrix of bytes that is streamed, never held.
//
// Halko, Martinsson, Tropp, SIAM Review 53 (2011), algorithms 4.4 and 5.1: subspace iteration from
// a random start.
#pragma once

#include <cstdint>
#include <vector>

#include "embeddings/distance/byte_matrix.h"
#include "embeddings/vectors/matrix.h"

namespace kgwalk::embeddings {

struct LowRankOptions {
  int rank = 256;
  int oversampling = 32;     // extra columns of the subspace; rank + oversampling is cut to n
  int power_iterations = 1;  // each one more pass; the total is power_iterations + 2 passes
  std::uint64_t seed = 1;
};

/// M ~ left * right^T with left = U sqrt(S), right = V sqrt(S).
struct LowRankFactors {
  Matrix left;                   // [n, rank]
  Matrix right;                  // [n, rank]
  std::vector<double> singular;  // [rank], descending; zeros when M's rank is smaller
};

/// Needs about 4 (rank + oversampling) n floats. Uses all threads of kgwalk/threads.h. ConfigError when
/// rank < 1 or rank > n.
[[nodiscard]] LowRankFactors randomized_svd(const ByteMatrix& m, const LowRankOptions& options);

}  // namespace kgwalk::embeddings
