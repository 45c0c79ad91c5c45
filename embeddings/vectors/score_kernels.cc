#include "embeddings/vectors/score_kernels.h"

#include <algorithm>
#include <cmath>

#include "embeddings/vectors/simd.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

template <Measure kMeasure>
[[nodiscard]] inline float distance(const float* a, const float* b, int stride) {
  F16 total{};
  for (int i = 0; i < stride; i += kLane) {
    if constexpr (kMeasure == Measure::kProduct) {
      total += simd::load(a + i) * simd::load(b + i);
      continue;
    }
    const F16 difference = simd::load(a + i) - simd::load(b + i);
    total += kMeasure == Measure::kL1 ? simd::abs(difference) : difference * difference;
  }
  const float folded = simd::sum(total);
  if constexpr (kMeasure == Measure::kProduct) return -folded;
  return kMeasure == Measure::kL2 ? std::sqrt(folded) : folded;
}

// One compiled loop body serves id lists and ranges (`ids` null), so that a pair has one value everywhere.
template <Measure kMeasure>
[[gnu::noinline]] void all(const float* query, const Matrix& rows, const graph::EntityId* ids,
                           std::int64_t first, std::int64_t count, float* out) {
  const int stride = rows.stride();
  for (std::int64_t i = 0; i < count; ++i)
    out[i] = distance<kMeasure>(query, rows.row(ids ? static_cast<std::int64_t>(ids[i]) : first + i), stride);
}

void dispatch(Measure measure, const float* query, const Matrix& rows, const graph::EntityId* ids,
              std::int64_t first, std::int64_t count, float* out) {
  switch (measure) {
    case Measure::kL1:
      return all<Measure::kL1>(query, rows, ids, first, count, out);
    case Measure::kL2:
      return all<Measure::kL2>(query, rows, ids, first, count, out);
    case Measure::kL2Squared:
      return all<Measure::kL2Squared>(query, rows, ids, first, count, out);
    case Measure::kProduct:
      return all<Measure::kProduct>(query, rows, ids, first, count, out);
  }
}

// kRows queries against 64 points from column `k` on.
template <int kRows>
void l1_tile(const Matrix& queries, std::int64_t row, const Matrix& transposed, int k, Matrix& out) {
  constexpr int kVectors = 4;
  F16 total[kRows][kVectors] = {};
  const float* point = transposed.data() + k;
  for (int j = 0; j < queries.dim(); ++j, point += transposed.stride()) {
    F16 column[kVectors];
    for (int v = 0; v < kVectors; ++v) column[v] = simd::load(point + v * kLane);
    for (int r = 0; r < kRows; ++r) {
      const F16 value = simd::splat(queries.row(row + r)[j]);
      for (int v = 0; v < kVectors; ++v) total[r][v] += simd::abs(value - column[v]);
    }
  }
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) simd::store(out.row(row + r) + k + v * kLane, total[r][v]);
}

// As l1_tile for one query and the 16 points from column `k` on.
void l1_tail(const Matrix& queries, std::int64_t row, const Matrix& transposed, int k, Matrix& out) {
  F16 total{};
  const float* point = transposed.data() + k;
  for (int j = 0; j < queries.dim(); ++j, point += transposed.stride())
    total += simd::abs(simd::splat(queries.row(row)[j]) - simd::load(point));
  simd::store(out.row(row) + k, total);
}

// Signs of kRows queries' differences to every point in one column block, weighted and summed both ways.
template <int kRows>
void l1_gradient_tile(const Matrix& queries, std::int64_t row, const Matrix& points,
                      const Matrix& coefficients, int column, Matrix& query_gradients,
                      Matrix& point_gradients) {
  F16 query[kRows];
  F16 sums[kRows] = {};
  const float* weights[kRows];
  for (int r = 0; r < kRows; ++r) {
    query[r] = simd::load(queries.row(row + r) + column);
    weights[r] = coefficients.row(row + r);
  }
  const float* point = points.data() + column;
  float* gradient = point_gradients.data() + column;
  for (std::int64_t k = 0; k < points.rows(); ++k, point += points.stride(), gradient += points.stride()) {
    const F16 at = simd::load(point);
    F16 back{};
    for (int r = 0; r < kRows; ++r) {
      const F16 signed_weight = simd::flip_sign(simd::splat(weights[r][k]), query[r] - at);
      sums[r] += signed_weight;
      back += signed_weight;
    }
    simd::store(gradient, simd::load(gradient) - back);
  }
  for (int r = 0; r < kRows; ++r) {
    float* out = query_gradients.row(row + r) + column;
    simd::store(out, simd::load(out) + sums[r]);
  }
}

// Lanes behind the last dimension have equal (zero) coordinates; the subgradient there must stay zero too.
void clear_padding(Matrix& m, std::int64_t rows) {
  for (std::int64_t i = 0; i < rows; ++i) std::fill(m.row(i) + m.dim(), m.row(i) + m.stride(), 0.0F);
}

}  // namespace

void distances_to(Measure measure, const float* query, const Matrix& rows,
                  std::span<const graph::EntityId> ids, float* out) {
  dispatch(measure, query, rows, ids.data(), 0, static_cast<std::int64_t>(ids.size()), out);
}

void distances_to_range(Measure measure, const float* query, const Matrix& rows, std::int64_t first,
                        std::int64_t count, float* out) {
  dispatch(measure, query, rows, nullptr, first, count, out);
}

float squared_length(const float* row, int stride) {
  F16 total{};
  for (int i = 0; i < stride; i += kLane) {
    const F16 x = simd::load(row + i);
    total += x * x;
  }
  return simd::sum(total);
}

void l1_distances(const Matrix& queries, std::int64_t first, std::int64_t num_queries,
                  const Matrix& transposed, Matrix& out) {
  const std::int64_t last = first + num_queries;
  const int whole = transposed.stride() / 64 * 64;
  for (int k = 0; k < whole; k += 64) {
    std::int64_t row = first;
    for (; row + 4 <= last; row += 4) l1_tile<4>(queries, row, transposed, k, out);
    for (; row < last; ++row) l1_tile<1>(queries, row, transposed, k, out);
  }
  for (int k = whole; k < transposed.stride(); k += kLane)
    for (std::int64_t row = first; row < last; ++row) l1_tail(queries, row, transposed, k, out);
}

void l1_gradients(const Matrix& queries, std::int64_t num_queries, const Matrix& points,
                  const Matrix& coefficients, int first_block, int last_block, Matrix& query_gradients,
                  Matrix& point_gradients) {
  for (int block = first_block; block < last_block; ++block) {
    const int column = block * kLane;
    std::int64_t row = 0;
    for (; row + 8 <= num_queries; row += 8)
      l1_gradient_tile<8>(queries, row, points, coefficients, column, query_gradients, point_gradients);
    for (; row < num_queries; ++row)
      l1_gradient_tile<1>(queries, row, points, coefficients, column, query_gradients, point_gradients);
  }
  if (last_block * kLane == queries.stride()) {
    clear_padding(query_gradients, num_queries);
    clear_padding(point_gradients, points.rows());
  }
}

}  // namespace kgwalk::embeddings
