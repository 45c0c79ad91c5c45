// An encoder-decoder that can say pieces of its source: the pointer-generator of See, Liu and Manning (ACL
// 2017) on Transformer stacks, for dialogues whose positions know who speaks.
//
// With s_t the decoder's state, h_i the encoder's, V pieces of the vocabulary and one attention head of its
// own over the source:
//   a_t = softmax(q(s_t) k(h_i) / sqrt(D)),  c_t = o(sum_i a_ti v(h_i))
//   p_gen = sigmoid(w [s_t; c_t] + b)                                  (Eq. 8, without the decoder's input)
//   P(w) = p_gen P_vocab(w) + (1 - p_gen) sum of a_ti over the positions i that say w             (Eq. 9)
//   coverage loss = sum_t sum_i min(a_ti, sum of a_t'i over t' < t)                          (Eq. 11, 12)
// P_vocab is the softmax of the decoder's own output, which has seen the source by its cross-attention.
//
// Shapes: B dialogues, N rows (beams), Ts source pieces, T target pieces, D width, V pieces, E pieces of a
// source that are in no vocabulary.
#pragma once

#include <cstdint>

#include "runtime/config.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/models/encoder_decoder.h"

namespace kgwalk::seq2seq {

struct PointerGeneratorOptions {
  EncoderDecoderOptions transformer;
  bool copy = true;
  int speakers = 16;
  template <class F>
  void fields(F& f) {
    f("transformer", transformer, "Encoder and decoder.");
    f("copy", copy, "Pieces of the source can be copied.");
    f("speakers", speakers,
      "Number of speakers that have an embedding, added to what they say; 0 means none.")
        .range(0, 1024);
  }
  void check(Problems& problems) const;  // the decoder has no groups of layers
};

// What is read. Everything int64 [B, Ts].
struct PointedSource {
  torch::Tensor ids;     // pieces, anything where keep is false
  torch::Tensor keep;    // bool; undefined = all
  torch::Tensor copies;  // what a position says when copied: a piece, V + k for the k-th piece of the source
                         // that is in no vocabulary, -1 for nothing. Each row says something somewhere
  torch::Tensor speakers;  // who speaks, 1 .. speakers; 0 = nobody
  std::int64_t extra = 0;  // E, of the row with most
  [[nodiscard]] PointedSource to(torch::Device device) const {
    return {on(device, ids), on(device, keep), on(device, copies), on(device, speakers), extra};
  }
};

struct EncodedPointedSource {
  EncodedSource source;
  ProjectedMemory pointed;  // with copying
  torch::Tensor copies;     // int64 [B, Ts]
  std::int64_t extra = 0;
};

struct PointedState {
  DecoderState decoder;
  const EncodedPointedSource* source = nullptr;  // borrowed
};

struct PointedLoss {
  torch::Tensor loss;     // [], sum over the kept target positions, coverage included
  double nll = 0;         // sum of -log P(gold)
  double coverage = 0;    // sum of the coverage loss, unweighted
  double generating = 0;  // sum of p_gen
};

// Ids and masks may lie on the processor and are moved to the weights. Not thread-safe in training;
// evaluation under torch::NoGradGuard is.
class PointerGeneratorImpl : public torch::nn::Module {
 public:
  // ConfigError when the options do not fit each other. `unknown`: the piece that stands for all others.
  PointerGeneratorImpl(const PointerGeneratorOptions& options, std::int64_t vocabulary, std::int64_t unknown);

  EncodedPointedSource encode(const PointedSource& source);
  // The same from states of the encoder that are there already.
  EncodedPointedSource pointed(EncodedSource encoded, const PointedSource& source);
  // Gold pieces are below V + E. Label smoothing is that of P_vocab (kernels/projection_loss.h); a share of
  // attention below 1e-30 counts as 1e-30. coverage: weight of the coverage loss, 0 = none.
  PointedLoss loss(const EncodedPointedSource& source, const Teaching& teaching, double smoothing,
                   double coverage);
  // The same from the decoder's states [B, T, D].
  PointedLoss loss_of(const torch::Tensor& states, const EncodedPointedSource& source,
                      const Teaching& teaching, double smoothing, double coverage);
  // a [B, T, Ts] in teacher forcing, zero at positions that say nothing. ConfigError without copying.
  torch::Tensor attention(const EncodedPointedSource& source, const Teaching& teaching);

  // Incremental: `source` must outlive the state. ids int64 [N], below V + E -> log P [N, V + E], or without
  // copying scores [N, V] that equal log P but for a constant a row.
  PointedState start(const EncodedPointedSource& source);
  torch::Tensor step(const torch::Tensor& ids, PointedState& state);

  [[nodiscard]] const PointerGeneratorOptions& options() const noexcept { return options_; }

  // Registered names: the checkpoint format (docs/reference/formats/seq2seq_tasks.md).
  EncoderDecoder transformer{nullptr};
  torch::Tensor speakers;               // [speakers + 1, D]; row 0 for nobody
  MultiheadAttention pointer{nullptr};  // with copying, one head of width D
  Linear gate{nullptr};                 // with copying, [1, 2 D]

 private:
  struct Pointing {
    torch::Tensor weights;  // a [N, T, Ts]
    torch::Tensor gate;     // p_gen before the sigmoid, [N, T]
  };
  Pointing point(const torch::Tensor& states, const EncodedPointedSource& source,
                 const std::vector<std::int64_t>* row_offsets = nullptr);
  torch::Tensor known(const torch::Tensor& ids) const;
  torch::Tensor taught_states(const EncodedPointedSource& source, const Teaching& teaching);

  PointerGeneratorOptions options_;
  std::int64_t unknown_;
};
TORCH_MODULE(PointerGenerator);

}  // namespace kgwalk::seq2seq
