// A small explicit random generator for sampling loops.
#pragma once

#include <array>
#include <cstdint>

namespace kgwalk::embeddings {

/// SplitMix64's output function: a bijective scrambling of 64 bits (Steele, Lea, Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// Counter-based generator: the i-th number of a stream is scramble(key + i). Its whole state is two words, so a
/// checkpoint stores it exactly; streams of different (seed, stream) pairs are independent. Not thread-safe.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : key_(scramble(scramble(seed) ^ (stream * 0xD1342543DE82EF95ULL))) {}

  [[nodiscard]] std::uint64_t next() { return scramble(key_ + 0x9E3779B97F4A7C15ULL * counter_++); }
  /// Uniform in [0, bound), bound > 0, by multiply-shift (bias below bound / 2^32).
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }
  /// Uniform in [0, 1).
  [[nodiscard]] float uniform() { return static_cast<float>(next() >> 40) * 0x1.0p-24F; }

  [[nodiscard]] std::array<std::uint64_t, 2> state() const { return {key_, counter_}; }
  void set_state(const std::array<std::uint64_t, 2>& s) {
    key_ = s[0];
    counter_ = s[1];
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace kgwalk::embeddings
