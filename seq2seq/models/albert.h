// ALBERT (Lan et al., ICLR 2020) on the shared core, in the format of Hugging Face folders.
//
// A folder holds config.json and model.safetensors: tensor names with or without the prefix "albert.";
// the pooler, the masked language model head `predictions.*` and the sentence order head are optional.
// Loading is strict: one FormatError lists every missing, extra or misshapen tensor. spiece.model is
// read by seq2seq/text.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/layers/norm.h"
#include "seq2seq/models/token_encoder.h"

namespace kgwalk::seq2seq {

struct AlbertOptions : TokenEncoderFile {
  int embedding_size = 128;
  int num_hidden_groups = 1;  // sets of weights; layer i uses group i * groups / layers
  int inner_group_num = 1;    // layers inside a group
  int pad_token_id = 0;
  template <class F>
  void fields(F& f) {
    TokenEncoderFile::fields(f);
    f("embedding_size", embedding_size, "Width of the token embeddings.").range(1, 65536);
    f("num_hidden_groups", num_hidden_groups, "Number of sets of weights that layers share.").range(1, 1024);
    f("inner_group_num", inner_group_num, "Number of layers inside a set of weights.").range(1, 64);
    f("pad_token_id", pad_token_id, "Id of the padding token.").range(0, 1 << 24);
  }
  void check(Problems& problems) const;
  // ConfigError names bad values; FormatError a model of another kind.
  [[nodiscard]] static AlbertOptions read(const std::filesystem::path& config_json);
};

using AlbertInput = TokenInput;
using AlbertOutput = TokenOutput;

class AlbertImpl : public TokenEncoderImpl {
 public:
  // Random weights from torch's generator, normal(0, initializer_range).
  explicit AlbertImpl(const AlbertOptions& options);
  [[nodiscard]] const AlbertOptions& options() const noexcept { return options_; }

 private:
  AlbertOptions options_;
};
TORCH_MODULE(Albert);

// ALBERT with the masked language model head: dense to E, activation, norm, then the token table
// as output weights.
class AlbertForMaskedLmImpl : public torch::nn::Module {
 public:
  explicit AlbertForMaskedLmImpl(const AlbertOptions& options);
  // Logits over the vocabulary. `states` any [..., D], e.g. only the masked positions [M, D] -> [M, V].
  torch::Tensor logits(const torch::Tensor& states);
  // Mean cross-entropy over the positions where labels (int64 [B, T]) are not -100; the head runs
  // on those only.
  torch::Tensor loss(const AlbertInput& input, const torch::Tensor& labels);

  Albert albert{nullptr};
  Linear dense{nullptr};
  LayerNorm norm{nullptr};
  torch::Tensor bias;  // [V]
};
TORCH_MODULE(AlbertForMaskedLm);

// Weights of `folder`; the network's own options come from its config.json. The head is ignored when present.
[[nodiscard]] Albert load_albert(const std::filesystem::path& folder);
// FormatError when the folder has no head.
[[nodiscard]] AlbertForMaskedLm load_albert_for_masked_lm(const std::filesystem::path& folder);
// config.json and model.safetensors with Hugging Face's names, each written atomically; the folder is
// made if needed.
void save_albert(const Albert& model, const std::filesystem::path& folder);
void save_albert(const AlbertForMaskedLm& model, const std::filesystem::path& folder);

// The weights under the names of the file format.
[[nodiscard]] NamedTensors albert_state(const Albert& model);
[[nodiscard]] NamedTensors albert_state(const AlbertForMaskedLm& model);

}  // namespace kgwalk::seq2seq
