// Activations of the feed-forward networks.
#pragma once

#include <torch/torch.h>

#include <string_view>

namespace kgwalk::seq2seq {

enum class Activation {
  kGelu,     // x Phi(x), exact
  kGeluNew,  // 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
  kRelu,
};

// "gelu", "gelu_new" or "relu"; ConfigError otherwise.
[[nodiscard]] Activation parse_activation(std::string_view name);
[[nodiscard]] torch::Tensor activate(const torch::Tensor& x, Activation activation);

}  // namespace kgwalk::seq2seq
