// BERT (Devlin et al., NAACL 2019) on the shared core, in the format of Hugging Face folders: the sibling of
// ALBERT (both are TokenEncoders) with a set of weights a layer and no map behind its embeddings.
//
// A folder holds config.json and model.safetensors: tensor names with or without the prefix "bert."; the
// pooler and the heads `cls.*` (masked language model, next sentence) are optional, the heads are not used.
// Old files call the weights of norms gamma and beta. Loading is strict: one FormatError lists every missing,
// extra or misshapen tensor. vocab.txt is read by seq2seq/text/wordpiece.h.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/models/token_encoder.h"

namespace kgwalk::seq2seq {

// The keys of config.json that decide the network; others of the file are ignored.
struct BertOptions {
  int vocab_size = 30522;
  int hidden_size = 768;
  int num_hidden_layers = 12;
  int num_attention_heads = 12;
  int intermediate_size = 3072;
  std::string hidden_act = "gelu";
  double hidden_dropout_prob = 0.1;
  double attention_probs_dropout_prob = 0.1;
  int max_position_embeddings = 512;
  int type_vocab_size = 2;
  double initializer_range = 0.02;
  double layer_norm_eps = 1e-12;
  template <class F>
  void fields(F& f) {
    f("vocab_size", vocab_size, "tokens").range(1, 1 << 24);
    f("hidden_size", hidden_size, "model width").range(1, 65536);
    f("num_hidden_layers", num_hidden_layers, "layers").range(1, 1024);
    f("num_attention_heads", num_attention_heads, "attention heads").range(1, 1024);
    f("intermediate_size", intermediate_size, "inner width of the feed-forward network").range(1, 1 << 20);
    f("hidden_act", hidden_act, "activation").one_of({"gelu", "gelu_new", "relu"});
    f("hidden_dropout_prob", hidden_dropout_prob, "dropout of each sub-layer's output").range(0, 0.99);
    f("attention_probs_dropout_prob", attention_probs_dropout_prob, "dropout of the attention weights")
        .range(0, 0.99);
    f("max_position_embeddings", max_position_embeddings, "longest sequence").range(1, 1 << 20);
    f("type_vocab_size", type_vocab_size, "token types").range(1, 1024);
    f("initializer_range", initializer_range, "deviation of random initial weights").range(0, 10);
    f("layer_norm_eps", layer_norm_eps, "epsilon of layer normalisation").range(0, 1);
  }
  void check(Problems& problems) const;  // the heads must divide the width
};

class BertImpl : public TokenEncoderImpl {
 public:
  explicit BertImpl(const BertOptions& options);  // random weights from torch's generator
  [[nodiscard]] const BertOptions& options() const noexcept { return options_; }

 private:
  BertOptions options_;
};
TORCH_MODULE(Bert);

[[nodiscard]] Bert load_bert(const std::filesystem::path& folder);
// config.json and model.safetensors; the folder is made if needed.
void save_bert(const Bert& model, const std::filesystem::path& folder);
[[nodiscard]] NamedTensors bert_state(const Bert& model);  // under the names of the file format

// The encoder of a folder of either kind, by model_type in its config.json; FormatError for other ones.
[[nodiscard]] TokenEncoder load_token_encoder(const std::filesystem::path& folder);

}  // namespace kgwalk::seq2seq
