// Feed-forward sub-layer: W_2 act(W_1 x + b_1) + b_2.
#pragma once

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/kernels/linear.h"

namespace kgwalk::seq2seq {

struct FeedForwardOptions {
  int width = 256;
  int inner_width = 1024;
  Activation activation = Activation::kGelu;
  double dropout = 0;  // after the activation, in training
};

class FeedForwardImpl : public torch::nn::Module {
 public:
  explicit FeedForwardImpl(const FeedForwardOptions& options);
  torch::Tensor forward(const torch::Tensor& x);  // [..., D] -> [..., D]

  Linear inner{nullptr}, output{nullptr};  // [F, D], [D, F]

 private:
  FeedForwardOptions options_;
};
TORCH_MODULE(FeedForward);

}  // namespace kgwalk::seq2seq
