// Products of one row with several, for attention's single queries. Private to seq2seq/kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "seq2seq/kernels/small_gemm.h"

namespace kgwalk::seq2seq::detail {

template <class T>
T dot(const T* x, const T* y, std::int64_t n) {
  constexpr int kLanes = Vec<T>::kLanes;
  T lanes[kLanes] = {};
  std::int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (int l = 0; l < kLanes; ++l) lanes[l] += x[j + l] * y[j + l];
  T sum = 0;
  for (; j < n; ++j) sum += x[j] * y[j];
  for (int step = kLanes / 2; step > 0; step /= 2)
    for (int l = 0; l < step; ++l) lanes[l] += lanes[l + step];
  return sum + lanes[0];
}

using Lanes = Vec<float>::type;
inline constexpr int kFloatLanes = Vec<float>::kLanes;

// a and b folded to half their lanes, place by place: each block of 2 kHalf lanes of the result holds the
// sums of a's block, then those of b's.
template <int kHalf, std::int32_t... kLane>
inline Lanes folded(const Lanes& a, const Lanes& b, std::integer_sequence<std::int32_t, kLane...>) {
  typedef std::int32_t Mask __attribute__((vector_size(sizeof(Lanes))));
  constexpr auto place = [](std::int32_t lane) {
    return lane + (lane / kHalf % 2 == 0 ? 0 : kFloatLanes - kHalf);
  };
  constexpr Mask kLow = {place(kLane)...}, kHigh = {(place(kLane) + kHalf)...};
  return __builtin_shuffle(a, b, kLow) + __builtin_shuffle(a, b, kHigh);
}

// Sums over the lanes of as many vectors as one has lanes, each in the order of dot()'s: lane l of the result
// is that of x[l].
template <int kHalf = kFloatLanes / 2>
inline Lanes lane_sums(Lanes (&x)[kFloatLanes]) {
  for (int i = 0; i < kHalf; ++i)
    x[i] = folded<kHalf>(x[i], x[i + kHalf], std::make_integer_sequence<std::int32_t, kFloatLanes>());
  if constexpr (kHalf > 1) return lane_sums<kHalf / 2>(x);
  return x[0];
}

// Logits of one query row with every key: q [d], k [keys, d] with row stride k_row. `out` has room for a
// multiple of 16.
template <class T>
void row_logits(const T* q, const T* k, std::int64_t k_row, std::int64_t keys, std::int64_t d, T scale,
                T* out) {
  std::int64_t j = 0;
  constexpr std::int64_t kFewKeys = 3;  // dot() is faster for these
  if constexpr (std::is_same_v<T, float>)
    for (; d % kFloatLanes == 0 && j + kFewKeys < keys; j += kFloatLanes) {
      Lanes sums[kFloatLanes] = {};
      for (std::int64_t c = 0; c < d; c += kFloatLanes) {
        const Lanes part = *reinterpret_cast<const Lanes*>(q + c);
        for (int r = 0; r < kFloatLanes; ++r)
          sums[r] += part * *reinterpret_cast<const Lanes*>(k + std::min(j + r, keys - 1) * k_row + c);
      }
      *reinterpret_cast<Lanes*>(out + j) = scale * lane_sums(sums);
    }
  for (; j < keys; ++j) out[j] = scale * dot(q, k + j * k_row, d);
}

}  // namespace kgwalk::seq2seq::detail
