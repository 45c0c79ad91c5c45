#include "seq2seq/kernels/int8_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/byte_dot.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kPanel = PackedMatrix::kPanel;
constexpr std::int64_t kMaxRows = 8;
constexpr std::int64_t kSerial = 32768;

// The input's rows as unsigned bytes, 128 for zero, with their scales.
struct Int8Rows {
  std::int64_t stride;  // a multiple of four
  std::vector<std::uint8_t> bytes;
  std::vector<float> scales;

  Int8Rows(const float* x, std::int64_t x_stride, std::int64_t rows, std::int64_t in)
      : stride((in + 3) / 4 * 4),
        bytes(static_cast<std::size_t>(rows * stride), 128),
        scales(static_cast<std::size_t>(rows)) {
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* row = x + r * x_stride;
      float largest = 0;
      for (std::int64_t k = 0; k < in; ++k) largest = std::max(largest, std::fabs(row[k]));
      const float inverse = largest > 0 ? 127 / largest : 0;
      scales[static_cast<std::size_t>(r)] = largest / 127;
      std::uint8_t* to = bytes.data() + r * stride;
      for (std::int64_t k = 0; k < in; ++k)
        to[k] = static_cast<std::uint8_t>(static_cast<std::int32_t>(std::nearbyint(row[k] * inverse)) + 128);
    }
  }
};

#if defined(__AVX2__) && !defined(__AVX512VNNI__)
// Products of four signed bytes, summed: 8 columns, whose weights have the absolute values `size`. A pair of
// products is 2 x 127 x 127 at most and fits its 16 bits; with the unsigned inputs it would not.
inline __m256i four_products(__m256i weight, __m256i size, __m256i x) {
  const __m256i pairs = _mm256_maddubs_epi16(size, _mm256_sign_epi8(x, weight));
  return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}
#endif

// sums[r] = x[r, :] times one panel in integers: [kRows][32]. `shifts`: the sums of inputs that are all 128.
template <int kRows>
void panel_sums(const std::int8_t* panel, std::int64_t groups, const std::int32_t* shifts,
                const std::uint8_t* x, std::int64_t x_stride, std::int32_t* sums) {
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
  (void)shifts;
#elif defined(__AVX2__)
  for (std::int64_t column = 0; column < kPanel; column += 8) {
    __m256i part[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
      part[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(shifts + column));
    for (std::int64_t g = 0; g < groups; ++g) {
      const __m256i weight =
          _mm256_load_si256(reinterpret_cast<const __m256i*>(panel + (g * kPanel + column) * 4));
      const __m256i size = _mm256_abs_epi8(weight);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        std::int32_t four = 0;
        std::memcpy(&four, x + r * x_stride + g * 4, 4);
        const __m256i value = _mm256_set1_epi32(four ^ static_cast<std::int32_t>(0x80808080));  // less 128
        part[r] = _mm256_add_epi32(part[r], four_products(weight, size, value));
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + r * kPanel + column), part[r]);
  }
#else
  (void)shifts;
  std::fill_n(sums, kRows * kPanel, 0);
  for (int r = 0; r < kRows; ++r)
    for (std::int64_t g = 0; g < groups; ++g)
      for (std::int64_t c = 0; c < kPanel; ++c)
        for (std::int64_t i = 0; i < 4; ++i)
          sums[r * kPanel + c] += static_cast<std::int32_t>(x[r * x_stride + g * 4 + i]) *
                                  static_cast<std::int32_t>(panel[(g * kPanel + c) * 4 + i]);
#endif
}

using PanelFunction = void (*)(const std::int8_t*, std::int64_t, const std::int32_t*, const std::uint8_t*,
                               std::int64_t, std::int32_t*);
constexpr PanelFunction kPanelFunctions[kMaxRows + 1] = {nullptr,       panel_sums<1>, panel_sums<2>,
                                                         panel_sums<3>, panel_sums<4>, panel_sums<5>,
                                                         panel_sums<6>, panel_sums<7>, panel_sums<8>};

// Scales, bias, activation and residual of `rows` finished rows of panel p.
void store(const Int8Matrix& weight, const PackedProduct& product, const float* x_scales, std::int64_t p,
           std::int64_t row0, std::int64_t rows, const std::int32_t* sums) {
  alignas(64) float tile[kMaxRows * kPanel];
  const std::int64_t column = p * kPanel, columns = std::min(kPanel, weight.out() - column);
  const float* scales = weight.scales(p);
  const std::int32_t* shifts = weight.shifts(p);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < kPanel; ++c)
      tile[r * kPanel + c] = static_cast<float>(sums[r * kPanel + c] - shifts[c]) * (scales[c] * x_scales[r]);
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
    scales_[static_cast<std::size_t>(o)] = largest / 127;
    std::int8_t* to = data_.get() + o / kPanel * groups() * kPanel * 4 + o % kPanel * 4;
    std::int32_t sum = 0;
    for (std::int64_t k = 0; largest > 0 && k < in; ++k) {
      const auto value = static_cast<std::int32_t>(std::nearbyint(row[k] * (127 / largest)));
      to[k / 4 * kPanel * 4 + k % 4] = static_cast<std::int8_t>(value);
      sum += value;
    }
    shifts_[static_cast<std::size_t>(o)] = 128 * sum;
  }
}

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
      kPanelFunctions[count](weight.panel(p), weight.groups(), weight.shifts(p),
                             x.bytes.data() + row0 * x.stride, x.stride, sums);
      store(weight, product, x.scales.data() + row0, p, row0, count, sums);
    }
  }
}

}  // namespace kgwalk::seq2seq
