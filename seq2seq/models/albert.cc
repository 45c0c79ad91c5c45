#include "seq2seq/models/albert.h"

#include <torch/nn/functional/loss.h>

#include <string>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr std::int64_t kIgnored = -100;  // label of positions that carry no loss

TokenEncoderOptions shape_of(const AlbertOptions& options) {
  validate(options, "ALBERT options");
  TokenEncoderOptions shape;
  shape.name = "ALBERT";
  shape.vocabulary = options.vocab_size;
  shape.embedding_width = options.embedding_size;
  shape.max_length = options.max_position_embeddings;
  shape.types = options.type_vocab_size;
  shape.stack = options.stack();
  shape.groups = options.num_hidden_groups;
  shape.inner = options.inner_group_num;
  shape.deviation = options.initializer_range;
  return shape;
}

}  // namespace

void AlbertOptions::check(Problems& problems) const {
  if (hidden_size % num_attention_heads != 0)
    problems.add("num_attention_heads", std::to_string(num_attention_heads) + " do not divide hidden_size " +
                                            std::to_string(hidden_size));
  if (num_hidden_layers % num_hidden_groups != 0)
    problems.add("num_hidden_groups", std::to_string(num_hidden_groups) +
                                          " do not divide num_hidden_layers " +
                                          std::to_string(num_hidden_layers));
  if (pad_token_id >= vocab_size)
    problems.add("pad_token_id",
                 std::to_string(pad_token_id) + " is not below vocab_size " + std::to_string(vocab_size));
}

AlbertImpl::AlbertImpl(const AlbertOptions& options)
    : TokenEncoderImpl(shape_of(options)), options_(options) {}

AlbertForMaskedLmImpl::AlbertForMaskedLmImpl(const AlbertOptions& options) {
  albert = register_module("albert", Albert(options));
  dense = register_module("dense", Linear(options.hidden_size, options.embedding_size));
  norm = register_module("norm", LayerNorm(options.embedding_size, options.layer_norm_eps));
  bias = register_parameter("bias", torch::zeros({options.vocab_size}));
  const torch::NoGradGuard guard;
  dense->weight.normal_(0, options.initializer_range);
}

Tensor AlbertForMaskedLmImpl::logits(const Tensor& states) {
  const Tensor inner = dense->activated(states, albert->options().hidden_act);
  return linear(norm(inner), albert->tokens, bias);
}

Tensor AlbertForMaskedLmImpl::loss(const AlbertInput& input, const Tensor& labels) {
  const Tensor states = albert->forward(input).states.flatten(0, 1);  // [B T, D]
  const Tensor flat = on(states.device(), labels.reshape({-1}));      // [B T]
  const Tensor chosen = flat.ne(kIgnored).nonzero().squeeze(1);       // [M]
  if (chosen.size(0) == 0) throw ShapeError("masked language model: no position of the batch has a label");
  return torch::nn::functional::cross_entropy(logits(states.index_select(0, chosen)),
                                              flat.index_select(0, chosen));
}

}  // namespace kgwalk::seq2seq
