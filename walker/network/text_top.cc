#include "walker/network/text_top.h"

#include <torch/nn/modules/container/modulelist.h>

#include "kgwalk/error.h"

namespace kgwalk::walker {

TextTopImpl::TextTopImpl(const seq2seq::TokenEncoder& encoder, int layers) {
  const seq2seq::TokenEncoderOptions& shape = encoder->shape();
  const int all = shape.stack.layers;
  if (layers < 1 || layers > all)
    throw ConfigError("text.trained_layers: the text encoder has " + std::to_string(all) + " layers, not " +
                      std::to_string(layers));
  const torch::NoGradGuard no_grad;
  torch::nn::ModuleList list;
  for (int l = all - layers; l < all; ++l) {
    const int group = l * shape.groups / all;
    for (int i = 0; i < shape.inner; ++i) {
      const seq2seq::EncoderLayer& from = encoder->layers[static_cast<std::size_t>(group * shape.inner + i)];
      layers_.emplace_back(shape.stack, 0);
      const auto weights = from->named_parameters();
      for (auto& parameter : layers_.back()->named_parameters())
        parameter.value().copy_(weights[parameter.key()]);
      list->push_back(layers_.back());
    }
  }
  register_module("layers", list);
}

torch::Tensor TextTopImpl::forward(const torch::Tensor& states, const torch::Tensor& keep) {
  seq2seq::AttentionCall call;
  call.masks.key_keep = keep;
  torch::Tensor x = states;
  for (seq2seq::EncoderLayer& layer : layers_) x = layer->forward(x, call);
  return x;
}

}  // namespace kgwalk::walker
