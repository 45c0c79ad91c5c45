// What ALBERT and BERT share: embeddings of tokens, positions and types, a norm, post-norm layers of the
// shared core and a pooler. seq2seq/models/albert.h and bert.h give it their options and file formats.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/layers/encoder.h"
#include "seq2seq/layers/norm.h"

namespace kgwalk::seq2seq {

struct TokenEncoderOptions {
  std::string name;         // in errors: "ALBERT"
  int vocabulary = 0;       // V
  int embedding_width = 0;  // E
  bool map = true;          // a map from E to D behind the embeddings; without it E = D
  int max_length = 0;       // positions
  int types = 0;
  StackOptions stack;       // D, the number of layers and what a layer is; norm "post"
  int groups = 1;           // sets of weights; layer i uses group i * groups / layers
  int inner = 1;            // layers inside a group
  double deviation = 0.02;  // of random initial weights
};

// Layers by the keys that ALBERT's and BERT's config.json share.
template <class FileOptions>
[[nodiscard]] StackOptions post_norm_stack(const FileOptions& options) {
  StackOptions stack;
  stack.layers = options.num_hidden_layers;
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

struct TokenInput {
  torch::Tensor ids{};       // int64 [B, T]
  torch::Tensor keep{};      // bool [B, T], false = padding; undefined = all kept
  torch::Tensor type_ids{};  // int64 [B, T]; undefined = 0
};

struct TokenOutput {
  torch::Tensor states;  // [B, T, D] of the last layer
  torch::Tensor pooled;  // [B, D]: tanh of a projection of the first position; undefined without pooler
  std::vector<torch::Tensor> hidden;  // only when asked for: embeddings and every layer, L + 1 of [B, T, D]
};

class TokenEncoderImpl : public torch::nn::Module {
 public:
  // Random weights from torch's generator, normal(0, deviation).
  explicit TokenEncoderImpl(const TokenEncoderOptions& options);
  // `trace` (optional) receives an entry a layer, with its logits when trace->keep_logits is set: what
  // seq2seq/attention/significance.h reads. ShapeError when the input is longer than the model's positions.
  TokenOutput forward(const TokenInput& input, bool keep_hidden = false, AttentionTrace* trace = nullptr);
  void remove_pooler();  // for files that have none
  [[nodiscard]] const TokenEncoderOptions& shape() const noexcept { return shape_; }

  torch::Tensor tokens, positions, types;  // [V, E], [P, E], [types, E]
  LayerNorm embedding_norm{nullptr};
  Linear embedding_map{nullptr};     // [D, E]
  std::vector<EncoderLayer> layers;  // [groups * inner], the layers of a group consecutive
  Linear pooler{nullptr};            // [D, D]

 private:
  torch::Tensor embed(const TokenInput& input);
  TokenEncoderOptions shape_;
};
TORCH_MODULE(TokenEncoder);

}  // namespace kgwalk::seq2seq
