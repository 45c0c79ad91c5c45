// What ALBERT and BERT share: embeddings of tokens, positions and types, a norm, post-norm layers of the
// shared core and a pooler. seq2seq/models/albert.h and bert.h give it their options and file formats.
#pragma once

#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/kernels/rows.h"
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

// The keys that ALBERT's and BERT's config.json share and that decide the network; defaults are ALBERT's.
// Others of a file (e.g. "architectures") are ignored.
struct TokenEncoderFile {
  int vocab_size = 30000;
  int hidden_size = 768;
  int num_hidden_layers = 12;
  int num_attention_heads = 12;
  int intermediate_size = 3072;
  Choice<Activation> hidden_act = Activation::kGeluNew;
  double hidden_dropout_prob = 0;
  double attention_probs_dropout_prob = 0;
  int max_position_embeddings = 512;
  int type_vocab_size = 2;
  double initializer_range = 0.02;
  double layer_norm_eps = 1e-12;
  template <class F>
  void fields(F& f) {
    f("vocab_size", vocab_size, "Number of tokens of the vocabulary.").range(1, 1 << 24);
    f("hidden_size", hidden_size, "Model width.").range(1, 65536);
    f("num_hidden_layers", num_hidden_layers, "Number of layers.").range(1, 1024);
    f("num_attention_heads", num_attention_heads, "Number of attention heads.").range(1, 1024);
    f("intermediate_size", intermediate_size, "Inner width of the feed-forward network.").range(1, 1 << 20);
    f("hidden_act", hidden_act, "Activation of the feed-forward network.");
    f("hidden_dropout_prob", hidden_dropout_prob, "Dropout of each sub-layer's output.").range(0, 0.99);
    f("attention_probs_dropout_prob", attention_probs_dropout_prob, "Dropout of the attention weights.")
        .range(0, 0.99);
    f("max_position_embeddings", max_position_embeddings, "Longest sequence, in tokens.").range(1, 1 << 20);
    f("type_vocab_size", type_vocab_size, "Number of token types.").range(1, 1024);
    f("initializer_range", initializer_range, "Deviation of the random initial weights.").range(0, 10);
    f("layer_norm_eps", layer_norm_eps, "Epsilon of layer normalization.").range(0, 1);
  }
  [[nodiscard]] StackOptions stack() const;  // post-norm layers
};

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
