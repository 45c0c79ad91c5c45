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

struct BertOptions : TokenEncoderFile {
  BertOptions() {
    vocab_size = 30522;
    hidden_act = "gelu";
    hidden_dropout_prob = attention_probs_dropout_prob = 0.1;
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
