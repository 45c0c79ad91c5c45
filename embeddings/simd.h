// Sixteen floats at a time, by GCC's vector extension: one source for AVX-512, AVX2 and anything else.
#pragma once

#include <cstdint>
#include <cstring>

namespace kgwalk::embeddings::simd {

using F16 = float __attribute__((vector_size(64)));
using I16 = std::int32_t __attribute__((vector_size(64)));
using U16 = std::uint32_t __attribute__((vector_size(64)));

[[nodiscard]] inline F16 load(const float* p) {
  F16 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store(float* p, F16 v) { std::memcpy(p, &v, sizeof v); }
[[nodiscard]] inline F16 splat(float x) { return F16{} + x; }
[[nodiscard]] inline U16 bits(F16 v) {
  U16 u;
  std::memcpy(&u, &v, sizeof u);
  return u;
}
[[nodiscard]] inline F16 from_bits(U16 u) {
  F16 v;
  std::memcpy(&v, &u, sizeof v);
  return v;
}
[[nodiscard]] inline F16 abs(F16 v) { return from_bits(bits(v) & 0x7FFFFFFFU); }
/// |magnitude| with the sign of `sign`, for magnitude >= 0.
[[nodiscard]] inline F16 with_sign(F16 magnitude, F16 sign) {
  return from_bits(bits(magnitude) | (bits(sign) & 0x80000000U));
}
/// Sum of the lanes, halves first; a fixed order.
[[nodiscard]] inline float sum(F16 v) {
  alignas(64) float t[16];
  std::memcpy(t, &v, sizeof t);
  for (int half = 8; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) t[i] += t[i + half];
  }
  return t[0];
}
/// exp(x) for x <= 0 (flushed to 0 below about -87), relative error below 2e-7: 2^n times a degree-6 polynomial.
[[nodiscard]] inline float exp_nonpositive(float x) {
  const float clamped = x < -87.0F ? -87.0F : x;
  const float n = __builtin_rintf(clamped * 1.44269504F);
  const float r = (clamped - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.0F / 720.0F;
  p = p * r + 1.0F / 120.0F;
  p = p * r + 1.0F / 24.0F;
  p = p * r + 1.0F / 6.0F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const std::int32_t biased = (static_cast<std::int32_t>(n) + 127) << 23;
  float scale;
  std::memcpy(&scale, &biased, sizeof scale);
  return x < -87.0F ? 0.0F : p * scale;
}

}  // namespace kgwalk::embeddings::simd
