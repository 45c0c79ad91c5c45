// Layer normalization over the last dimension, alone or fused with the residual sum before it.
#pragma once

#include <cstdint>

#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq {

class LayerNormImpl : public torch::nn::Module {
 public:
  explicit LayerNormImpl(std::int64_t width, double eps = 1e-5);
  torch::Tensor forward(const torch::Tensor& x);                                // [..., D] -> [..., D]
  torch::Tensor of_sum(const torch::Tensor& x, const torch::Tensor& residual);  // norm(x + residual)

  torch::Tensor weight, bias;  // [D]

 private:
  double eps_;
};
TORCH_MODULE(LayerNorm);

}  // namespace kgwalk::seq2seq
