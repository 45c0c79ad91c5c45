#include "embeddings/distance/byte_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "runtime/byte_dot.h"
#include "runtime/parallel.h"

namespace kgwalk::embeddings {
namespace {

constexpr int kRows = 5;  // rows and panels of one kernel: 25 registers of sums, 5 of x, 1 of bytes
constexpr int kPanels = 5;
constexpr float kLargest = 127.0F;

#ifdef __AVX512VNNI__
// sums of `quads` groups of four columns: y[r][panel] += step * sum.
template <int rows, int panels>
void kernel(const std::uint8_t* bytes, std::int64_t bytes_stride, const std::int8_t* x, std::int64_t x_stride,
            std::int64_t quads, const float* steps, float* y, std::int64_t y_stride) {
  // Every loop over registers is unrolled: an index that is not a constant would put the sums into memory.
  __m512i sums[rows][panels];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < panels; ++p) sums[r][p] = _mm512_setzero_si512();
  for (std::int64_t q = 0; q < quads; ++q) {
    __m512i panel[panels];
#pragma GCC unroll 8
    for (int p = 0; p < panels; ++p) panel[p] = _mm512_load_si512(x + q * x_stride + p * 64);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      std::int32_t four;
      std::memcpy(&four, bytes + r * bytes_stride + 4 * q, sizeof four);
      const __m512i all = _mm512_set1_epi32(four);
#pragma GCC unroll 8
      for (int p = 0; p < panels; ++p) add_byte_products(sums[r][p], all, panel[p]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < panels; ++p) {
      float* out = y + r * y_stride + p * kLane;
      _mm512_store_ps(out, _mm512_fmadd_ps(_mm512_maskz_cvtepi32_ps(0xFFFF, sums[r][p]),
                                           _mm512_loadu_ps(steps + p * kLane), _mm512_load_ps(out)));
    }
}
#else
template <int rows, int panels>
void kernel(const std::uint8_t* bytes, std::int64_t bytes_stride, const std::int8_t* x, std::int64_t x_stride,
            std::int64_t quads, const float* steps, float* y, std::int64_t y_stride) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < panels * kLane; ++c) {
      std::int32_t sum = 0;
      for (std::int64_t q = 0; q < quads; ++q)
        for (int i = 0; i < 4; ++i)
          sum += static_cast<int>(bytes[r * bytes_stride + 4 * q + i]) * x[q * x_stride + 4 * c + i];
      y[r * y_stride + c] += steps[c] * static_cast<float>(sum);
    }
}
#endif

using Kernel = void(const std::uint8_t*, std::int64_t, const std::int8_t*, std::int64_t, std::int64_t,
                    const float*, float*, std::int64_t);

template <int rows>
Kernel* kernel_of(int panels) {
  constexpr auto all = []<int... p>(std::integer_sequence<int, p...>) {
    return std::array<Kernel*, kPanels>{&kernel<rows, p + 1>...};
  }
  (std::make_integer_sequence<int, kPanels>());
  return all[static_cast<std::size_t>(panels - 1)];
}

}  // namespace

bool ByteFactor::available() {
#ifdef __AVX512VNNI__
  return true;
#else
  return false;
#endif
}

ByteFactor::ByteFactor(const Matrix& x, int planes)
    : n_(x.rows()), quads_((x.rows() + 3) / 4), panels_(x.stride() / kLane) {
  const std::int64_t columns = x.stride();
  const auto size = static_cast<std::size_t>(quads_ * columns * 4);
  Matrix rest(x.rows(), x.dim());
  std::copy_n(x.data(), x.size(), rest.data());
  for (int plane = 0; plane < planes; ++plane) {
    std::vector<float> step(static_cast<std::size_t>(columns), 0.0F);
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        float& largest = step[static_cast<std::size_t>(j)];
        largest = std::max(largest, std::abs(rest.row(i)[j]));
      }
    std::vector<float> inverse(step.size(), 0.0F);
    for (std::size_t j = 0; j < step.size(); ++j) {
      step[j] /= kLargest;
      if (step[j] > 0) inverse[j] = 1.0F / step[j];
    }
    Bytes bytes(new (std::align_val_t{64}) std::int8_t[size]());
    parallel_for(quads_, 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = 4 * begin; i < std::min(n_, 4 * end); ++i) {
        float* row = rest.row(i);
        std::int8_t* out = bytes.get() + i / 4 * columns * 4 + i % 4;
        for (std::int64_t j = 0; j < columns; ++j) {
          const float value =
              std::clamp(std::nearbyint(row[j] * inverse[static_cast<std::size_t>(j)]), -kLargest, kLargest);
          row[j] -= value * step[static_cast<std::size_t>(j)];
          out[4 * j] = static_cast<std::int8_t>(value);
        }
      }
    });
    planes_.push_back(std::move(bytes));
    steps_.push_back(std::move(step));
  }
}

void ByteFactor::multiply(const std::uint8_t* rows, std::int64_t count, std::uint8_t absent, Matrix& y,
                          std::int64_t first) const {
  for (std::int64_t i = 0; i < count; ++i) std::fill_n(y.row(first + i), y.stride(), 0.0F);
  const std::int64_t x_stride = static_cast<std::int64_t>(panels_) * 64;
  std::vector<std::uint8_t> tile(static_cast<std::size_t>(count * kTile));  // stays in the cache
  for (std::int64_t column = 0; column < n_; column += kTile) {
    const std::int64_t width = std::min(kTile, n_ - column), quads = (width + 3) / 4;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint8_t* from = rows + i * n_ + column;
      std::uint8_t* to = tile.data() + i * kTile;
      for (std::int64_t j = 0; j < width; ++j) to[j] = from[j] == ByteMatrix::kAbsent ? absent : from[j];
      std::fill(to + width, to + 4 * quads, 0);
    }
    for (std::size_t plane = 0; plane < planes_.size(); ++plane)
      for (int p = 0; p < panels_; p += kPanels) {
        const int wide = std::min(kPanels, panels_ - p);
        const std::int8_t* x = planes_[plane].get() + column / 4 * x_stride + p * 64;
        const float* steps = steps_[plane].data() + p * kLane;
        std::int64_t i = 0;
        const auto run = [&](Kernel* kernel) {
          kernel(tile.data() + i * kTile, kTile, x, x_stride, quads, steps, y.row(first + i) + p * kLane,
                 y.stride());
        };
        for (; i + kRows <= count; i += kRows) run(kernel_of<kRows>(wide));
        for (; i < count; ++i) run(kernel_of<1>(wide));
      }
  }
}

}  // namespace kgwalk::embeddings
