// The frozen text encoder that speech is drawn to, and its pre-training on lines of text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/attention/significance.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/text/tokenizer.h"

namespace kgwalk::seq2seq {

// What a teacher says of a text: its pieces without [CLS] and [SEP], their states in the last layer, and
// their significance (Eq. 4.3 over the whole sequence, then restricted to these pieces).
struct TaughtText {
  std::vector<std::string> pieces;
  std::vector<int> ids;
  torch::Tensor states;  // [n, D]
  torch::Tensor prior;   // [n], sums to one
  torch::Tensor cls;     // [D], the state at [CLS]
};

// Frozen, in evaluation mode. Thread-safe.
class Teacher {
 public:
  // A folder with an ALBERT or BERT in Hugging Face's format and its vocabulary, or a run that holds one
  // (`kgwalk task slu text`, `kgwalk pretrain-text`). FormatError for others, and when the vocabulary has no
  // [CLS] and [SEP] or more pieces than the model.
  [[nodiscard]] static Teacher open(const std::filesystem::path& path);

  // One result a text, in order. ConfigError for a text without pieces. Longer texts than the model knows
  // positions are cut.
  [[nodiscard]] std::vector<TaughtText> teach(std::span<const std::string> texts,
                                              SignificanceLayers layers) const;
  [[nodiscard]] std::int64_t width() const { return model_->shape().stack.width; }
  [[nodiscard]] std::string checksum() const;  // of weights and vocabulary

 private:
  Teacher(TokenEncoder model, std::unique_ptr<Tokenizer> tokenizer);
  mutable TokenEncoder model_;
  std::shared_ptr<const Tokenizer> tokenizer_;
};

// log(N / df) of every piece over N texts (an idf); pieces seen in no text count as seen in one.
[[nodiscard]] std::vector<double> inverse_document_frequencies(std::span<const TaughtText> texts);

// Numbers in the trained weights of a network.
[[nodiscard]] std::int64_t parameter_count(const torch::nn::Module& module);

struct TextPretrainConfig {
  int vocabulary = 1500;  // pieces asked of spm_train
  AlbertOptions model;    // vocab_size is set from the vocabulary
  double mask_share = 0.15;
  int batch_tokens = 2048;  // padding counted
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("vocabulary", vocabulary, "Number of pieces of the vocabulary that is trained.").range(32, 1e6);
    f("model", model, "ALBERT.");
    f("mask_share", mask_share, "Share of the pieces that are hidden and predicted.").range(0.01, 0.9);
    f("batch_tokens", batch_tokens, "Number of positions of a batch, padding counted.").range(16, 1e7);
    f("trainer", trainer, "Training loop.");
  }
};
struct TextPretrainOptions {
  std::vector<std::filesystem::path> train;  // a sentence a line
  std::filesystem::path dev, run;
  TextPretrainConfig config;
  std::uint64_t seed = 1;
};
struct PretrainReport {
  TrainReport training;
  std::int64_t parameters = 0, items = 0;  // lines or utterances trained on
  std::filesystem::path encoder;           // the folder written
  [[nodiscard]] Json to_json() const;
};
// Trains a vocabulary and an ALBERT by masked language modeling in a run folder of kind
// "task-slu-text", resuming an interrupted run; RUN/encoder is what Teacher::open() reads. ConfigError
// when a file has no sentence.
PretrainReport pretrain_teacher(const TextPretrainOptions& options, Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::seq2seq
