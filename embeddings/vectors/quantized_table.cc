#include "embeddings/vectors/quantized_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "embeddings/vectors/simd.h"
#include "kgwalk/error.h"

#ifdef __AVX512BW__
#include <immintrin.h>
#endif

namespace kgwalk::embeddings {
namespace {

constexpr int kGroup = 8;               // rows a group
constexpr std::int32_t kFar = 1 << 29;  // more than any sum

std::uint8_t quantized(float x, float low, double step) {
  return static_cast<std::uint8_t>(std::clamp(std::round((static_cast<double>(x) - low) / step), 0.0, 255.0));
}

#ifdef __AVX512BW__
using Sums = __m512i;
Sums add_line(Sums sums, const std::uint8_t* line, const std::uint8_t* query) {
  std::int64_t eight;
  std::memcpy(&eight, query, sizeof eight);
  return _mm512_add_epi64(sums, _mm512_sad_epu8(_mm512_load_si512(line), _mm512_set1_epi64(eight)));
}
Sums no_sums() { return _mm512_setzero_si512(); }
void put(Sums sums, std::int32_t* out) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_maskz_cvtepi64_epi32(0xFF, sums));
}
#else
struct Sums {
  std::int32_t lane[kGroup];
};
Sums add_line(Sums sums, const std::uint8_t* line, const std::uint8_t* query) {
  for (int i = 0; i < kGroup; ++i) {
    int sum = 0;
    for (int j = 0; j < 8; ++j)
      sum += std::abs(static_cast<int>(line[8 * i + j]) - static_cast<int>(query[j]));
    sums.lane[i] += sum;
  }
  return sums;
}
Sums no_sums() { return {}; }
void put(const Sums& sums, std::int32_t* out) { std::copy_n(sums.lane, kGroup, out); }
#endif

std::int32_t in_steps(double distance) {
  return static_cast<std::int32_t>(std::clamp<double>(distance, -kFar, kFar));
}

}  // namespace

void QuantizedTable::Free::operator()(void* p) const { ::operator delete (p, std::align_val_t{64}); }

QuantizedTable::QuantizedTable(const Matrix& rows)
    : rows_(rows.rows()),
      groups_((rows.rows() + kGroup - 1) / kGroup),
      dim_(rows.dim()),
      lines_((rows.dim() + 7) / 8),
      low_(static_cast<std::size_t>(rows.dim()), std::numeric_limits<float>::infinity()) {
  double widest = 0;
  for (int j = 0; j < dim_; ++j) {
    float high = -std::numeric_limits<float>::infinity();
    for (std::int64_t i = 0; i < rows_; ++i) {
      const float x = rows.row(i)[j];
      if (!std::isfinite(x))
        throw NumericError("an embedding entry is not finite; ranks would be meaningless");
      low_[static_cast<std::size_t>(j)] = std::min(low_[static_cast<std::size_t>(j)], x);
      high = std::max(high, x);
    }
    widest = std::max(widest, static_cast<double>(high) - low_[static_cast<std::size_t>(j)]);
  }
  step_ = widest > 0 ? widest / 255.0 : 1.0;
  const auto size = static_cast<std::size_t>(groups_) * static_cast<std::size_t>(lines_) * 64;
  bytes_.reset(static_cast<std::uint8_t*>(::operator new (size, std::align_val_t{64})));
  std::memset(bytes_.get(), 0, size);
  error_.assign(static_cast<std::size_t>(padded_rows()), 0);
  for (std::int64_t i = 0; i < rows_; ++i) {
    const Query row = quantize(rows.row(i));
    std::uint8_t* group = bytes_.get() + (i / kGroup) * lines_ * 64 + (i % kGroup) * 8;
    for (int line = 0; line < lines_; ++line) std::memcpy(group + line * 64, row.bytes.data() + line * 8, 8);
    error_[static_cast<std::size_t>(i)] = in_steps(std::ceil(row.error / step_));
  }
}

QuantizedTable::Query QuantizedTable::quantize(const float* query) const {
  Query out;
  out.bytes.assign(static_cast<std::size_t>(lines_) * 8, 0);
  double length = 0;
  for (int j = 0; j < dim_; ++j) {
    const float low = low_[static_cast<std::size_t>(j)];
    const std::uint8_t q = quantized(query[j], low, step_);
    out.bytes[static_cast<std::size_t>(j)] = q;
    out.error += std::abs(static_cast<double>(query[j]) - (low + step_ * q));
    length += std::abs(static_cast<double>(query[j]));
  }
  // Slack for the rounding of single-precision distances: at most dim + 4 operations of relative error 2^-24
  // on a sum of |q_j - e_j| <= |q_j| + |e_j|.
  out.error += length * (dim_ + 4) * 0x1.0p-23;
  return out;
}

// sums [kCount, padded rows]; padding rows are farther than everything.
template <int kCount>
void QuantizedTable::add_up(const Query* queries, std::int32_t* sums) const {
  const std::int64_t stride = padded_rows(), size = lines_ * 64;
  const auto pass = [&]<int kGroups>(std::int64_t g, std::integral_constant<int, kGroups>) {
    Sums sum[kGroups][kCount];
    for (auto& row : sum)
      for (Sums& s : row) s = no_sums();
    const std::uint8_t* group = bytes_.get() + g * size;
    for (int line = 0; line < lines_; ++line)
      for (int q = 0; q < kCount; ++q)
        for (int i = 0; i < kGroups; ++i)
          sum[i][q] = add_line(sum[i][q], group + i * size + line * 64, queries[q].bytes.data() + line * 8);
    for (int q = 0; q < kCount; ++q)
      for (int i = 0; i < kGroups; ++i) put(sum[i][q], sums + q * stride + (g + i) * kGroup);
  };
  std::int64_t g = 0;
  for (; g + 2 <= groups_; g += 2) pass(g, std::integral_constant<int, 2>());
  if (g < groups_) pass(g, std::integral_constant<int, 1>());
  for (int q = 0; q < kCount; ++q) std::fill(sums + q * stride + rows_, sums + (q + 1) * stride, 2 * kFar);
}

// A row is proven nearer when sum + error < below, and open otherwise while sum - error <= above.
void QuantizedTable::settle(const Query& query, const std::int32_t* sums, Workspace& space,
                            Count& count) const {
  const double d = count.distance;
  const std::int32_t below = in_steps(std::floor((d - query.error) / step_)),
                     above = in_steps(std::ceil((d + query.error) / step_));
  std::uint32_t* open = space.open.data();
  std::int64_t num_open = 0;
  for (std::int64_t i = 0; i < rows_;
       i += kLane) {  // without branches: whether a row is open is anyone's guess
    simd::I16 sum, error;
    std::memcpy(&sum, sums + i, sizeof sum);
    std::memcpy(&error, error_.data() + i, sizeof error);
    const unsigned near = simd::lanes(sum - error <= above), sure = simd::lanes(sum + error < below);
    count.nearer += __builtin_popcount(sure);
    num_open += simd::put_lanes(static_cast<std::uint32_t>(i), near & ~sure, open + num_open);
  }
  count.unsure.assign(open, open + num_open);
}

void QuantizedTable::compare(std::span<const Query> queries, std::span<const std::span<Count>> counts,
                             Workspace& space) const {
  const auto stride = static_cast<std::size_t>(padded_rows());
  if (space.sums.size() < kQueries * stride) space.sums.resize(kQueries * stride);
  if (space.open.size() < stride + 16) space.open.resize(stride + 16);
  std::int32_t* sums = space.sums.data();
  if (queries.size() == kQueries) {
    add_up<kQueries>(queries.data(), sums);
  } else {
    for (std::size_t q = 0; q < queries.size(); ++q) add_up<1>(&queries[q], sums + q * stride);
  }
  for (std::size_t q = 0; q < queries.size(); ++q)
    for (Count& count : counts[q]) settle(queries[q], sums + q * stride, space, count);
}

}  // namespace kgwalk::embeddings
