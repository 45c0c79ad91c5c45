// 512 bits at a time, one bit a source: the word of bit-parallel breadth-first search, and its turning into
// bytes. Plain loops that compilers turn into vector code. For the sources of graph/ only.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace kgwalk::graph {

inline constexpr std::size_t kLaneWords = 8;
inline constexpr std::size_t kLanes = 64 * kLaneWords;

// 512 bits as the compiler's own vector: one register with AVX-512, several without.
using LaneVector [[gnu::vector_size(64), gnu::may_alias]] = std::uint64_t;

struct alignas(64) Lanes {
  std::array<std::uint64_t, kLaneWords> word{};

  void set(std::size_t lane) noexcept { word[lane / 64] |= std::uint64_t{1} << (lane % 64); }
};

// Loops work on vectors by reference: passing them by value changes the calling convention
// with the processor.
[[nodiscard]] inline LaneVector& vec(Lanes& lanes) noexcept {
  return *reinterpret_cast<LaneVector*>(lanes.word.data());
}
[[nodiscard]] inline const LaneVector& vec(const Lanes& lanes) noexcept {
  return *reinterpret_cast<const LaneVector*>(lanes.word.data());
}

[[nodiscard]] inline bool same(const LaneVector& a, const LaneVector& b) noexcept {
#if defined(__AVX512F__)
  return _mm512_cmpneq_epi64_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)) == 0;
#else
  std::uint64_t different = 0;
  for (std::size_t k = 0; k < kLaneWords; ++k) different |= a[k] ^ b[k];
  return different == 0;
#endif
}

[[nodiscard]] inline bool any(const LaneVector& a) noexcept { return !same(a, LaneVector{}); }

// Bits of `after` that `before` has not.
[[nodiscard]] inline std::uint64_t count_new(const LaneVector& after, const LaneVector& before) noexcept {
  const LaneVector added = after & ~before;
  std::uint64_t total = 0;
  for (std::size_t k = 0; k < kLaneWords; ++k) total += static_cast<std::uint64_t>(std::popcount(added[k]));
  return total;
}

// An array of rows on large pages where the system gives them: rows are read in random
// order. Not initialized.
class LaneArray {
 public:
  LaneArray() = default;
  explicit LaneArray(std::size_t count);
  [[nodiscard]] Lanes* data() const noexcept { return data_.get(); }
  [[nodiscard]] Lanes& operator[](std::size_t i) const noexcept { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(Lanes* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<Lanes, Free> data_;
};

// Transposes eight 64 x 64 bit blocks at once: block k is word k of the 64 rows; bit j of row i goes to bit i
// of row j.
void transpose_blocks(std::span<Lanes, 64> rows) noexcept;

// Turns bit i of every plane b into byte i of `out`: the sum of 1 << b over the planes that have it; 255
// where `absent` has it. `count` of at most 64 bytes are written.
void bits_to_bytes(std::span<const std::uint64_t> planes, std::uint64_t absent, std::size_t count,
                   std::uint8_t* out) noexcept;

}  // namespace kgwalk::graph
