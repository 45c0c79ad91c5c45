// The last layers of a text encoder as part of a walker, trained with it: they begin with the encoder's
// weights and read the states of the layers below, which stay frozen and are computed once.
#pragma once

#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/models/token_encoder.h"

namespace kgwalk::walker {

class TextTopImpl : public torch::nn::Module {
 public:
  // Copies of the last `layers` of `encoder`; ConfigError when it has fewer.
  TextTopImpl(const seq2seq::TokenEncoder& encoder, int layers);
  // states [B, T, D] below these layers, keep bool [B, T] -> [B, T, D]
  torch::Tensor forward(const torch::Tensor& states, const torch::Tensor& keep);

 private:
  std::vector<seq2seq::EncoderLayer> layers_;  // layers.0, layers.1, ...
};
TORCH_MODULE(TextTop);

}  // namespace kgwalk::walker
