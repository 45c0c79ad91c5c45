// The peer of the seq2seq benchmarks: the same network written plainly with LibTorch's modules and
// operations, one tensor operation after the other, post-norm. Weights are copied from ours, so that results
// can be compared.
#pragma once

#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <cmath>
#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"

namespace kgwalk::eager {

using torch::Tensor;

inline void copy_linear(torch::nn::Linear& to, const Tensor& weight, const Tensor& bias) {
  const torch::NoGradGuard guard;
  to->weight.copy_(weight);
  to->bias.copy_(bias);
}

inline void copy_norm(torch::nn::LayerNorm& to, const seq2seq::LayerNorm& from) {
  const torch::NoGradGuard guard;
  to->weight.copy_(from->weight);
  to->bias.copy_(from->bias);
}

// One attention with separate projections.
struct AttentionImpl : torch::nn::Module {
  AttentionImpl(std::int64_t width, std::int64_t num_heads, double p)
      : q(register_module("q", torch::nn::Linear(width, width))),
        k(register_module("k", torch::nn::Linear(width, width))),
        v(register_module("v", torch::nn::Linear(width, width))),
        o(register_module("o", torch::nn::Linear(width, width))),
        dropout(register_module("dropout", torch::nn::Dropout(p))),
        heads(num_heads) {}
  [[nodiscard]] Tensor split(const Tensor& x) const {  // [B, T, D] -> [B, H, T, d]
    return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
  }
  Tensor attend(const Tensor& x, const Tensor& keys, const Tensor& values) {
    const Tensor queries = split(q(x));
    const Tensor scores =
        torch::matmul(queries, keys.transpose(2, 3)) / std::sqrt(static_cast<double>(queries.size(3)));
    const Tensor weights = dropout(torch::softmax(scores, -1));
    return o(torch::matmul(weights, values).transpose(1, 2).reshape({x.size(0), x.size(1), -1}));
  }
  void copy_from(seq2seq::MultiheadAttentionImpl& ours, std::int64_t width) {
    const bool self = !ours.qkv.is_empty();
    const Tensor qw = self ? ours.qkv->weight.narrow(0, 0, width) : ours.query->weight;
    const Tensor qb = self ? ours.qkv->bias.narrow(0, 0, width) : ours.query->bias;
    const seq2seq::Linear& kv = self ? ours.qkv : ours.key_value;
    const std::int64_t at = self ? width : 0;
    copy_linear(q, qw, qb);
    copy_linear(k, kv->weight.narrow(0, at, width), kv->bias.narrow(0, at, width));
    copy_linear(v, kv->weight.narrow(0, at + width, width), kv->bias.narrow(0, at + width, width));
    copy_linear(o, ours.output->weight, ours.output->bias);
  }
  torch::nn::Linear q, k, v, o;
  torch::nn::Dropout dropout;
  std::int64_t heads;
};
TORCH_MODULE(Attention);

// Self-attention, any number of memories, feed-forward network; an encoder layer has no memories.
struct LayerImpl : torch::nn::Module {
  LayerImpl(const seq2seq::StackOptions& o, int memories)
      : self(register_module("self", Attention(o.width, o.heads, o.attention_dropout))),
        self_norm(register_module("self_norm", norm_of(o))),
        inner(register_module("inner", torch::nn::Linear(o.width, o.ffn_width))),
        outer(register_module("outer", torch::nn::Linear(o.ffn_width, o.width))),
        ffn_norm(register_module("ffn_norm", norm_of(o))),
        dropout(register_module("dropout", torch::nn::Dropout(o.dropout))) {
    for (int m = 0; m < memories; ++m) {
      memory.push_back(
          register_module("memory" + std::to_string(m), Attention(o.width, o.heads, o.attention_dropout)));
      memory_norm.push_back(register_module("memory_norm" + std::to_string(m), norm_of(o)));
    }
  }
  static torch::nn::LayerNorm norm_of(const seq2seq::StackOptions& o) {
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({o.width}).eps(o.norm_eps));
  }
  Tensor feed_forward(const Tensor& x) {
    return ffn_norm(x + dropout(outer(dropout(torch::gelu(inner(x))))));
  }
  Tensor encode(const Tensor& x) {
    const Tensor a =
        self_norm(x + dropout(self->attend(x, self->split(self->k(x)), self->split(self->v(x)))));
    return feed_forward(a);
  }
  Attention self;
  torch::nn::LayerNorm self_norm;
  torch::nn::Linear inner, outer;
  torch::nn::LayerNorm ffn_norm;
  torch::nn::Dropout dropout;
  std::vector<Attention> memory;
  std::vector<torch::nn::LayerNorm> memory_norm;
};
TORCH_MODULE(Layer);

struct EncoderImpl : torch::nn::Module {
  explicit EncoderImpl(const seq2seq::StackOptions& options) {
    for (int l = 0; l < options.layers; ++l)
      layers.push_back(register_module("layer" + std::to_string(l), Layer(options, 0)));
  }
  Tensor forward(Tensor x) {
    for (Layer& layer : layers) x = layer->encode(x);
    return x;
  }
  void copy_from(seq2seq::TransformerEncoderImpl& ours) {
    std::size_t l = 0;
    for (const auto& child : ours.named_children()["layers"]->children()) {
      auto& from = *child->as<seq2seq::EncoderLayerImpl>();
      Layer& to = layers[l++];
      to->self->copy_from(*from.attention, from.attention->options().width);
      copy_norm(to->self_norm, from.attention_norm);
      copy_linear(to->inner, from.ffn->inner->weight, from.ffn->inner->bias);
      copy_linear(to->outer, from.ffn->output->weight, from.ffn->output->bias);
      copy_norm(to->ffn_norm, from.ffn_norm);
    }
  }
  std::vector<Layer> layers;
};
TORCH_MODULE(Encoder);

// Beam decoding: keys and values of the positions so far are kept and concatenated; each beam has its own
// copy of the projected memories.
struct DecoderImpl : torch::nn::Module {
  struct State {
    std::vector<Tensor> keys, values;                             // [L] of [N, H, t, d]
    std::vector<std::vector<Tensor>> memory_keys, memory_values;  // [L][M] of [N, H, Tk, d]
  };
  DecoderImpl(const seq2seq::StackOptions& options, int memories) {
    for (int l = 0; l < options.layers; ++l)
      layers.push_back(register_module("layer" + std::to_string(l), Layer(options, memories)));
  }
  State start(const std::vector<Tensor>& memories) {
    State state;
    for (Layer& layer : layers) {
      auto& keys = state.memory_keys.emplace_back();
      auto& values = state.memory_values.emplace_back();
      for (std::size_t m = 0; m < memories.size(); ++m) {
        keys.push_back(layer->memory[m]->split(layer->memory[m]->k(memories[m])));
        values.push_back(layer->memory[m]->split(layer->memory[m]->v(memories[m])));
      }
    }
    return state;
  }
  static void reorder(State& state, const Tensor& rows) {
    for (std::vector<Tensor>* list : {&state.keys, &state.values})
      for (Tensor& x : *list) x = x.index_select(0, rows);
    for (auto* layers_of : {&state.memory_keys, &state.memory_values})
      for (auto& list : *layers_of)
        for (Tensor& x : list) x = x.index_select(0, rows);
  }
  Tensor step(Tensor x, State& state) {
    const bool first = state.keys.empty();
    for (std::size_t l = 0; l < layers.size(); ++l) {
      Layer& layer = layers[l];
      const Tensor k = layer->self->split(layer->self->k(x)), v = layer->self->split(layer->self->v(x));
      if (first) {
        state.keys.push_back(k);
        state.values.push_back(v);
      } else {
        state.keys[l] = torch::cat({state.keys[l], k}, 2);
        state.values[l] = torch::cat({state.values[l], v}, 2);
      }
      x = layer->self_norm(x + layer->self->attend(x, state.keys[l], state.values[l]));
      for (std::size_t m = 0; m < layer->memory.size(); ++m)
        x = layer->memory_norm[m](
            x + layer->memory[m]->attend(x, state.memory_keys[l][m], state.memory_values[l][m]));
      x = layer->feed_forward(x);
    }
    return x;
  }
  void copy_from(seq2seq::TransformerDecoderImpl& ours) {
    std::size_t l = 0;
    for (const auto& child : ours.named_children()["layers"]->children()) {
      auto& from = *child->as<seq2seq::DecoderLayerImpl>();
      Layer& to = layers[l++];
      const std::int64_t width = from.self_attention->options().width;
      to->self->copy_from(*from.self_attention, width);
      copy_norm(to->self_norm, from.self_norm);
      for (std::size_t m = 0; m < to->memory.size(); ++m) {
        to->memory[m]->copy_from(*from.memory_attention[m], width);
        copy_norm(to->memory_norm[m], from.memory_norm[m]);
      }
      copy_linear(to->inner, from.ffn->inner->weight, from.ffn->inner->bias);
      copy_linear(to->outer, from.ffn->output->weight, from.ffn->output->bias);
      copy_norm(to->ffn_norm, from.ffn_norm);
    }
  }
  std::vector<Layer> layers;
};
TORCH_MODULE(Decoder);

}  // namespace kgwalk::eager
