// 3x3 convolutions over attention maps, heads as channels (TASA): float and double, no torch. Parallel over
// examples; results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>

namespace kgwalk::seq2seq {

// Maps [B, C, P + Tq, Tk]: P rows (0 or 1) stand for the queries before the first, which are given in
// incremental decoding; what lies outside is zero. Cells of padded keys and queries and, causally, of later
// keys count as zeros too, and a causal kernel has no row for the next query.
struct MapShape {
  std::int64_t examples, queries, keys;  // B, Tq, Tk
  std::int64_t in, out, groups;          // channels, all groups together
  std::int64_t preceding = 0;            // P
  bool causal = false;
  const std::uint8_t* key_keep = nullptr;  // [B, Tk], row stride key_keep_stride; the queries are its last Tq
  std::int64_t key_keep_stride = 0;
};

// Some of the channels, [B, channels, rows, Tk] without gaps.
template <class T>
struct MapChannels {
  T* data;
  std::int64_t channels;
};

// out [B, out, Tq, Tk]; weight [out, in / groups, 3, 3], bias [out]. The inputs' channels follow each other.
template <class T>
void convolve_maps(const MapShape& shape, std::span<const MapChannels<const T>> inputs, const T* weight,
                   const T* bias, T* out);

// Its gradients, P = 0; all are overwritten. An input whose data is null gets none.
template <class T>
void convolve_maps_backward(const MapShape& shape, std::span<const MapChannels<const T>> inputs,
                            const T* weight, const T* grad_out, std::span<const MapChannels<T>> grad_inputs,
                            T* grad_weight, T* grad_bias);

}  // namespace kgwalk::seq2seq
