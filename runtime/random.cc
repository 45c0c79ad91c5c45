#include "runtime/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "kgwalk/error.h"
#include "runtime/random_normals.h"

namespace kgwalk {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) noexcept {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

__extension__ using Wide = unsigned __int128;

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t mixed = seed;
  if (stream != 0) {
    // Streams of one seed start from unrelated points.
    std::uint64_t other = stream;
    mixed = splitmix64(mixed) ^ std::rotl(splitmix64(other), 23);
  }
  for (std::uint64_t& word : state_) word = splitmix64(mixed);
}

std::uint64_t Random::next() noexcept {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) noexcept {
  // The high word of a product is uniform once the low words that would be hit too often are refused.
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t refused = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < refused) product = static_cast<Wide>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Random::uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Random::normal() noexcept {
  while (true) {
    const double x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    const double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

// Pairs are drawn first, without a branch for those that are refused, which no processor foresees. Flattened:
// the generator's steps stand in the loop, its state in registers.
[[gnu::flatten]] void fill_normal(Random& random, std::span<double> values) noexcept {
  std::array<double, 256> kept, squares;
  while (!values.empty()) {
    const std::size_t wanted = std::min(values.size(), kept.size());
    for (std::size_t n = 0; n < wanted;) {
      const double x = 2 * random.uniform() - 1;
      const double y = 2 * random.uniform() - 1;
      const double square = x * x + y * y;
      kept[n] = x;
      squares[n] = square;
      n += static_cast<std::size_t>(square > 0) & static_cast<std::size_t>(square < 1);
    }
    for (std::size_t i = 0; i < wanted; ++i)
      values[i] = kept[i] * std::sqrt(-2 * std::log(squares[i]) / squares[i]);
    values = values.subspan(wanted);
  }
}

std::vector<std::uint64_t> Random::state() const { return {state_, state_ + 4}; }

void Random::set_state(std::span<const std::uint64_t> state) {
  if (state.size() != 4 || (state[0] | state[1] | state[2] | state[3]) == 0)
    throw FormatError("the state of a random generator must be four words, not all zero");
  for (std::size_t i = 0; i < 4; ++i) state_[i] = state[i];
}

}  // namespace kgwalk
