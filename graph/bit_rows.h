// 512 bits at a time, one bit a source: the word of bit-parallel breadth-first search, and its turning into
// bytes. Plain loops that compilers turn into vector code. For the sources of graph/ only.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace kgwalk::graph {

inline constexpr std::size_t kLaneWords = 8;
inline constexpr std::size_t kLanes = 64 * kLaneWords;

struct alignas(64) Lanes {
  std::array<std::uint64_t, kLaneWords> word{};

  [[nodiscard]] bool operator==(const Lanes& other) const noexcept {
    std::uint64_t different = 0;
    for (std::size_t k = 0; k < kLaneWords; ++k) different |= word[k] ^ other.word[k];
    return different == 0;
  }
  [[nodiscard]] bool any() const noexcept {
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < kLaneWords; ++k) all |= word[k];
    return all != 0;
  }
  void set(std::size_t lane) noexcept { word[lane / 64] |= std::uint64_t{1} << (lane % 64); }
  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t total = 0;
    for (std::size_t k = 0; k < kLaneWords; ++k) total += static_cast<std::uint64_t>(std::popcount(word[k]));
    return total;
  }
  Lanes& operator|=(const Lanes& other) noexcept {
    for (std::size_t k = 0; k < kLaneWords; ++k) word[k] |= other.word[k];
    return *this;
  }
  // The bits here that `other` has not.
  [[nodiscard]] Lanes without(const Lanes& other) const noexcept {
    Lanes out;
    for (std::size_t k = 0; k < kLaneWords; ++k) out.word[k] = word[k] & ~other.word[k];
    return out;
  }
};

// Transposes eight 64 x 64 bit blocks at once: block k is word k of the 64 rows; bit j of row i goes to bit i
// of row j.
void transpose_blocks(std::span<Lanes, 64> rows) noexcept;

// Turns bit i of every plane b into byte i of `out`: the sum of 1 << b over the planes that have it; 255
// where `absent` has it. `count` of at most 64 bytes are written.
void bits_to_bytes(std::span<const std::uint64_t> planes, std::uint64_t absent, std::size_t count,
                   std::uint8_t* out) noexcept;

}  // namespace kgwalk::graph
