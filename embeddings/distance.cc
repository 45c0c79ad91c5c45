#include "embeddings/distance.h"

#include <cmath>

#include "embeddings/simd.h"

namespace kgwalk::embeddings {
namespace {

template <Norm kNorm>
[[nodiscard]] inline float distance(const float* a, const float* b, int stride) {
  simd::F16 total{};
  for (int i = 0; i < stride; i += kLane) {
    const simd::F16 difference = simd::load(a + i) - simd::load(b + i);
    total += kNorm == Norm::kL1 ? simd::abs(difference) : difference * difference;
  }
  const float folded = simd::sum(total);
  return kNorm == Norm::kL2 ? std::sqrt(folded) : folded;
}

template <Norm kNorm, typename RowOf>
[[gnu::noinline]] void all(const float* query, int stride, std::int64_t count, RowOf row_of, float* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = distance<kNorm>(query, row_of(i), stride);
}

template <typename RowOf>
void dispatch(Norm norm, const float* query, int stride, std::int64_t count, RowOf row_of, float* out) {
  switch (norm) {
    case Norm::kL1:
      return all<Norm::kL1>(query, stride, count, row_of, out);
    case Norm::kL2:
      return all<Norm::kL2>(query, stride, count, row_of, out);
    case Norm::kL2Squared:
      return all<Norm::kL2Squared>(query, stride, count, row_of, out);
  }
}

}  // namespace

// Ranges go through the same instantiation as id lists, so that one compiled loop body defines every distance.
void distances_to(Norm norm, const float* query, const Matrix& rows, std::span<const std::int32_t> ids, float* out) {
  const std::int32_t* list = ids.data();
  dispatch(
      norm, query, rows.stride(), static_cast<std::int64_t>(ids.size()),
      [&rows, list](std::int64_t i) { return rows.row(list[i]); }, out);
}

void distances_to_range(Norm norm, const float* query, const Matrix& rows, std::int64_t first, std::int64_t count,
                        float* out) {
  dispatch(norm, query, rows.stride(), count, [&rows, first](std::int64_t i) { return rows.row(first + i); }, out);
}

}  // namespace kgwalk::embeddings
