#include "embeddings/quantized_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/error.h"

#ifdef __AVX512BW__
#include <immintrin.h>
#endif

namespace kgwalk::embeddings {
namespace {

constexpr int kGroup = 8;                             // rows a group
constexpr std::int64_t kFar = std::int64_t{1} << 40;  // more than any sum

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
// Bit i: sums[i] + error[i] < below / sums[i] - error[i] <= above.
unsigned nearer_bits(Sums sums, const std::int64_t* error, std::int64_t below) {
  const __m512i e = _mm512_loadu_si512(error);
  return _mm512_cmplt_epi64_mask(_mm512_add_epi64(sums, e), _mm512_set1_epi64(below));
}
unsigned open_bits(Sums sums, const std::int64_t* error, std::int64_t above) {
  const __m512i e = _mm512_loadu_si512(error);
  return _mm512_cmple_epi64_mask(_mm512_sub_epi64(sums, e), _mm512_set1_epi64(above));
}
#else
struct Sums {
  std::int64_t lane[kGroup];
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
unsigned nearer_bits(const Sums& sums, const std::int64_t* error, std::int64_t below) {
  unsigned bits = 0;
  for (int i = 0; i < kGroup; ++i) bits |= static_cast<unsigned>(sums.lane[i] + error[i] < below) << i;
  return bits;
}
unsigned open_bits(const Sums& sums, const std::int64_t* error, std::int64_t above) {
  unsigned bits = 0;
  for (int i = 0; i < kGroup; ++i) bits |= static_cast<unsigned>(sums.lane[i] - error[i] <= above) << i;
  return bits;
}
#endif

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
  error_.assign(static_cast<std::size_t>(groups_ * kGroup), kFar);
  for (std::int64_t i = 0; i < rows_; ++i) {
    const Query row = quantize(rows.row(i));
    std::uint8_t* group = bytes_.get() + (i / kGroup) * lines_ * 64 + (i % kGroup) * 8;
    for (int line = 0; line < lines_; ++line) std::memcpy(group + line * 64, row.bytes.data() + line * 8, 8);
    error_[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::ceil(row.error / step_));
  }
  // Padding rows: never proven nearer (sum + error is huge) and, with the same error subtracted, never
  // skipped; scan() cuts them off by their number.
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

QuantizedTable::Limits QuantizedTable::limits(const Query& query, float distance) const {
  const double d = static_cast<double>(distance);
  return {static_cast<std::int64_t>(std::floor((d - query.error) / step_)),
          static_cast<std::int64_t>(std::ceil((d + query.error) / step_))};
}

template <int kQueries>
void QuantizedTable::scan(const Query* const* query, const Limits* limits, std::int64_t* nearer,
                          std::vector<std::uint32_t>* const* unsure) const {
  const std::uint8_t* group = bytes_.get();
  for (std::int64_t g = 0; g < groups_; ++g, group += lines_ * 64) {
    Sums sums[kQueries];
    for (int q = 0; q < kQueries; ++q) sums[q] = no_sums();
    for (int line = 0; line < lines_; ++line)
      for (int q = 0; q < kQueries; ++q)
        sums[q] = add_line(sums[q], group + line * 64, query[q]->bytes.data() + line * 8);
    const std::int64_t* error = error_.data() + g * kGroup;
    const std::int64_t rest = rows_ - g * kGroup;
    const unsigned real = rest >= kGroup ? 0xFFU : (1U << rest) - 1U;
    for (int q = 0; q < kQueries; ++q) {
      unsigned open = open_bits(sums[q], error, limits[q].above) & real;
      if (open == 0) continue;
      const unsigned sure = nearer_bits(sums[q], error, limits[q].below) & real;
      nearer[q] += __builtin_popcount(sure);
      for (open &= ~sure; open != 0; open &= open - 1)
        unsure[q]->push_back(static_cast<std::uint32_t>(g * kGroup + __builtin_ctz(open)));
    }
  }
}

void QuantizedTable::compare(const Query& query, float distance, std::int64_t& nearer,
                             std::vector<std::uint32_t>& unsure) const {
  const Query* queries[] = {&query};
  std::vector<std::uint32_t>* lists[] = {&unsure};
  const Limits limit = limits(query, distance);
  scan<1>(queries, &limit, &nearer, lists);
}

void QuantizedTable::compare4(const Query* const (&query)[4], const float (&distance)[4],
                              std::int64_t (&nearer)[4],
                              std::vector<std::uint32_t>* const (&unsure)[4]) const {
  Limits limit[4];
  for (int q = 0; q < 4; ++q) limit[q] = limits(*query[q], distance[q]);
  scan<4>(query, limit, nearer, unsure);
}

}  // namespace kgwalk::embeddings
