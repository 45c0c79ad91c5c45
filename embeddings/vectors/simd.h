// Sixteen floats at a time by GCC's vector extension, one source for every processor: a register with
// AVX-512, two with AVX2.
#pragma once

#include <cstdint>
#include <cstring>
#ifdef __AVX__
#include <immintrin.h>
#endif

#ifndef __AVX512F__
#include "embeddings/vectors/vector_halves.h"
#endif

namespace kgwalk::embeddings::simd {

#ifdef __AVX512F__
using F16 = float __attribute__((vector_size(64)));
using I16 = std::int32_t __attribute__((vector_size(64)));
using U16 = std::uint32_t __attribute__((vector_size(64)));
#else
using F8 = float __attribute__((vector_size(32)));
using I8 = std::int32_t __attribute__((vector_size(32)));
using U8 = std::uint32_t __attribute__((vector_size(32)));
using F16 = Halves<F8>;
using I16 = Halves<I8>;
using U16 = Halves<U8>;
#endif

// Halves are copied one by one: GCC 12 takes a pair of them through memory.
[[nodiscard]] inline F16 load(const float* p) {
  F16 v;
#ifdef __AVX512F__
  std::memcpy(&v, p, sizeof v);
#else
  std::memcpy(&v.low, p, sizeof v.low);
  std::memcpy(&v.high, p + 8, sizeof v.high);
#endif
  return v;
}
inline void store(float* p, F16 v) {
#ifdef __AVX512F__
  std::memcpy(p, &v, sizeof v);
#else
  std::memcpy(p, &v.low, sizeof v.low);
  std::memcpy(p + 8, &v.high, sizeof v.high);
#endif
}
[[nodiscard]] inline F16 splat(float x) { return F16{} + x; }
#ifdef __AVX512F__
[[nodiscard]] inline U16 bits(F16 v) { return reinterpret_cast<U16>(v); }
[[nodiscard]] inline F16 from_bits(U16 u) { return reinterpret_cast<F16>(u); }
#else
[[nodiscard]] inline U16 bits(F16 v) { return {reinterpret_cast<U8>(v.low), reinterpret_cast<U8>(v.high)}; }
[[nodiscard]] inline F16 from_bits(U16 u) {
  return {reinterpret_cast<F8>(u.low), reinterpret_cast<F8>(u.high)};
}
#endif
[[nodiscard]] inline F16 abs(F16 v) { return from_bits(bits(v) & 0x7FFFFFFFU); }
/// `value`, negated where `sign` is negative.
[[nodiscard]] inline F16 flip_sign(F16 value, F16 sign) {
  return from_bits(bits(value) ^ (bits(sign) & 0x80000000U));
}
/// `a` in the lanes where the comparison holds, `b` in the others.
[[nodiscard]] inline F16 select(I16 mask, F16 a, F16 b) {
#ifdef __AVX512F__
  return mask ? a : b;
#else
  return {mask.low ? a.low : b.low, mask.high ? a.high : b.high};
#endif
}
[[nodiscard]] inline F16 max(F16 a, F16 b) { return select(a > b, a, b); }
[[nodiscard]] inline F16 min(F16 a, F16 b) { return select(a < b, a, b); }
/// Whole numbers, towards zero, and back.
[[nodiscard]] inline I16 truncated(F16 v) {
#ifdef __AVX512F__
  return __builtin_convertvector(v, I16);
#else
  return {__builtin_convertvector(v.low, I8), __builtin_convertvector(v.high, I8)};
#endif
}
[[nodiscard]] inline F16 floats(I16 v) {
#ifdef __AVX512F__
  return __builtin_convertvector(v, F16);
#else
  return {__builtin_convertvector(v.low, F8), __builtin_convertvector(v.high, F8)};
#endif
}
/// Square root by lanes.
[[nodiscard]] inline F16 sqrt(F16 v) {
#ifdef __AVX512F__
  return reinterpret_cast<F16>(_mm512_maskz_sqrt_ps(0xFFFF, reinterpret_cast<__m512>(v)));
#elif defined(__AVX__)
  return {reinterpret_cast<F8>(_mm256_sqrt_ps(reinterpret_cast<__m256>(v.low))),
          reinterpret_cast<F8>(_mm256_sqrt_ps(reinterpret_cast<__m256>(v.high)))};
#else
  for (int i = 0; i < 8; ++i) v.low[i] = __builtin_sqrtf(v.low[i]), v.high[i] = __builtin_sqrtf(v.high[i]);
  return v;
#endif
}
/// Bit i is set where a comparison holds in lane i.
[[nodiscard]] inline unsigned lanes(I16 mask) {
#ifdef __AVX512F__
  const __m512i m = reinterpret_cast<__m512i>(mask);
  return _mm512_test_epi32_mask(m, m);
#elif defined(__AVX__)
  const auto half = [](I8 m) {
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(m)));
  };
  return half(mask.low) | half(mask.high) << 8;
#else
  unsigned bits = 0;
  for (int i = 0; i < 16; ++i) bits |= static_cast<unsigned>(mask[i] & 1) << i;
  return bits;
#endif
}
/// True when a comparison holds in at least one lane.
[[nodiscard]] inline bool any(I16 mask) {
#ifdef __AVX512F__
  const __m512i m = reinterpret_cast<__m512i>(mask);
  return _mm512_test_epi32_mask(m, m) != 0;
#else
  return lanes(mask) != 0;
#endif
}
/// Writes first + i for every bit i of `lanes`, ascending; up to 16 numbers beyond `out` may be overwritten.
/// Returns how many were meant.
inline int put_lanes(std::uint32_t first, unsigned lanes, std::uint32_t* out) {
#ifdef __AVX512F__
  const __m512i numbers =
      _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)),
                       _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(lanes), numbers));
#else
  int n = 0;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    out[n++] = first + static_cast<std::uint32_t>(__builtin_ctz(rest));
#endif
  return __builtin_popcount(lanes);
}
[[nodiscard]] inline float max_lane(F16 v) {
  float best = v[0];
  for (int i = 1; i < 16; ++i) best = v[i] > best ? v[i] : best;
  return best;
}
/// Sum of the lanes, halves first; a fixed order.
[[nodiscard]] inline float sum(F16 v) {
  using F4 = float __attribute__((vector_size(16)));
#ifdef __AVX512F__
  const auto eight = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                     __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  const F8 eight = v.low + v.high;
#endif
  const F4 four =
      __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
  return (four[0] + four[2]) + (four[1] + four[3]);
}
/// exp(x) for x <= 0 by lanes, 0 below -87, relative error below 3e-7: exp(x) = 2^n exp(r) with |r| <= ln(2)
/// / 2 and a Taylor polynomial of degree 7 for exp(r).
[[nodiscard]] inline F16 exp_nonpositive(F16 x) {
  const F16 clamped = max(x, splat(-87.0F));
  const F16 scaled = clamped * 1.44269504F - 0.5F;  // truncation towards zero then rounds to nearest
  const I16 n = truncated(scaled);
  const F16 whole = floats(n);
  const F16 r = (clamped - whole * 0.693359375F) + whole * 2.12194440e-4F;
  F16 p = splat(1.0F / 5040.0F);
  p = p * r + 1.0F / 720.0F;
  p = p * r + 1.0F / 120.0F;
  p = p * r + 1.0F / 24.0F;
  p = p * r + 1.0F / 6.0F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const I16 power = (n + 127) << 23;
#ifdef __AVX512F__
  const F16 scale = reinterpret_cast<F16>(power);
#else
  const F16 scale = {reinterpret_cast<F8>(power.low), reinterpret_cast<F8>(power.high)};
#endif
  return select(x < -87.0F, F16{}, p * scale);
}
/// The same for one number.
[[nodiscard]] inline float exp_nonpositive(float x) { return exp_nonpositive(splat(x))[0]; }

}  // namespace kgwalk::embeddings::simd
