#include "seq2seq/layers/embedding.h"

#include <string>

#include "kgwalk/error.h"
#include "seq2seq/attention/sinusoids.h"

namespace kgwalk::seq2seq {

torch::Tensor sinusoidal_positions(std::int64_t length, std::int64_t width, std::int64_t offset) {
  return sinusoids(offset, length, width).to(torch::kFloat32);
}

PositionEmbeddingImpl::PositionEmbeddingImpl(const PositionOptions& options) : options_(options) {
  validate(options, "position options");
  if (options.kind == PositionKind::kLearned) {
    weight = register_parameter("weight", torch::empty({options.max_length, options.width}));
    torch::nn::init::normal_(weight, 0, 0.02);
  }
}

torch::Tensor PositionEmbeddingImpl::rows(std::int64_t offset, std::int64_t length,
                                          const torch::Tensor& like) const {
  if (!weight.defined()) return sinusoidal_positions(length, options_.width, offset).to(like.options());
  if (offset + length > weight.size(0))
    throw ShapeError("position " + std::to_string(offset + length - 1) + " is past the last learned one, " +
                     std::to_string(weight.size(0) - 1) + "; shorten the input or raise max_length");
  return weight.narrow(0, offset, length);
}

torch::Tensor PositionEmbeddingImpl::forward(const torch::Tensor& x, std::int64_t offset) {
  return x + rows(offset, x.size(1), x);
}

}  // namespace kgwalk::seq2seq
