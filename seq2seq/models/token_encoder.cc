#include "seq2seq/models/token_encoder.h"

#include <torch/nn/modules/container/modulelist.h>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "seq2seq/kernels/first_values.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

// Matrices normal, vectors of maps zero; layer norms keep ones and zeros.
void initialize(torch::nn::Module& module, double deviation) {
  if (WithoutFirstValues::on()) return;
  const torch::NoGradGuard guard;
  for (auto& item : module.named_parameters())
    if (item.value().dim() == 2) item.value().normal_(0, deviation);
}

}  // namespace

StackOptions TokenEncoderFile::stack() const {
  StackOptions stack;
  stack.layers = num_hidden_layers;
  stack.width = hidden_size;
  stack.heads = num_attention_heads;
  stack.ffn_width = intermediate_size;
  stack.dropout = hidden_dropout_prob;
  stack.attention_dropout = attention_probs_dropout_prob;
  stack.activation = hidden_act;
  stack.norm = "post";
  stack.norm_eps = layer_norm_eps;
  return stack;
}

TokenEncoderImpl::TokenEncoderImpl(const TokenEncoderOptions& options) : shape_(options) {
  const int inner_width = options.embedding_width, width = options.stack.width;
  tokens = register_parameter("tokens", torch::empty({options.vocabulary, inner_width}));
  positions = register_parameter("positions", torch::empty({options.max_length, inner_width}));
  types = register_parameter("types", torch::empty({options.types, inner_width}));
  embedding_norm = register_module("embedding_norm", LayerNorm(inner_width, options.stack.norm_eps));
  if (options.map) embedding_map = register_module("embedding_map", Linear(inner_width, width));
  torch::nn::ModuleList list;
  for (int i = 0; i < options.groups * options.inner; ++i) {
    layers.emplace_back(options.stack, 0);
    list->push_back(layers.back());
  }
  register_module("layers", list);
  pooler = register_module("pooler", Linear(width, width));
  initialize(*this, options.deviation);
}

void TokenEncoderImpl::remove_pooler() {
  if (pooler) unregister_module("pooler");
  pooler = Linear(nullptr);
}

Tensor TokenEncoderImpl::embed(const TokenInput& input) {
  const Tensor ids = on(tokens.device(), input.ids);
  if (ids.dim() != 2) throw ShapeError(shape_.name + ": ids must be [examples, positions]");
  const std::int64_t length = ids.size(1);
  if (length > positions.size(0))
    throw ShapeError(shape_.name + ": " + std::to_string(length) + " positions, but the model knows " +
                     std::to_string(positions.size(0)) + "; cut the input");
  Tensor x = torch::embedding(tokens, ids) + positions.narrow(0, 0, length);  // [B, T, E]
  x = x + (input.type_ids.defined() ? torch::embedding(types, on(types.device(), input.type_ids)) : types[0]);
  x = dropout_add(embedding_norm(x), {}, is_training() ? shape_.stack.dropout : 0);
  return embedding_map ? embedding_map(x) : x;  // [B, T, D]
}

TokenOutput TokenEncoderImpl::forward(const TokenInput& input, bool keep_hidden, AttentionTrace* trace) {
  TokenOutput result;
  Tensor x = embed(input);
  if (keep_hidden) result.hidden.push_back(x);
  AttentionCall call;
  call.masks.key_keep = on(x.device(), input.keep);
  call.trace = trace;
  for (int l = 0; l < shape_.stack.layers; ++l) {
    const int group = l * shape_.groups / shape_.stack.layers;
    for (int i = 0; i < shape_.inner; ++i)
      x = layers[static_cast<std::size_t>(group * shape_.inner + i)]->forward(x, call);
    if (keep_hidden) result.hidden.push_back(x);
  }
  result.states = x;
  if (pooler) result.pooled = torch::tanh(pooler(x.select(1, 0)));
  return result;
}

}  // namespace kgwalk::seq2seq
