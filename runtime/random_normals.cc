#include "runtime/random_normals.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kgwalk {

// Pairs are drawn first, without a branch for those that are refused, which no processor foresees.
void fill_normal(Random& random, std::span<double> values) noexcept {
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

}  // namespace kgwalk
