#include "seq2seq/models/albert.h"

#include <string>

#include "runtime/error.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr std::int64_t kIgnored = -100;  // label of positions that carry no loss

StackOptions stack_of(const AlbertOptions& options) {
  StackOptions stack;
  stack.layers = 1;
  stack.width = options.hidden_size;
  stack.heads = options.num_attention_heads;
  stack.ffn_width = options.intermediate_size;
  stack.dropout = options.hidden_dropout_prob;
  stack.attention_dropout = options.attention_probs_dropout_prob;
  stack.activation = options.hidden_act;
  stack.norm = "post";
  stack.norm_eps = options.layer_norm_eps;
  return stack;
}

// Matrices normal, vectors of maps zero; layer norms keep ones and zeros.
void initialise(torch::nn::Module& module, double deviation) {
  const torch::NoGradGuard guard;
  for (auto& item : module.named_parameters())
    if (item.value().dim() == 2) item.value().normal_(0, deviation);
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

AlbertImpl::AlbertImpl(const AlbertOptions& options) : options_(options) {
  validate(options, "ALBERT options");
  tokens = register_parameter("tokens", torch::empty({options.vocab_size, options.embedding_size}));
  positions = register_parameter("positions",
                                 torch::empty({options.max_position_embeddings, options.embedding_size}));
  types = register_parameter("types", torch::empty({options.type_vocab_size, options.embedding_size}));
  embedding_norm =
      register_module("embedding_norm", LayerNorm(options.embedding_size, options.layer_norm_eps));
  embedding_map = register_module("embedding_map", Linear(options.embedding_size, options.hidden_size));
  torch::nn::ModuleList list;
  for (int i = 0; i < options.num_hidden_groups * options.inner_group_num; ++i) {
    layers.emplace_back(stack_of(options), 0);
    list->push_back(layers.back());
  }
  register_module("layers", list);
  pooler = register_module("pooler", Linear(options.hidden_size, options.hidden_size));
  initialise(*this, options.initializer_range);
}

void AlbertImpl::remove_pooler() {
  if (pooler) unregister_module("pooler");
  pooler = Linear(nullptr);
}

Tensor AlbertImpl::embed(const AlbertInput& input) {
  const Tensor& ids = input.ids;
  if (ids.dim() != 2) throw ShapeError("ALBERT: ids must be [examples, positions]");
  const std::int64_t length = ids.size(1);
  if (length > positions.size(0))
    throw ShapeError("ALBERT: " + std::to_string(length) + " positions, but the model knows " +
                     std::to_string(positions.size(0)) + "; cut the input");
  Tensor x = torch::embedding(tokens, ids) + positions.narrow(0, 0, length);  // [B, T, E]
  x = x + (input.type_ids.defined() ? torch::embedding(types, input.type_ids) : types[0]);
  x = dropout_add(embedding_norm(x), {}, is_training() ? options_.hidden_dropout_prob : 0);
  return embedding_map(x);  // [B, T, D]
}

AlbertOutput AlbertImpl::forward(const AlbertInput& input, bool keep_hidden) {
  AlbertOutput result;
  Tensor x = embed(input);
  if (keep_hidden) result.hidden.push_back(x);
  AttentionCall call;
  call.masks.key_keep = input.keep;
  for (int l = 0; l < options_.num_hidden_layers; ++l) {
    const int group = l * options_.num_hidden_groups / options_.num_hidden_layers;
    for (int i = 0; i < options_.inner_group_num; ++i)
      x = layers[static_cast<std::size_t>(group * options_.inner_group_num + i)]->forward(x, call);
    if (keep_hidden) result.hidden.push_back(x);
  }
  result.states = x;
  if (pooler) result.pooled = torch::tanh(pooler(x.select(1, 0)));
  return result;
}

AlbertForMaskedLmImpl::AlbertForMaskedLmImpl(const AlbertOptions& options) {
  albert = register_module("albert", Albert(options));
  dense = register_module("dense", Linear(options.hidden_size, options.embedding_size));
  norm = register_module("norm", LayerNorm(options.embedding_size, options.layer_norm_eps));
  bias = register_parameter("bias", torch::zeros({options.vocab_size}));
  const torch::NoGradGuard guard;
  dense->weight.normal_(0, options.initializer_range);
}

Tensor AlbertForMaskedLmImpl::logits(const Tensor& states) {
  const Tensor inner = dense->activated(states, parse_activation(albert->options().hidden_act));
  return linear(norm(inner), albert->tokens, bias);
}

Tensor AlbertForMaskedLmImpl::loss(const AlbertInput& input, const Tensor& labels) {
  const Tensor states = albert->forward(input).states.flatten(0, 1);  // [B T, D]
  const Tensor flat = labels.reshape({-1});                           // [B T]
  const Tensor chosen = flat.ne(kIgnored).nonzero().squeeze(1);       // [M]
  if (chosen.size(0) == 0) throw ShapeError("masked language model: no position of the batch has a label");
  return torch::nn::functional::cross_entropy(logits(states.index_select(0, chosen)),
                                              flat.index_select(0, chosen));
}

}  // namespace kgwalk::seq2seq
