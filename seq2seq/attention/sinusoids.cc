#include "seq2seq/attention/sinusoids.h"

#include <cmath>

namespace kgwalk::seq2seq {

torch::Tensor sinusoids(std::int64_t first, std::int64_t length, std::int64_t width, std::int64_t step) {
  const auto options = torch::TensorOptions().dtype(torch::kFloat64);
  const torch::Tensor positions =
      torch::arange(length, options).mul(static_cast<double>(step)).add(static_cast<double>(first));
  const torch::Tensor pairs = torch::arange(0, (width + 1) / 2, options);  // j
  const torch::Tensor angles =
      positions.unsqueeze(1) * torch::exp(pairs * (-2 * std::log(10000.0) / static_cast<double>(width)));
  return torch::stack({angles.sin(), angles.cos()}, 2).flatten(1).narrow(1, 0, width).contiguous();
}

}  // namespace kgwalk::seq2seq
