#include "seq2seq/kernels/rows.h"

#include <algorithm>
#include <array>
#include <vector>

namespace kgwalk::seq2seq {
namespace {

constexpr double kRootHalf = 0.70710678118654752440;       // 1 / sqrt(2)
constexpr double kRootTwoOverPi = 0.79788456080286535588;  // sqrt(2 / pi)
constexpr double kInverseRootTwoPi = 0.39894228040143267794;
constexpr double kCubic = 0.044715;
constexpr std::int64_t kSerial = 16384;  // elements below which a parallel region costs more than it saves
constexpr std::int64_t kColumnBlocks = 16;

template <Activation kKind, class T>
inline T value(T x) {
  if constexpr (kKind == Activation::kGelu) return T(0.5) * x * (1 + math::erf(x * T(kRootHalf)));
  if constexpr (kKind == Activation::kGeluNew)
    return T(0.5) * x * (1 + math::tanh(T(kRootTwoOverPi) * (x + T(kCubic) * x * x * x)));
  if constexpr (kKind == Activation::kRelu) return x > 0 ? x : T(0);
  if constexpr (kKind == Activation::kSwish) return x / (1 + math::exp(-x));
  return x;
}

template <Activation kKind, class T>
inline T slope(T x) {
  if constexpr (kKind == Activation::kGelu)
    return T(0.5) * (1 + math::erf(x * T(kRootHalf))) + x * T(kInverseRootTwoPi) * math::exp(T(-0.5) * x * x);
  if constexpr (kKind == Activation::kGeluNew) {
    const T t = math::tanh(T(kRootTwoOverPi) * (x + T(kCubic) * x * x * x));
    return T(0.5) * (1 + t) + T(0.5) * x * (1 - t * t) * T(kRootTwoOverPi) * (1 + T(3 * kCubic) * x * x);
  }
  if constexpr (kKind == Activation::kRelu) return x > 0 ? T(1) : T(0);
  if constexpr (kKind == Activation::kSwish) {
    const T s = 1 / (1 + math::exp(-x));
    return s * (1 + x * (1 - s));
  }
  return T(1);
}

// One row's dropout factors applied to x.
template <class T>
inline void drop(std::int64_t row, std::int64_t width, const math::Dropout& dropout, const T* x, T* out) {
  const std::uint32_t seed = dropout.row_seed(row), threshold = dropout.threshold();
  const T scale = dropout.scale<T>();
  for (std::int64_t c = 0; c < width; ++c)
    out[c] = math::random_bits(seed, static_cast<std::uint32_t>(c)) >= threshold ? x[c] * scale : T(0);
}

template <Activation kKind, class T>
void activate_all(RowShape shape, const T* bias, const math::Dropout& dropout, T* x, T* out) {
#pragma omp parallel for schedule(static) if (shape.rows * shape.width > kSerial)
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    T *in = x + r * shape.width, *to = out + r * shape.width;
    if (bias)
      for (std::int64_t c = 0; c < shape.width; ++c) in[c] += bias[c];
    for (std::int64_t c = 0; c < shape.width; ++c) to[c] = value<kKind>(in[c]);
    if (dropout.active()) drop(r, shape.width, dropout, to, to);
  }
}

template <Activation kKind, class T>
void activate_all_backward(RowShape shape, const math::Dropout& dropout, const T* x, T* grad) {
#pragma omp parallel for schedule(static) if (shape.rows * shape.width > kSerial)
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    const T* in = x + r * shape.width;
    T* g = grad + r * shape.width;
    if (dropout.active()) drop(r, shape.width, dropout, g, g);
    for (std::int64_t c = 0; c < shape.width; ++c) g[c] *= slope<kKind>(in[c]);
  }
}

template <class T>
T lane_sum(const std::array<T, 16>& lanes) {
  T sum = 0;
  for (T lane : lanes) sum += lane;
  return sum;
}

// Mean and 1 / deviation of a row, two passes.
template <class T>
std::array<T, 2> statistics_of(const T* z, std::int64_t width, T eps) {
  std::array<T, 16> lanes{};
  std::int64_t c = 0;
  for (; c + 16 <= width; c += 16)
    for (int l = 0; l < 16; ++l) lanes[l] += z[c + l];
  T sum = lane_sum(lanes);
  for (; c < width; ++c) sum += z[c];
  const T mean = sum / static_cast<T>(width);
  lanes = {};
  for (c = 0; c + 16 <= width; c += 16)
    for (int l = 0; l < 16; ++l) lanes[l] += (z[c + l] - mean) * (z[c + l] - mean);
  T square = lane_sum(lanes);
  for (; c < width; ++c) square += (z[c] - mean) * (z[c] - mean);
  return {mean, 1 / std::sqrt(square / static_cast<T>(width) + eps)};
}

template <class T>
void norm_row(std::int64_t r, std::int64_t width, const NormRows<T>& n) {
  const T* x = n.x + r * width;
  T* out = n.out + r * width;
  T* sum = n.sum ? n.sum + r * width : out;
  const T* z = x;
  if (n.residual) {
    const T* residual = n.residual + r * width;
    for (std::int64_t c = 0; c < width; ++c) sum[c] = x[c] + residual[c];
    z = sum;
  } else if (n.sum) {
    std::copy(x, x + width, sum);
  }
  const auto [mean, inverse] = statistics_of(z, width, static_cast<T>(n.eps));
  if (n.statistics) n.statistics[2 * r] = mean, n.statistics[2 * r + 1] = inverse;
  for (std::int64_t c = 0; c < width; ++c) out[c] = (z[c] - mean) * inverse * n.weight[c] + n.bias[c];
}

// With y = (z - mean) / deviation and g = grad_out weight: grad_z = (g - mean(g) - y mean(g y)) / deviation.
template <class T>
void norm_row_backward(std::int64_t r, std::int64_t width, const NormRowsBackward<T>& n, T* grad_weight,
                       T* grad_bias) {
  const T *z = n.z + r * width, *g = n.grad_out + r * width;
  const T mean = n.statistics[2 * r], inverse = n.statistics[2 * r + 1];
  T* out = n.grad_z + r * width;
  std::array<T, 16> sums{}, products{};
  std::int64_t c = 0;
  for (; c + 16 <= width; c += 16)
    for (int l = 0; l < 16; ++l) {
      const T gw = g[c + l] * n.weight[c + l];
      sums[l] += gw;
      products[l] += gw * (z[c + l] - mean) * inverse;
    }
  T sum = lane_sum(sums), product = lane_sum(products);
  for (; c < width; ++c) {
    const T gw = g[c] * n.weight[c];
    sum += gw;
    product += gw * (z[c] - mean) * inverse;
  }
  sum /= static_cast<T>(width);
  product /= static_cast<T>(width);
  for (c = 0; c < width; ++c) {
    const T y = (z[c] - mean) * inverse;
    grad_weight[c] += g[c] * y;
    grad_bias[c] += g[c];
    out[c] = (g[c] * n.weight[c] - sum - y * product) * inverse;
  }
}

}  // namespace

template <class T>
void activate_rows(RowShape shape, Activation activation, const T* bias, math::Dropout dropout, T* x,
                   T* out) {
  switch (activation) {
    case Activation::kGelu:
      return activate_all<Activation::kGelu>(shape, bias, dropout, x, out);
    case Activation::kGeluNew:
      return activate_all<Activation::kGeluNew>(shape, bias, dropout, x, out);
    case Activation::kRelu:
      return activate_all<Activation::kRelu>(shape, bias, dropout, x, out);
    case Activation::kSwish:
      return activate_all<Activation::kSwish>(shape, bias, dropout, x, out);
    case Activation::kNone:
      return activate_all<Activation::kNone>(shape, bias, dropout, x, out);
  }
}

template <class T>
void activate_rows_backward(RowShape shape, Activation activation, math::Dropout dropout, const T* x,
                            T* grad) {
  switch (activation) {
    case Activation::kGelu:
      return activate_all_backward<Activation::kGelu>(shape, dropout, x, grad);
    case Activation::kGeluNew:
      return activate_all_backward<Activation::kGeluNew>(shape, dropout, x, grad);
    case Activation::kRelu:
      return activate_all_backward<Activation::kRelu>(shape, dropout, x, grad);
    case Activation::kSwish:
      return activate_all_backward<Activation::kSwish>(shape, dropout, x, grad);
    case Activation::kNone:
      return activate_all_backward<Activation::kNone>(shape, dropout, x, grad);
  }
}

void activate_tile(Activation activation, float* x, std::int64_t n) {
  switch (activation) {
    case Activation::kGelu:
      for (std::int64_t i = 0; i < n; ++i) x[i] = value<Activation::kGelu>(x[i]);
      return;
    case Activation::kGeluNew:
      for (std::int64_t i = 0; i < n; ++i) x[i] = value<Activation::kGeluNew>(x[i]);
      return;
    case Activation::kRelu:
      for (std::int64_t i = 0; i < n; ++i) x[i] = value<Activation::kRelu>(x[i]);
      return;
    case Activation::kSwish:
      for (std::int64_t i = 0; i < n; ++i) x[i] = value<Activation::kSwish>(x[i]);
      return;
    case Activation::kNone:
      return;
  }
}

template <class T>
void dropout_add_rows(RowShape shape, math::Dropout dropout, const T* x, const T* residual, T* out) {
#pragma omp parallel for schedule(static) if (shape.rows * shape.width > kSerial)
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    const T *in = x + r * shape.width, *add = residual ? residual + r * shape.width : nullptr;
    T* to = out + r * shape.width;
    if (dropout.active()) {
      drop(r, shape.width, dropout, in, to);
      in = to;
    }
    if (add)
      for (std::int64_t c = 0; c < shape.width; ++c) to[c] = in[c] + add[c];
    else if (in != to)
      std::copy(in, in + shape.width, to);
  }
}

template <class T>
void norm_rows(RowShape shape, const NormRows<T>& rows) {
#pragma omp parallel for schedule(static) if (shape.rows * shape.width > kSerial)
  for (std::int64_t r = 0; r < shape.rows; ++r) norm_row(r, shape.width, rows);
}

// Column sums are made over a fixed number of row blocks, then over blocks: the same order for
// any thread count.
template <class T>
void norm_rows_backward(RowShape shape, const NormRowsBackward<T>& rows) {
  const std::int64_t width = shape.width;
  std::vector<T> partial(static_cast<std::size_t>(2 * kColumnBlocks * width), T(0));
#pragma omp parallel for schedule(static) if (shape.rows * width > kSerial)
  for (std::int64_t block = 0; block < kColumnBlocks; ++block) {
    T* grad_weight = partial.data() + 2 * block * width;
    for (std::int64_t r = shape.rows * block / kColumnBlocks; r < shape.rows * (block + 1) / kColumnBlocks;
         ++r)
      norm_row_backward(r, width, rows, grad_weight, grad_weight + width);
  }
  std::fill(rows.grad_weight, rows.grad_weight + width, T(0));
  std::fill(rows.grad_bias, rows.grad_bias + width, T(0));
  for (std::int64_t block = 0; block < kColumnBlocks; ++block)
    for (std::int64_t c = 0; c < width; ++c) {
      rows.grad_weight[c] += partial[static_cast<std::size_t>(2 * block * width + c)];
      rows.grad_bias[c] += partial[static_cast<std::size_t>((2 * block + 1) * width + c)];
    }
}

template <class T>
void column_sums(RowShape shape, const T* x, T* out) {
  const std::int64_t width = shape.width;
  std::vector<T> partial(static_cast<std::size_t>(kColumnBlocks * width), T(0));
#pragma omp parallel for schedule(static) if (shape.rows * width > kSerial)
  for (std::int64_t block = 0; block < kColumnBlocks; ++block) {
    T* sums = partial.data() + block * width;
    for (std::int64_t r = shape.rows * block / kColumnBlocks; r < shape.rows * (block + 1) / kColumnBlocks;
         ++r)
      for (std::int64_t c = 0; c < width; ++c) sums[c] += x[r * width + c];
  }
  std::copy(partial.begin(), partial.begin() + width, out);
  for (std::int64_t block = 1; block < kColumnBlocks; ++block)
    for (std::int64_t c = 0; c < width; ++c) out[c] += partial[static_cast<std::size_t>(block * width + c)];
}

#define KGWALK_ROWS_FOR(T)                                                                    \
  template void activate_rows<T>(RowShape, Activation, const T*, math::Dropout, T*, T*);      \
  template void activate_rows_backward<T>(RowShape, Activation, math::Dropout, const T*, T*); \
  template void dropout_add_rows<T>(RowShape, math::Dropout, const T*, const T*, T*);         \
  template void norm_rows<T>(RowShape, const NormRows<T>&);                                   \
  template void norm_rows_backward<T>(RowShape, const NormRowsBackward<T>&);                  \
  template void column_sums<T>(RowShape, const T*, T*);
KGWALK_ROWS_FOR(float)
KGWALK_ROWS_FOR(double)
#undef KGWALK_ROWS_FOR

}  // namespace kgwalk::seq2seq
