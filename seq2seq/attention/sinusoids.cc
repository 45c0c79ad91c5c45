#include "seq2seq/attention/sinusoids.h"

#include <cmath>
#include <vector>

namespace kgwalk::seq2seq {

// A loop: for the one position of a decoding step LibTorch's calls would cost more than the sines.
torch::Tensor sinusoids(std::int64_t first, std::int64_t length, std::int64_t width, std::int64_t step) {
  std::vector<double> rates(static_cast<std::size_t>((width + 1) / 2));  // 10000^(-2 j / D)
  for (std::size_t j = 0; j < rates.size(); ++j)
    rates[j] = std::exp(static_cast<double>(j) * (-2 * std::log(10000.0) / static_cast<double>(width)));
  const torch::Tensor table = torch::empty({length, width}, torch::kFloat64);
  auto* out = table.data_ptr<double>();
  for (std::int64_t i = 0; i < length; ++i, out += width) {
    const auto position = static_cast<double>(first + i * step);
    for (std::int64_t d = 0; d < width; ++d) {
      const double angle = position * rates[static_cast<std::size_t>(d / 2)];
      out[d] = d % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return table;
}

}  // namespace kgwalk::seq2seq
