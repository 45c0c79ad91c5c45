// The encoder-decoder of translation and of summaries: one table of pieces for source, target and output, an
// encoder and a decoder of the shared layers with all their options.
//
// Shapes: B sentences, N rows (beams), Ts source pieces, T target pieces, D width, V pieces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/kernels/projection_loss.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "seq2seq/layers/encoder.h"
#include "seq2seq/layers/fusion.h"

namespace kgwalk::seq2seq {

struct EncoderDecoderOptions {
  StackOptions encoder;
  StackOptions decoder;
  Choice<PositionKind> positions = PositionKind::kSinusoidal;
  int max_length = 256;               // longest source and target in pieces
  bool scale_embeddings = true;       // by the root of the width
  bool normalize_embeddings = false;  // layer normalization after positions are added
  bool output_bias = false;
  template <class F>
  void fields(F& f) {
    f("encoder", encoder, "Reads the source.");
    f("decoder", decoder, "Writes the target.");
    f("positions", positions, "Positions come from a learned table or from sines.");
    f("max_length", max_length, "Longest source and target, in pieces.").range(2, 1 << 20);
    f("scale_embeddings", scale_embeddings, "Embeddings are multiplied by the root of the width.");
    f("normalize_embeddings", normalize_embeddings, "Embedded pieces, positions added, are normalized.")
        .formerly("normalise_embeddings");
    f("output_bias", output_bias, "The output projection has a bias.");
  }
  void check(Problems& problems) const;  // encoder and decoder are equally wide
};

// An encoded source: owns the trace that the decoder's hi-attention reads.
struct EncodedSource {
  torch::Tensor states;  // [B, Ts, D]
  torch::Tensor keep;    // bool [B, Ts]
  AttentionTrace trace;
  bool traced = false;
  [[nodiscard]] Memory memory() const { return {states, keep, traced ? &trace : nullptr}; }
};

// What teacher forcing reads and should say. R kept positions of the B T ones.
struct Teaching {
  torch::Tensor previous;  // int64 [B, T]: the start piece, then the target without its end
  torch::Tensor keep;      // bool [B, T]; undefined = all
  torch::Tensor rows;      // int64 [R]: places of the kept positions in [B T]
  torch::Tensor gold;      // int64 [R]
  [[nodiscard]] Teaching to(torch::Device device) const {
    return {on(device, previous), on(device, keep), on(device, rows), on(device, gold)};
  }
};

// Ids and masks may lie on the processor and are moved to the weights. Not thread-safe in training;
// evaluation under torch::NoGradGuard is. With decoder.group_layers (GTRANS) the decoder gives the states of
// its G groups, and words come from their mixture.
class EncoderDecoderImpl : public torch::nn::Module {
 public:
  // ConfigError when the options do not fit each other.
  EncoderDecoderImpl(const EncoderDecoderOptions& options, std::int64_t vocabulary);

  // ids int64 [B, Ts], anything where keep is false. added [B, Ts, D] joins the embeddings; undefined = none.
  EncodedSource encode(const torch::Tensor& ids, const torch::Tensor& keep, const torch::Tensor& added = {});
  // Teacher forcing: states [B, T, D], or [G, B, T, D] with groups, causal. keep bool [B, T] or undefined.
  torch::Tensor teach(const EncodedSource& source, const torch::Tensor& previous, const torch::Tensor& keep);
  // Sum over kept positions of the smoothed cross-entropy; with groups the weighted sum over them (Eq. 7).
  ProjectionLoss loss(const EncodedSource& source, const Teaching& teaching, double smoothing);
  // The same when the rows of source and teaching are a batch twice, one behind the other, each with dropout
  // of its own (R-Drop): paired_projection_loss(). ConfigError with groups.
  ProjectionLoss paired_loss(const EncodedSource& source, const Teaching& teaching, double smoothing,
                             double consistency);
  // Sum over kept positions of -log p(gold); with groups p is the mixture's (Eq. 5).
  double negative_log_prob(const EncodedSource& source, const Teaching& teaching);
  // Scores of the next piece, equal to log-probabilities but for a constant a position:
  // teach()'s states [..., T, D] -> [..., T, V] without the dimension of groups.
  torch::Tensor scores(const torch::Tensor& states);

  // Incremental: ids int64 [N], the pieces at position state.length -> scores of the next piece [N, V].
  DecoderState start(const EncodedSource& source) { return decoder->start({source.memory()}); }
  torch::Tensor step(const torch::Tensor& ids, DecoderState& state);
  // What step() gives to scores(): [N, 1, D], with groups [G, N, 1, D].
  torch::Tensor step_states(const torch::Tensor& ids, DecoderState& state);

  // From now on only these groups of decoder layers (ascending, from 0) speak, and the layers above the last
  // of them are not run (GTRANS, section 3.4). ConfigError without groups. Not thread-safe.
  void keep_groups(const std::vector<int>& kept);

  [[nodiscard]] const EncoderDecoderOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::int64_t vocabulary() const { return output->weight.size(0); }

  // Registered names: the checkpoint format (docs/reference/formats/seq2seq_tasks.md).
  Linear output{nullptr};  // weight [V, D] is the table of input embeddings too
  PositionEmbedding source_positions{nullptr}, target_positions{nullptr};
  LayerNorm source_norm{nullptr}, target_norm{nullptr};  // with normalize_embeddings
  TransformerEncoder encoder{nullptr};
  TransformerDecoder decoder{nullptr};
  GroupMixture mixture{nullptr};  // with groups

 private:
  torch::Tensor embed(const torch::Tensor& ids, PositionEmbedding& positions, LayerNorm& norm,
                      std::int64_t offset, const torch::Tensor& added = {});  // [B, T] -> [B, T, D]
  // States of the kept positions: [G or 1, R, D].
  torch::Tensor kept_states(const EncodedSource& source, const Teaching& teaching);

  EncoderDecoderOptions options_;
};
TORCH_MODULE(EncoderDecoder);

// Number of trained values, of the embedding table apart.
struct ParameterCount {
  std::int64_t all = 0, embeddings = 0;
};
[[nodiscard]] ParameterCount count_parameters(const EncoderDecoderImpl& model);
// Counts the weights of a model that holds an encoder-decoder.
[[nodiscard]] ParameterCount count_parameters(const torch::nn::Module& whole, const EncoderDecoderImpl& part);

}  // namespace kgwalk::seq2seq
