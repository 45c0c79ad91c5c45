// The convolution module of the Conformer (Gulati et al., INTERSPEECH 2020, section 2.2):
// pointwise projection to twice the width, gated linear unit, depthwise convolution over time,
// norm, swish, pointwise projection.
//
// The norm is layer normalization over the width where the paper has batch normalization: it sees one
// position, so that a padded batch gives what the single sequences give and streaming is possible.
#pragma once

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/layers/norm.h"

namespace kgwalk::seq2seq {

struct ConvolutionOptions {
  int width = 256;  // D
  int kernel = 15;  // K; odd unless causal
  bool causal = false;
};

class ConvolutionModuleImpl : public torch::nn::Module {
 public:
  explicit ConvolutionModuleImpl(const ConvolutionOptions& options);
  // x [B, T, D], keep bool [1 or B, T] or undefined -> [B, T, D]. Positions that are not kept count as zeros
  // at the entry of the depthwise convolution, as the outside does.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& keep);

  Linear input{nullptr}, output{nullptr};  // [2 D, D], [D, D]
  torch::Tensor weight, bias;              // depthwise: [K, D], [D]
  LayerNorm norm{nullptr};

 private:
  ConvolutionOptions options_;
};
TORCH_MODULE(ConvolutionModule);

// out[b, t, d] = sum_k weight[k, d] x[b, t + k - left, d], with gradients; x [B, T, D], weight [K, D].
[[nodiscard]] torch::Tensor depthwise_convolution(const torch::Tensor& x, const torch::Tensor& weight,
                                                  std::int64_t left);

}  // namespace kgwalk::seq2seq
