#include "seq2seq/kernels/map_convolution.h"

#include <algorithm>
#include <vector>

#include "seq2seq/kernels/small_gemm.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kSide = 3, kCells = kSide * kSide;

// Maps of one example between zeros, so that no sum looks at an edge: row r and column c of a map are row r +
// 1 and column c + 1 of its plane.
template <class T>
class Planes {
 public:
  static constexpr std::int64_t kLanes = detail::Vec<T>::kLanes;

  void resize(std::int64_t channels, std::int64_t rows, std::int64_t keys) {
    rows_ = rows;
    keys_ = keys;
    stride_ = (keys + kLanes - 1) / kLanes * kLanes + kLanes;
    values_.assign(static_cast<std::size_t>(channels * (rows + 2) * stride_), T(0));
  }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  // Row r of the plane, r = 0 .. rows + 1.
  [[nodiscard]] T* row(std::int64_t channel, std::int64_t r) {
    return values_.data() + (channel * (rows_ + 2) + r) * stride_;
  }
  void put(std::int64_t channel, std::int64_t map_row, const T* from) {
    std::copy_n(from, keys_, row(channel, map_row + 1) + 1);
  }

 private:
  std::int64_t rows_ = 0, keys_ = 0, stride_ = 0;
  std::vector<T> values_;
};

// The cells of row r of example b that count: whether the row does, and how many keys from the first one.
struct RowCells {
  bool row;
  std::int64_t seen;
};

RowCells cells_of(const MapShape& s, std::int64_t b, std::int64_t r) {
  const std::int64_t position = s.keys - s.queries + r - s.preceding;
  const std::uint8_t* keep = s.key_keep ? s.key_keep + b * s.key_keep_stride : nullptr;
  return {!keep || position < 0 || keep[position] != 0,
          s.causal ? std::clamp<std::int64_t>(position + 1, 0, s.keys) : s.keys};
}

// Zeros what does not count in a row of a map.
template <class T>
void hide_cells(const MapShape& s, std::int64_t b, std::int64_t r, T* row) {
  const RowCells cells = cells_of(s, b, r);
  if (!cells.row) {
    std::fill_n(row, s.keys, T(0));
    return;
  }
  std::fill(row + cells.seen, row + s.keys, T(0));
  if (!s.key_keep) return;
  const std::uint8_t* keep = s.key_keep + b * s.key_keep_stride;
  for (std::int64_t j = 0; j < cells.seen; ++j) row[j] = keep[j] ? row[j] : T(0);
}

template <class T>
void fill_planes(const MapShape& s, std::span<const MapChannels<const T>> inputs, std::int64_t b,
                 Planes<T>& planes) {
  const std::int64_t rows = s.preceding + s.queries;
  planes.resize(s.in, rows, s.keys);
  std::int64_t channel = 0;
  for (const MapChannels<const T>& input : inputs)
    for (std::int64_t c = 0; c < input.channels; ++c, ++channel)
      for (std::int64_t r = 0; r < rows; ++r) {
        planes.put(channel, r, input.data + ((b * input.channels + c) * rows + r) * s.keys);
        hide_cells(s, b, r, planes.row(channel, r + 1) + 1);
      }
}

// Sums of kernel cells over some channels of planes.
template <class T>
struct Window {
  Planes<T>* planes;
  std::int64_t first, count;  // channels
  std::int64_t shift;         // the kernel's first row for row 0 of the result is row `shift` of the plane
  std::int64_t from, to;      // rows of the kernel that count
  const T* weights;           // [count, 3, 3, kOut]
};

// kOut results of one row, 2 or 1 vectors from column j on; written to sums [kOut][kVecs * lanes].
template <class T, int kOut, int kVecs>
void window_sums(const Window<T>& w, const T* bias, std::int64_t row, std::int64_t j, T* sums) {
  using V = typename detail::Vec<T>::type;
  constexpr std::int64_t kLanes = detail::Vec<T>::kLanes;
  V acc[kOut][kVecs];
  for (int o = 0; o < kOut; ++o)
    for (int v = 0; v < kVecs; ++v) acc[o][v] = V{} + (bias ? bias[o] : T(0));
  for (std::int64_t c = 0; c < w.count; ++c)
    for (std::int64_t di = w.from; di < w.to; ++di) {
      const T* plane = w.planes->row(w.first + c, row + di + w.shift) + j;
      const T* weights = w.weights + (c * kSide + di) * kSide * kOut;
      for (std::int64_t dj = 0; dj < kSide; ++dj) {
        V x[kVecs];
        for (int v = 0; v < kVecs; ++v) x[v] = *reinterpret_cast<const V*>(plane + dj + v * kLanes);
        for (int o = 0; o < kOut; ++o)
          for (int v = 0; v < kVecs; ++v) acc[o][v] += weights[dj * kOut + o] * x[v];
      }
    }
  for (int o = 0; o < kOut; ++o)
    for (int v = 0; v < kVecs; ++v) *reinterpret_cast<V*>(sums + (o * kVecs + v) * kLanes) = acc[o][v];
}

// out[o][row, :] for `rows` rows of kOut results, whose maps are `map` apart.
template <class T, int kOut>
void window_maps(const Window<T>& w, const T* bias, std::int64_t rows, std::int64_t keys, T* out,
                 std::int64_t map) {
  constexpr std::int64_t kLanes = detail::Vec<T>::kLanes;
  alignas(64) T sums[kOut * 2 * kLanes];
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t j = 0; j < keys;) {
      const bool wide = keys - j > kLanes;
      const std::int64_t width = wide ? 2 * kLanes : kLanes, count = std::min(width, keys - j);
      if (wide)
        window_sums<T, kOut, 2>(w, bias, row, j, sums);
      else
        window_sums<T, kOut, 1>(w, bias, row, j, sums);
      for (int o = 0; o < kOut; ++o) std::copy_n(sums + o * width, count, out + o * map + row * keys + j);
      j += count;
    }
}

// Calls work(first, kOut) for runs of 4, 2 and 1 of `count` channels.
template <class Work>
void by_fours(std::int64_t count, const Work& work) {
  std::int64_t first = 0;
  for (; first + 4 <= count; first += 4) work(first, std::integral_constant<int, 4>());
  if (first + 2 <= count) work(first, std::integral_constant<int, 2>()), first += 2;
  if (first < count) work(first, std::integral_constant<int, 1>());
}

template <class T>
std::vector<T>& kernel_scratch() {
  thread_local std::vector<T> buffer;
  return buffer;
}

// One convolution of one example; `weight_of(out channel of the group, in channel of the group, di, dj)`.
template <class T, class WeightOf>
void correlate(Window<T> w, std::int64_t outs, const WeightOf& weight_of, const T* bias, std::int64_t rows,
               std::int64_t keys, T* out) {
  std::vector<T>& weights = kernel_scratch<T>();
  by_fours(outs, [&](std::int64_t first, auto run) {
    constexpr int kOut = decltype(run)::value;
    weights.resize(static_cast<std::size_t>(w.count * kCells * kOut));
    T* to = weights.data();
    for (std::int64_t c = 0; c < w.count; ++c)
      for (std::int64_t di = 0; di < kSide; ++di)
        for (std::int64_t dj = 0; dj < kSide; ++dj)
          for (int o = 0; o < kOut; ++o) *to++ = weight_of(first + o, c, di, dj);
    w.weights = weights.data();
    window_maps<T, kOut>(w, bias ? bias + first : nullptr, rows, keys, out + first * rows * keys,
                         rows * keys);
  });
}

template <class V>
auto lane_total(const V& v, std::int64_t lanes) {
  auto total = v[0];
  for (std::int64_t i = 1; i < lanes; ++i) total += v[i];
  return total;
}

// sums[3][3] += products of one channel's gradient with one channel's map under each cell of the kernel.
template <class T>
void cell_products(const MapShape& s, Planes<T>& grads, std::int64_t out, Planes<T>& maps, std::int64_t in,
                   T* sums) {
  using V = typename detail::Vec<T>::type;
  constexpr std::int64_t kLanes = detail::Vec<T>::kLanes;
  V acc[kCells] = {};
  for (std::int64_t t = 0; t < s.queries; ++t) {
    const T* g = grads.row(out, t + 1) + 1;
    const T* above = maps.row(in, t);
    const std::int64_t stride = maps.stride();
    for (std::int64_t j = 0; j < s.keys; j += kLanes) {
      const V gradient = *reinterpret_cast<const V*>(g + j);
      for (std::int64_t di = 0; di < kSide; ++di)
        for (std::int64_t dj = 0; dj < kSide; ++dj)
          acc[di * kSide + dj] += gradient * *reinterpret_cast<const V*>(above + di * stride + j + dj);
    }
  }
  for (std::int64_t cell = 0; cell < kCells; ++cell)
    sums[cell] = s.causal && cell / kSide == 2 ? T(0) : lane_total(acc[cell], kLanes);
}

}  // namespace

template <class T>
void convolve_maps(const MapShape& s, std::span<const MapChannels<const T>> inputs, const T* weight,
                   const T* bias, T* out) {
  const std::int64_t in = s.in / s.groups, outs = s.out / s.groups, map = s.queries * s.keys;
#pragma omp parallel for schedule(static) if (s.examples > 1)
  for (std::int64_t b = 0; b < s.examples; ++b) {
    thread_local Planes<T> planes;
    fill_planes(s, inputs, b, planes);
    for (std::int64_t group = 0; group < s.groups; ++group) {
      const T* own = weight + group * outs * in * kCells;
      correlate(
          Window<T>{&planes, group * in, in, s.preceding, 0, s.causal ? 2 : kSide, nullptr}, outs,
          [&](std::int64_t o, std::int64_t c, std::int64_t di, std::int64_t dj) {
            return own[((o * in + c) * kSide + di) * kSide + dj];
          },
          bias + group * outs, s.queries, s.keys, out + (b * s.out + group * outs) * map);
    }
  }
}

template <class T>
void convolve_maps_backward(const MapShape& s, std::span<const MapChannels<const T>> inputs, const T* weight,
                            const T* grad_out, std::span<const MapChannels<T>> grad_inputs, T* grad_weight,
                            T* grad_bias) {
  const std::int64_t in = s.in / s.groups, outs = s.out / s.groups, map = s.queries * s.keys;
  const std::int64_t weights = s.out * in * kCells, each = weights + s.out;
  std::vector<T> parts(static_cast<std::size_t>(s.examples * each));  // of the weights and biases, by example
#pragma omp parallel for schedule(static) if (s.examples > 1)
  for (std::int64_t b = 0; b < s.examples; ++b) {
    thread_local Planes<T> maps, grads;
    thread_local std::vector<T> grad_maps;
    fill_planes(s, inputs, b, maps);
    grads.resize(s.out, s.queries, s.keys);
    T* part = parts.data() + b * each;
    for (std::int64_t o = 0; o < s.out; ++o) {
      const T* g = grad_out + (b * s.out + o) * map;
      for (std::int64_t t = 0; t < s.queries; ++t) grads.put(o, t, g + t * s.keys);
      T sum = 0;
      for (std::int64_t i = 0; i < map; ++i) sum += g[i];
      part[weights + o] = sum;
      for (std::int64_t c = 0; c < in; ++c)
        cell_products(s, grads, o, maps, o / outs * in + c, part + (o * in + c) * kCells);
    }
    grad_maps.resize(static_cast<std::size_t>(s.in * map));
    for (std::int64_t group = 0; group < s.groups; ++group) {
      const T* own = weight + group * outs * in * kCells;
      correlate(  // with the kernel turned round
          Window<T>{&grads, group * outs, outs, 0, s.causal ? 1 : 0, kSide, nullptr}, in,
          [&](std::int64_t c, std::int64_t o, std::int64_t di, std::int64_t dj) {
            return own[((o * in + c) * kSide + (2 - di)) * kSide + (2 - dj)];
          },
          static_cast<const T*>(nullptr), s.queries, s.keys, grad_maps.data() + group * in * map);
    }
    std::int64_t channel = 0;
    for (const MapChannels<T>& input : grad_inputs)
      for (std::int64_t c = 0; c < input.channels; ++c, ++channel) {
        if (!input.data) continue;
        T* to = input.data + (b * input.channels + c) * map;
        std::copy_n(grad_maps.data() + channel * map, map, to);
        for (std::int64_t t = 0; t < s.queries; ++t) hide_cells(s, b, t, to + t * s.keys);
      }
  }
  std::fill_n(grad_weight, weights, T(0));
  std::fill_n(grad_bias, s.out, T(0));
  for (std::int64_t b = 0; b < s.examples; ++b) {
    const T* part = parts.data() + b * each;
    for (std::int64_t i = 0; i < weights; ++i) grad_weight[i] += part[i];
    for (std::int64_t o = 0; o < s.out; ++o) grad_bias[o] += part[weights + o];
  }
}

#define KGWALK_MAP_CONVOLUTION(T)                                                                            \
  template void convolve_maps<T>(const MapShape&, std::span<const MapChannels<const T>>, const T*, const T*, \
                                 T*);                                                                        \
  template void convolve_maps_backward<T>(const MapShape&, std::span<const MapChannels<const T>>, const T*,  \
                                          const T*, std::span<const MapChannels<T>>, T*, T*);
KGWALK_MAP_CONVOLUTION(float)
KGWALK_MAP_CONVOLUTION(double)
#undef KGWALK_MAP_CONVOLUTION

}  // namespace kgwalk::seq2seq
