// A language model: a decoder of the shared layers without memories, with an adaptive vocabulary.
//
// Shapes: B rows, T words, D width, V words of the vocabulary.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "seq2seq/models/adaptive.h"

namespace kgwalk::seq2seq {

struct TransformerLanguageModelOptions {
  StackOptions decoder;
  AdaptiveOptions vocabulary;
  Choice<AddedPositions> positions =
      AddedPositions::kSinusoidal;  // "none" with relative positions in the decoder
  template <class F>
  void fields(F& f) {
    f("decoder", decoder, "Layers.");
    f("vocabulary", vocabulary, "Bands of the vocabulary.");
    f("positions", positions, "Positions added to words; none where the attention is relative.");
  }
  void check(Problems& problems) const;  // the decoder has no groups of layers
};

class TransformerLanguageModelImpl : public torch::nn::Module {
 public:
  TransformerLanguageModelImpl(const TransformerLanguageModelOptions& options, std::int64_t vocabulary);

  torch::Tensor forward(
      const torch::Tensor& ids);  // int64 [B, T] -> states [B, T, D]; state t has seen words 0 .. t
  DecoderState start(std::int64_t rows) { return decoder->start({}, rows); }
  // ids int64 [N, Tnew], the words from position state.length on -> log p of the word after them [N, V].
  torch::Tensor step(const torch::Tensor& ids, DecoderState& state);

  [[nodiscard]] const TransformerLanguageModelOptions& options() const noexcept { return options_; }

  AdaptiveVocabulary vocabulary{nullptr};
  TransformerDecoder decoder{nullptr};

 private:
  torch::Tensor embed(const torch::Tensor& ids, std::int64_t offset);
  TransformerLanguageModelOptions options_;
};
TORCH_MODULE(TransformerLanguageModel);

}  // namespace kgwalk::seq2seq
