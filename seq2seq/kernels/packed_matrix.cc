#include "seq2seq/kernels/packed_matrix.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <utility>

#include "seq2seq/kernels/small_gemm.h"

namespace kgwalk::seq2seq {
namespace {

using V = detail::Vec<float>::type;
constexpr std::int64_t kLanes = detail::Vec<float>::kLanes;
constexpr std::int64_t kPanel = PackedMatrix::kPanel;
constexpr std::int64_t kPair = 2 * kLanes;  // columns of a panel that are summed at a time
static_assert(kPanel % kPair == 0);
#ifdef __AVX512F__
// 18 accumulators: 9 rows measured 99 GFLOP/s a core at 25 rows, 13 rows (which just fit the registers) 83.
constexpr std::int64_t kMaxRows = 9;
#else
constexpr std::int64_t kMaxRows = detail::kTileRows;
#endif
constexpr std::int64_t kSerial = 32768;

// out[r] = x[r, :] times one panel, [kRows][32].
template <int kRows>
void panel_product(const float* panel, std::int64_t in, const float* x, std::int64_t x_stride, float* out) {
  for (std::int64_t column = 0; column < kPanel; column += kPair) {
    V low[kRows] = {}, high[kRows] = {};
    for (std::int64_t k = 0; k < in; ++k, panel += kPair) {
      const V w0 = *reinterpret_cast<const V*>(panel);
      const V w1 = *reinterpret_cast<const V*>(panel + kLanes);
      for (int r = 0; r < kRows; ++r) {
        const float value = x[r * x_stride + k];
        low[r] += value * w0;
        high[r] += value * w1;
      }
    }
    for (int r = 0; r < kRows; ++r) {
      *reinterpret_cast<V*>(out + r * kPanel + column) = low[r];
      *reinterpret_cast<V*>(out + r * kPanel + column + kLanes) = high[r];
    }
  }
}

// One row: four inputs at a time, so that the sums do not wait for each other.
template <>
void panel_product<1>(const float* panel, std::int64_t in, const float* x, std::int64_t, float* out) {
  for (std::int64_t column = 0; column < kPanel; column += kPair, panel += in * kPair) {
    V acc[4][2] = {};
    std::int64_t k = 0;
    for (; k + 4 <= in; k += 4)
      for (int u = 0; u < 4; ++u)
        for (int half = 0; half < 2; ++half)
          acc[u][half] += x[k + u] * *reinterpret_cast<const V*>(panel + (k + u) * kPair + half * kLanes);
    for (; k < in; ++k)
      for (int half = 0; half < 2; ++half)
        acc[0][half] += x[k] * *reinterpret_cast<const V*>(panel + k * kPair + half * kLanes);
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<V*>(out + column + half * kLanes) =
          (acc[0][half] + acc[1][half]) + (acc[2][half] + acc[3][half]);
  }
}

using PanelFunction = void (*)(const float*, std::int64_t, const float*, std::int64_t, float*);
template <int... kRows>
constexpr std::array<PanelFunction, sizeof...(kRows) + 1> panel_functions(
    std::integer_sequence<int, kRows...>) {
  return {nullptr, panel_product<kRows + 1>...};
}
constexpr auto kPanelFunctions = panel_functions(std::make_integer_sequence<int, kMaxRows>());

V load(const float* from) { return *reinterpret_cast<const V*>(from); }

// Bias, activation and residual of the finished tile; `columns` may be less than a panel at the edge.
void store_edge(const PackedProduct& p, std::int64_t row0, std::int64_t rows, std::int64_t column,
                std::int64_t columns, float* tile) {
  for (std::int64_t r = 0; p.bias && r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) tile[r * kPanel + c] += p.bias[column + c];
  if (p.activation != Activation::kNone) activate_tile(p.activation, tile, rows * kPanel);
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* residual = p.residual ? p.residual + (row0 + r) * p.residual_stride + column : nullptr;
    float* y = p.y + (row0 + r) * p.y_stride + column;
    for (std::int64_t c = 0; c < columns; ++c) y[c] = tile[r * kPanel + c] + (residual ? residual[c] : 0.0f);
  }
}

// The same for a whole panel, in registers.
void store_panel(const PackedProduct& p, std::int64_t row0, std::int64_t rows, std::int64_t column,
                 float* tile) {
  for (std::int64_t at = 0; at < kPanel; at += kLanes) {
    const V bias = p.bias ? load(p.bias + column + at) : V{};
    for (std::int64_t r = 0; r < rows; ++r) *reinterpret_cast<V*>(tile + r * kPanel + at) += bias;
  }
  if (p.activation != Activation::kNone) activate_tile(p.activation, tile, rows * kPanel);
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* residual = p.residual ? p.residual + (row0 + r) * p.residual_stride + column : nullptr;
    float* y = p.y + (row0 + r) * p.y_stride + column;
    for (std::int64_t at = 0; at < kPanel; at += kLanes) {
      const V value = load(tile + r * kPanel + at);
      *reinterpret_cast<V*>(y + at) = residual ? value + load(residual + at) : value;
    }
  }
}

}  // namespace

PackedMatrix::PackedMatrix(const float* weight, std::int64_t out, std::int64_t in) : out_(out), in_(in) {
  const std::size_t bytes =
      static_cast<std::size_t>(std::max<std::int64_t>(1, panels() * in * kPanel)) * sizeof(float);
  data_.reset(static_cast<float*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
  if (!data_) throw std::bad_alloc();
  for (std::int64_t p = 0; p < panels(); ++p) {
    float* to = data_.get() + p * in * kPanel;
    for (std::int64_t c = 0; c < kPanel; ++c) {
      const std::int64_t row = p * kPanel + c;
      float* column = to + c / kPair * in * kPair + c % kPair;
      for (std::int64_t k = 0; k < in; ++k) column[k * kPair] = row < out ? weight[row * in + k] : 0.0f;
    }
  }
}

void PackedMatrix::Free::operator()(float* p) const noexcept { std::free(p); }

void multiply(const PackedMatrix& weight, const PackedProduct& product) {
  const std::int64_t panels = weight.panels(), rows = product.rows;
  const std::int64_t blocks = (rows + kMaxRows - 1) / kMaxRows;
#pragma omp parallel for schedule(static) if (weight.out() * weight.in() > kSerial)
  for (std::int64_t p = 0; p < panels; ++p) {
    alignas(64) float tile[kMaxRows * kPanel];
    const std::int64_t column = p * kPanel;
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t row0 = rows * block / blocks, count = rows * (block + 1) / blocks - row0;
      kPanelFunctions[count](weight.panel(p), weight.in(), product.x + row0 * product.x_stride,
                             product.x_stride, tile);
      if (column + kPanel <= weight.out())
        store_panel(product, row0, count, column, tile);
      else
        store_edge(product, row0, count, column, weight.out() - column, tile);
    }
  }
}

}  // namespace kgwalk::seq2seq
