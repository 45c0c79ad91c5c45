#include "seq2seq/kernels/int8_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "runtime/byte_dot.h"
#include "seq2seq/kernels/int8_rows.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace kgwalk::seq2seq {
namespace {

using detail::InputByte;
using detail::Int8Rows;
using detail::kInputBlock;
using detail::kInputZero;
using detail::kLargestWeight;
using detail::kWeightZero;

constexpr std::int64_t kPanel = PackedMatrix::kPanel;
#ifdef __AVX512VNNI__
constexpr std::int64_t kMaxRows = 8;
#else
constexpr std::int64_t kMaxRows = 4;  // of two registers of sums: 16 registers hold the factors as well
#endif
constexpr std::int64_t kSerial = 32768;

#if defined(__AVX2__) && !defined(__AVX512VNNI__)
inline __m256i eight_columns(const std::int8_t* weights) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(weights));
}

inline __m256i four_inputs(const InputByte* x) {
  std::int32_t four = 0;
  std::memcpy(&four, x, 4);
  return _mm256_set1_epi32(four);
}

// Adds to the sums of eight columns four products of `first` and four of `second`.
inline void add_eight_products(__m256i& sums, __m256i here, __m256i first, __m256i next, __m256i second) {
  const __m256i pairs =
      _mm256_add_epi16(_mm256_maddubs_epi16(here, first), _mm256_maddubs_epi16(next, second));
  sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#ifdef __GNUC__
  asm("" : "+x"(sums));  // GCC 12 would keep the sums of the loop in memory, though each has a register
#endif
}
#endif

// sums[r] = x[r, :] times one panel in integers: [kRows][32].
template <int kRows>
void panel_sums(const std::int8_t* panel, std::int64_t groups, const InputByte* x, std::int64_t x_stride,
                std::int32_t* sums) {
#ifdef __AVX512VNNI__
  // Unrolled, so that the sums are registers: an index that is not a constant would put them into memory.
  __m512i low[kRows], high[kRows];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) low[r] = high[r] = _mm512_setzero_si512();
  for (std::int64_t g = 0; g < groups; ++g) {
    const __m512i w0 = _mm512_load_si512(panel + g * kPanel * 4),
                  w1 = _mm512_load_si512(panel + g * kPanel * 4 + 64);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      std::int32_t four = 0;
      std::memcpy(&four, x + r * x_stride + g * 4, 4);
      const __m512i value = _mm512_set1_epi32(four);
      add_byte_products(low[r], value, w0);
      add_byte_products(high[r], value, w1);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    _mm512_storeu_si512(sums + r * kPanel, low[r]);
    _mm512_storeu_si512(sums + r * kPanel + 16, high[r]);
  }
#elif defined(__AVX2__)
  for (std::int64_t column = 0; column < kPanel; column += 16) {
    __m256i low[kRows], high[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) low[r] = high[r] = _mm256_setzero_si256();
    const std::int8_t* weights = panel + column * 4;
    const InputByte* inputs = x;
    for (std::int64_t g = 0; g < groups; g += 2, weights += 2 * kPanel * 4, inputs += kInputBlock) {
      const __m256i here[2] = {eight_columns(weights), eight_columns(weights + 32)},
                    next[2] = {eight_columns(weights + kPanel * 4), eight_columns(weights + kPanel * 4 + 32)};
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const __m256i first = four_inputs(inputs + r * x_stride),
                      second = four_inputs(inputs + r * x_stride + 4);
        add_eight_products(low[r], here[0], first, next[0], second);
        add_eight_products(high[r], here[1], first, next[1], second);
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      auto* to = reinterpret_cast<__m256i*>(sums + r * kPanel + column);
      _mm256_storeu_si256(to, low[r]);
      _mm256_storeu_si256(to + 1, high[r]);
    }
  }
#else
  std::fill_n(sums, kRows * kPanel, 0);
  for (int r = 0; r < kRows; ++r)
    for (std::int64_t g = 0; g < groups; ++g)
      for (std::int64_t c = 0; c < kPanel; ++c)
        for (std::int64_t i = 0; i < 4; ++i)
          sums[r * kPanel + c] += static_cast<std::int32_t>(x[r * x_stride + g * 4 + i]) *
                                  static_cast<std::int32_t>(panel[(g * kPanel + c) * 4 + i]);
#endif
}

using PanelFunction = void (*)(const std::int8_t*, std::int64_t, const InputByte*, std::int64_t,
                               std::int32_t*);
template <int... kRows>
constexpr std::array<PanelFunction, sizeof...(kRows) + 1> int8_panel_functions(
    std::integer_sequence<int, kRows...>) {
  return {nullptr, panel_sums<kRows + 1>...};
}
constexpr auto kPanelFunctions = int8_panel_functions(std::make_integer_sequence<int, kMaxRows>());

// Scales, bias, activation and residual of `rows` finished rows of panel p.
void store(const Int8Matrix& weight, const PackedProduct& product, const Int8Rows& x, std::int64_t p,
           std::int64_t row0, std::int64_t rows, const std::int32_t* sums) {
  alignas(64) float tile[kMaxRows * kPanel];
  const std::int64_t column = p * kPanel, columns = std::min(kPanel, weight.out() - column);
  const float* scales = weight.scales(p);
  const std::int32_t* shifts = weight.shifts(p);
  for (std::int64_t r = 0; r < rows; ++r) {
    const float unit = x.scales[static_cast<std::size_t>(row0 + r)];
    const std::int32_t shift = x.shifts[static_cast<std::size_t>(row0 + r)];
    for (std::int64_t c = 0; c < kPanel; ++c)
      tile[r * kPanel + c] =
          static_cast<float>(sums[r * kPanel + c] - shifts[c] - shift) * (scales[c] * unit);
  }
  for (std::int64_t r = 0; product.bias && r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) tile[r * kPanel + c] += product.bias[column + c];
  if (product.activation != Activation::kNone) activate_tile(product.activation, tile, rows * kPanel);
  for (std::int64_t r = 0; r < rows; ++r) {
    float* y = product.y + (row0 + r) * product.y_stride + column;
    const float* residual =
        product.residual ? product.residual + (row0 + r) * product.residual_stride + column : nullptr;
    for (std::int64_t c = 0; c < columns; ++c) y[c] = tile[r * kPanel + c] + (residual ? residual[c] : 0.0f);
  }
}

}  // namespace

Int8Matrix::Int8Matrix(const float* weight, std::int64_t out, std::int64_t in)
    : out_(out),
      in_(in),
      scales_(static_cast<std::size_t>(panels() * kPanel)),
      shifts_(static_cast<std::size_t>(panels() * kPanel)) {
  const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(1, panels() * groups()) * kPanel * 4);
  data_.reset(static_cast<std::int8_t*>(std::aligned_alloc(64, bytes)));
  if (!data_) throw std::bad_alloc();
  std::memset(data_.get(), 0, bytes);
  for (std::int64_t o = 0; o < out; ++o) {
    const float* row = weight + o * in;
    float largest = 0;
    for (std::int64_t k = 0; k < in; ++k) largest = std::max(largest, std::fabs(row[k]));
    scales_[static_cast<std::size_t>(o)] = largest / kLargestWeight;
    std::int8_t* to = data_.get() + o / kPanel * groups() * kPanel * 4 + o % kPanel * 4;
    std::int32_t sum = 0;
    const float inverse = largest > 0 ? static_cast<float>(kLargestWeight) / largest : 0;
    for (std::int64_t k = 0; k < in; ++k) {
      const auto value = static_cast<std::int32_t>(std::nearbyint(row[k] * inverse));
      to[k / 4 * kPanel * 4 + k % 4] = static_cast<std::int8_t>(value + kWeightZero);
      sum += value;
    }
    shifts_[static_cast<std::size_t>(o)] = kInputZero * sum;
  }
}

std::int32_t Int8Matrix::largest_weight() noexcept { return kLargestWeight; }

void Int8Matrix::Free::operator()(std::int8_t* p) const noexcept { std::free(p); }

void multiply(const Int8Matrix& weight, const PackedProduct& product) {
  const std::int64_t panels = weight.panels(), rows = product.rows;
  const std::int64_t blocks = (rows + kMaxRows - 1) / kMaxRows;
  const Int8Rows x(product.x, product.x_stride, rows, weight.in());
#pragma omp parallel for schedule(static) if (weight.out() * weight.in() > kSerial)
  for (std::int64_t p = 0; p < panels; ++p) {
    alignas(64) std::int32_t sums[kMaxRows * kPanel];
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t row0 = rows * block / blocks, count = rows * (block + 1) / blocks - row0;
      kPanelFunctions[count](weight.panel(p), weight.groups(), x.bytes.get() + row0 * x.stride, x.stride,
                             sums);
      store(weight, product, x, p, row0, count, sums);
    }
  }
}

}  // namespace kgwalk::seq2seq
