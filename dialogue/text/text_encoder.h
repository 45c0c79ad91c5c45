// A frozen contextual text encoder: ALBERT or BERT with its vocabulary, turning dialogue contexts and names
// into state vectors (thesis 5.3.2, "Dialogue History").
//
// Shapes: B sequences, T positions, D width().
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "dialogue/text/context_tokenizer.h"
#include "kgwalk/progress.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/models/bert.h"

namespace kgwalk::dialogue {

// Some of the sequences as int64 ids [B, T] padded with `pad`, and bool keep [B, T], false = padding.
struct PaddedTokens {
  torch::Tensor ids, keep;
};
[[nodiscard]] PaddedTokens pad_tokens(std::span<const TokenSequence> sequences,
                                      std::span<const std::size_t> places, int pad);

// Numbers that the encoder's matrices are multiplied in. kInt8 holds on the CPU alone: about twice as fast
// and a little less exact (seq2seq/kernels/quantize.h).
enum class TextWeights { kFloat32, kInt8 };

// Immutable and thread-safe.
class TextEncoder {
 public:
  // A Hugging Face folder (config.json of ALBERT or BERT, model.safetensors, and spiece.model,
  // sentencepiece.model or vocab.txt) or a run folder of `kgwalk pretrain-text`. FormatError when the files
  // are broken or do not fit together.
  [[nodiscard]] static std::shared_ptr<const TextEncoder> load(const std::filesystem::path& folder,
                                                               torch::Device device = compute_device(),
                                                               TextWeights weights = TextWeights::kFloat32);
  // Freezes `model`.
  TextEncoder(seq2seq::Albert model, std::shared_ptr<const seq2seq::Tokenizer> tokenizer,
              torch::Device device, TextWeights weights = TextWeights::kFloat32);
  TextEncoder(seq2seq::Bert model, std::shared_ptr<const seq2seq::Tokenizer> tokenizer, torch::Device device,
              TextWeights weights = TextWeights::kFloat32);

  // The same without its `top` last layers: its states are those that they would read. Shares the weights;
  // the checksum is its own. ConfigError when it has not that many layers.
  [[nodiscard]] std::shared_ptr<const TextEncoder> without_top(int top) const;

  // Layers, lowest first, the last ones left out included; read only.
  [[nodiscard]] const seq2seq::TokenEncoder& network() const noexcept { return model_; }
  [[nodiscard]] int left_out() const noexcept { return left_out_; }  // last layers that encode() leaves out
  [[nodiscard]] std::int64_t width() const noexcept { return width_; }
  [[nodiscard]] const ContextTokenizer& tokens() const noexcept { return tokens_; }
  // Shorthands of tokens().
  [[nodiscard]] std::size_t max_tokens() const noexcept { return tokens_.max_tokens(); }
  [[nodiscard]] TokenSequence tokenize(std::span<const graph::Chat> context) const {
    return tokens_.context(context);
  }
  // Over weights, options and vocabulary: which encoder it is.
  [[nodiscard]] const std::string& checksum() const noexcept { return checksum_; }
  // The same, and the numbers it calculates in: states made by another encoder are told by it.
  [[nodiscard]] std::string states_checksum() const {
    return weights_ == TextWeights::kInt8 ? checksum_ + " int8" : checksum_;
  }

  // Runs the network over all sequences, similar lengths together. visit(places, states, keep) gets the
  // places of the sequences in the argument, float32 states [B, T, D] and bool keep [B, T] on the encoder's
  // device, from this thread; states at padding mean nothing. Stopped when asked to stop.
  using Visit = std::function<void(std::span<const std::size_t>, const torch::Tensor&, const torch::Tensor&)>;
  void encode(std::span<const TokenSequence> sequences, const Visit& visit,
              Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop()) const;

 private:
  TextEncoder(seq2seq::TokenEncoder model, std::shared_ptr<const seq2seq::Tokenizer> tokenizer,
              const std::string& described, torch::Device device, TextWeights weights);
  [[nodiscard]] torch::Tensor states_of(std::span<const TokenSequence> sequences,
                                        std::span<const std::size_t> places, const PaddedTokens& tokens,
                                        const torch::Tensor& keep) const;

  mutable seq2seq::TokenEncoder model_;  // forward() of a frozen module changes nothing
  torch::Device device_;
  TextWeights weights_;
  ContextTokenizer tokens_;
  std::int64_t width_ = 0;
  std::string checksum_;
  int left_out_ = 0;
};

}  // namespace kgwalk::dialogue
