#include "seq2seq/layers/norm.h"

#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {

LayerNormImpl::LayerNormImpl(std::int64_t width, double eps) : eps_(eps) {
  weight = register_parameter("weight", torch::ones({width}));
  bias = register_parameter("bias", torch::zeros({width}));
}

torch::Tensor LayerNormImpl::forward(const torch::Tensor& x) { return layer_norm(x, {}, weight, bias, eps_); }

torch::Tensor LayerNormImpl::of_sum(const torch::Tensor& x, const torch::Tensor& residual) {
  return layer_norm(x, residual, weight, bias, eps_);
}

}  // namespace kgwalk::seq2seq
