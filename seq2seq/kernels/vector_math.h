// Branch-free elementary functions that the compiler turns into vector code, and a counter-based
// random stream. The float forms are within 2 units in the last place or 2e-7; the double forms are
// the standard library's.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace kgwalk::seq2seq::math {

// Cody-Waite reduction and a polynomial of degree 6. Below -87 the result is 0 as far as a
// softmax is concerned.
inline float exp(float x) {
  const float clamped = x < -87.0f ? -87.0f : (x > 88.0f ? 88.0f : x);
  const float n = std::nearbyint(clamped * 1.44269504088896341f);
  const float r = (clamped - n * 0.693145751953125f) - n * 1.42860682030941723e-6f;
  float p = 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return p * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}
inline double exp(double x) { return std::exp(x); }

inline float tanh(float x) {
  const float e = exp(2 * (x < -9.0f ? -9.0f : (x > 9.0f ? 9.0f : x)));
  return (e - 1) / (e + 1);
}
inline double tanh(double x) { return std::tanh(x); }

// Abramowitz and Stegun 7.1.26: absolute error below 1.5e-7.
inline float erf(float x) {
  const float a = std::fabs(x);
  const float t = 1 / (1 + 0.3275911f * a);
  float p = 1.061405429f;
  p = p * t - 1.453152027f;
  p = p * t + 1.421413741f;
  p = p * t - 0.284496736f;
  p = p * t + 0.254829592f;
  return std::copysign(1 - p * t * exp(-a * a), x);
}
inline double erf(double x) { return std::erf(x); }

// The i-th number of a stream: a bijective mix of the counter, so that any thread can draw any number.
inline std::uint32_t random_bits(std::uint32_t seed, std::uint32_t i) {
  std::uint32_t x = i * 0x9E3779B9u + seed;
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return x ^ (x >> 16);
}

// Dropout of one call: element i survives with probability 1 - p and is multiplied by 1 / (1 - p).
struct Dropout {
  double p = 0;
  std::uint64_t seed = 0;
  [[nodiscard]] bool active() const { return p > 0; }
  [[nodiscard]] std::uint32_t threshold() const { return static_cast<std::uint32_t>(p * 4294967296.0); }
  template <class T>
  [[nodiscard]] T scale() const {
    return static_cast<T>(1.0 / (1.0 - p));
  }
  // A row's own stream, for counters that exceed 32 bits in total.
  [[nodiscard]] std::uint32_t row_seed(std::int64_t row) const {
    std::uint64_t z = seed + static_cast<std::uint64_t>(row + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return static_cast<std::uint32_t>(z >> 32);
  }
};

}  // namespace kgwalk::seq2seq::math
