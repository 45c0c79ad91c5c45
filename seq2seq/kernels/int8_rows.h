// The inputs of a product in 8-bit integers, each row with a scale of its own. Private to seq2seq/kernels.
//
// With VNNI an instruction sums four products of an unsigned and a signed byte into 32 bits: inputs are
// unsigned, 128 standing for zero, and both factors go from -127 to 127. AVX2 sums two products into 16 bits,
// and what makes it fast is to add two such sums before they are widened: so the weights are unsigned, 64
// standing for zero, and go from -63 to 63, and a row's scale is such that the inputs that meet in one 16-bit
// sum have sizes of at most 258 in all. 258 x 127 fits: nothing is cut off.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace kgwalk::seq2seq::detail {

#ifdef __AVX512VNNI__
using InputByte = std::uint8_t;
inline constexpr std::int32_t kInputZero = 128, kWeightZero = 0, kLargestWeight = 127;
#else
using InputByte = std::int8_t;
inline constexpr std::int32_t kInputZero = 0, kWeightZero = 64, kLargestWeight = 63;
#endif
inline constexpr std::int64_t kInputBlock = 8;  // rows are padded with zeros to a multiple of it
inline constexpr float kLargestInput = 127, kLargestSum = 256;  // 258 less what rounding may add

// The largest size of an input, and of the four of a block of eight that meet in one sum: 0, 1, 4, 5 and 2,
// 3, 6, 7.
struct InputSizes {
  float one = 0, four = 0;
};

inline void add_sizes(const float (&x)[kInputBlock], InputSizes& sizes) {
  float s[kInputBlock];
  for (std::int64_t i = 0; i < kInputBlock; ++i) s[i] = std::fabs(x[i]);
  sizes.one = std::max(sizes.one, *std::max_element(s, s + kInputBlock));
  sizes.four = std::max({sizes.four, s[0] + s[1] + s[4] + s[5], s[2] + s[3] + s[6] + s[7]});
}

inline InputSizes input_sizes(const float* x, std::int64_t n) {
  InputSizes sizes;
  std::int64_t k = 0;
#ifdef __AVX2__
  const __m256 magnitude = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF));
  __m256 one = _mm256_setzero_ps();
  __m128 four = _mm_setzero_ps();
  const auto halves = [](__m256 s) {
    return _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
  };
  for (; k + 2 * kInputBlock <= n; k += 2 * kInputBlock) {
    const __m256 a = _mm256_and_ps(_mm256_loadu_ps(x + k), magnitude),
                 b = _mm256_and_ps(_mm256_loadu_ps(x + k + kInputBlock), magnitude);
    one = _mm256_max_ps(one, _mm256_max_ps(a, b));
    four = _mm_max_ps(four, _mm_hadd_ps(halves(a), halves(b)));
  }
  alignas(32) float ones[8], fours[4];
  _mm256_store_ps(ones, one);
  _mm_store_ps(fours, four);
  sizes = {*std::max_element(ones, ones + 8), *std::max_element(fours, fours + 4)};
#endif
  for (; k < n; k += kInputBlock) {
    float block[kInputBlock] = {};
    std::copy(x + k, x + std::min(n, k + kInputBlock), block);
    add_sizes(block, sizes);
  }
  return sizes;
}

// A row as integers, padded; returns their sum.
inline std::int32_t round_inputs(const float* x, std::int64_t n, float inverse, std::int64_t padded,
                                 InputByte* to) {
  std::int32_t sum = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    const auto value = static_cast<std::int32_t>(std::nearbyint(x[k] * inverse));
    sum += value;
    to[k] = static_cast<InputByte>(value + kInputZero);
  }
  std::fill(to + n, to + padded, static_cast<InputByte>(kInputZero));
  return sum;
}

struct Int8Rows {
  std::int64_t stride;  // a multiple of kInputBlock
  std::unique_ptr<InputByte[]> bytes;
  std::unique_ptr<float[]> scales;
  std::unique_ptr<std::int32_t[]> shifts;  // what the zero of the weights adds to each sum of a row

  Int8Rows(const float* x, std::int64_t x_stride, std::int64_t rows, std::int64_t in)
      : stride((in + kInputBlock - 1) / kInputBlock * kInputBlock),
        bytes(new InputByte[static_cast<std::size_t>(rows * stride)]),
        scales(new float[static_cast<std::size_t>(rows)]),
        shifts(new std::int32_t[static_cast<std::size_t>(rows)]) {
    constexpr std::int64_t kSerial = 16384;  // numbers below which a parallel region costs more than it saves
#pragma omp parallel for schedule(static) if (rows * in > kSerial)
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* row = x + r * x_stride;
      const InputSizes sizes = input_sizes(row, in);
      const float unit = kWeightZero == 0 ? sizes.one / kLargestInput
                                          : std::max(sizes.one / kLargestInput, sizes.four / kLargestSum);
      scales[static_cast<std::size_t>(r)] = unit;
      shifts[static_cast<std::size_t>(r)] =
          kWeightZero * round_inputs(row, in, unit > 0 ? 1 / unit : 0, stride, bytes.get() + r * stride);
    }
  }
};

}  // namespace kgwalk::seq2seq::detail
