// A speech recognizer: convolutional subsampling, an encoder of the shared layers (Transformer or Conformer
// blocks with all their options), a CTC output, and a decoder unless CTC stands alone. Joint training as
// Watanabe et al., IEEE JSTSP 2017: loss = w CTC + (1 - w) attention.
//
// Shapes: B utterances, T frames, F values a frame, T' frames after subsampling, D width, V units, N rows.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "seq2seq/layers/encoder.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/models/subsampling.h"

namespace kgwalk::seq2seq {

// Unit 0 is the blank of CTC (and padding), as in the vocabularies of the tasks.
inline constexpr int kBlankUnit = 0;

struct CtcAttentionOptions {
  SubsamplingOptions subsampling;
  StackOptions encoder;
  StackOptions decoder;  // layers 0 = CTC alone
  Choice<AddedPositions> positions =
      AddedPositions::kSinusoidal;  // added to the encoder's input; "none" with relative positions
  double ctc_weight = 0.3;
  // Streaming: a frame sees its own chunk of so many frames (after subsampling) and `left_chunks` before it.
  int chunk = 0;        // 0 = the whole utterance
  int left_chunks = 0;  // 0 = all
  template <class F>
  void fields(F& f) {
    f("subsampling", subsampling, "Convolutions before the encoder.");
    f("encoder", encoder, "Layers over frames.");
    f("decoder", decoder, "Layers over units; layers 0 = CTC alone.");
    f("positions", positions, "Positions added to frames; none where the attention is relative.");
    f("ctc_weight", ctc_weight, "Share of the CTC loss in the training loss.").range(0, 1);
    f("chunk", chunk, "Number of frames of a chunk that see one another (streaming); 0 means that all do.")
        .range(0, 100000);
    f("left_chunks", left_chunks, "Number of chunks before its own that a frame sees; 0 means all.")
        .range(0, 100000);
  }
  void check(Problems& problems) const;
  [[nodiscard]] bool attends() const { return decoder.layers > 0; }
  // Frames of the features that must have been heard before the text of a frame is settled; -1 = all.
  [[nodiscard]] int latency_frames() const;
};

struct EncodedSpeech {
  torch::Tensor states;   // [B, T', D]
  torch::Tensor keep;     // bool [B, T'], undefined when all are equally long
  torch::Tensor lengths;  // int64 [B], in frames after subsampling
  AttentionTrace trace;
  bool traced = false;
  [[nodiscard]] Memory memory() const { return {states, keep, traced ? &trace : nullptr}; }
};

// What an utterance should become.
struct SpeechTargets {
  torch::Tensor units;    // int64 [sum of lengths], all utterances behind one another, without ends
  torch::Tensor lengths;  // int64 [B]
  Teaching teaching;      // with ends; unused by CTC alone
};

struct CtcAttentionLoss {
  torch::Tensor loss;             // scalar: the weighted sum over the batch
  double ctc = 0, attention = 0;  // sums of -log p
};

// Not thread-safe in training; evaluation under torch::NoGradGuard is.
class CtcAttentionImpl : public torch::nn::Module {
 public:
  // `width` values a frame in `groups` equal groups (1 + orders of differences). ConfigError when options
  // do not fit.
  CtcAttentionImpl(const CtcAttentionOptions& options, std::int64_t width, std::int64_t groups,
                   std::int64_t units);

  // x float [B, T, F], not normalized; lengths int64 [B] (frames of each utterance, at least 1).
  EncodedSpeech encode(const torch::Tensor& x, const torch::Tensor& lengths);
  // log p of CTC [B, T', V].
  torch::Tensor frame_scores(const EncodedSpeech& speech);
  // Smoothing is of the attention's targets. Infinite where an utterance has too few frames for its units.
  CtcAttentionLoss loss(const EncodedSpeech& speech, const SpeechTargets& targets, double smoothing);

  DecoderState start(const EncodedSpeech& speech) { return decoder->start({speech.memory()}); }
  // ids int64 [N], the units at position state.length -> scores of the next unit [N, V], not normalized.
  torch::Tensor step(const torch::Tensor& ids, DecoderState& state);
  // Teacher forcing: states [B, U, D] of the decoder.
  torch::Tensor teach(const EncodedSpeech& speech, const torch::Tensor& previous, const torch::Tensor& keep);

  [[nodiscard]] const CtcAttentionOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::int64_t units() const { return ctc->weight.size(0); }
  void set_normalization(const torch::Tensor& mean, const torch::Tensor& deviation);  // [F] each

  // Registered names: the checkpoint format (docs/reference/formats/speech.md).
  torch::Tensor mean, deviation;  // buffers [F]: x becomes (x - mean) / deviation
  Subsampling subsampling{nullptr};
  TransformerEncoder encoder{nullptr};
  Linear ctc{nullptr};     // [V, D]
  Linear output{nullptr};  // [V, D], the table of the decoder's inputs too
  TransformerDecoder decoder{nullptr};

 private:
  torch::Tensor embed(const torch::Tensor& ids, std::int64_t offset);
  torch::Tensor chunk_mask(std::int64_t frames) const;

  CtcAttentionOptions options_;
};
TORCH_MODULE(CtcAttention);

}  // namespace kgwalk::seq2seq
