#include "seq2seq/layers/embedding.h"

#include <cmath>
#include <string>

#include "runtime/error.h"

namespace kgwalk::seq2seq {

torch::Tensor sinusoidal_positions(std::int64_t length, std::int64_t width, std::int64_t offset) {
  const auto options = torch::TensorOptions().dtype(torch::kFloat64);
  const torch::Tensor positions =
      torch::arange(offset, offset + length, options).unsqueeze(1);        // [length, 1]
  const torch::Tensor pairs = torch::arange(0, (width + 1) / 2, options);  // j
  const torch::Tensor angles =
      positions * torch::exp(pairs * (-2 * std::log(10000.0) / static_cast<double>(width)));
  return torch::stack({angles.sin(), angles.cos()}, 2).flatten(1).narrow(1, 0, width).to(torch::kFloat32);
}

PositionEmbeddingImpl::PositionEmbeddingImpl(const PositionOptions& options) : options_(options) {
  validate(options, "position options");
  if (options.kind == "learnt") {
    weight = register_parameter("weight", torch::empty({options.max_length, options.width}));
    torch::nn::init::normal_(weight, 0, 0.02);
  }
}

torch::Tensor PositionEmbeddingImpl::rows(std::int64_t offset, std::int64_t length,
                                          const torch::Tensor& like) const {
  if (!weight.defined()) return sinusoidal_positions(length, options_.width, offset).to(like.options());
  if (offset + length > weight.size(0))
    throw ShapeError("position " + std::to_string(offset + length - 1) + " is past the last learnt one, " +
                     std::to_string(weight.size(0) - 1) + "; shorten the input or raise max_length");
  return weight.narrow(0, offset, length);
}

torch::Tensor PositionEmbeddingImpl::forward(const torch::Tensor& x, std::int64_t offset) {
  return x + rows(offset, x.size(1), x);
}

}  // namespace kgwalk::seq2seq
