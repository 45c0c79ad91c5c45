// A small seeded generator of our own, so that results do not depend on the standard library's distributions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace kgwalk {

// xoshiro256** seeded by splitmix64. Not thread-safe: one generator a thread. State can be
// saved and restored.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);
  [[nodiscard]] std::uint64_t next() noexcept;
  [[nodiscard]] std::uint64_t below(
      std::uint64_t bound) noexcept;        // uniform in [0, bound), bound > 0, unbiased
  [[nodiscard]] double uniform() noexcept;  // [0, 1)
  [[nodiscard]] double normal() noexcept;   // mean 0, deviation 1 (polar method, no cache)
  template <class T>
  void shuffle(std::span<T> items) noexcept {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }
  [[nodiscard]] std::vector<std::uint64_t> state() const;
  void set_state(std::span<const std::uint64_t> state);

 private:
  std::uint64_t state_[4];
};

}  // namespace kgwalk
