#include "seq2seq/models/ctc_attention.h"

#include <cmath>

#include "kgwalk/error.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/kernels/projection_loss.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

void CtcAttentionOptions::check(Problems& problems) const {
  if (attends() && encoder.width != decoder.width)
    problems.add("decoder.width", "is " + std::to_string(decoder.width) + ", the encoder's is " +
                                      std::to_string(encoder.width) + "; they must be equal");
  if (!attends() && ctc_weight != 1) problems.add("ctc_weight", "must be 1 without a decoder");
  if (attends() && ctc_weight == 1) problems.add("ctc_weight", "leaves the decoder untrained at 1");
  if (decoder.group_layers > 0) problems.add("decoder.group_layers", "is not for recognizers");
  if (decoder.hi_memory.history > 0 &&
      (encoder.heads != decoder.heads || encoder.self_attention().d() != decoder.memory_attention(true).d()))
    problems.add("decoder.hi_memory", "needs encoder and decoder with equal heads");
  if (chunk > 0 && encoder.tasa.active())
    problems.add("chunk", "TASA's kernel would see what the chunks hide; choose one of both");
  if (chunk > 0 && encoder.conformer.kernel > 0 && !encoder.conformer.causal)
    problems.add("chunk", "needs encoder.conformer.causal: the convolution must not see later chunks");
  if (chunk == 0 && left_chunks > 0) problems.add("left_chunks", "is for streaming; set chunk");
}

int CtcAttentionOptions::latency_frames() const {
  return chunk == 0 ? -1 : chunk * subsampling.factor + subsampling.look_ahead();
}

CtcAttentionImpl::CtcAttentionImpl(const CtcAttentionOptions& options, std::int64_t width,
                                   std::int64_t groups, std::int64_t units)
    : options_(options) {
  validate(options, "recognizer");
  const int d = options.encoder.width;
  mean = register_buffer("mean", torch::zeros({width}));
  deviation = register_buffer("deviation", torch::ones({width}));
  subsampling = register_module("subsampling", Subsampling(options.subsampling, width, groups, d));
  encoder = register_module("encoder", TransformerEncoder(options.encoder));
  ctc = register_module("ctc", Linear(d, units));
  if (!options.attends()) return;
  output = register_module("output", Linear(d, units));
  torch::nn::init::normal_(output->weight, 0, 1 / std::sqrt(static_cast<double>(d)));
  const int reached = options.decoder.hi_memory.history > 0 ? options.encoder.layers : 0;
  decoder = register_module("decoder", TransformerDecoder(options.decoder, std::vector<int>{reached}));
}

void CtcAttentionImpl::set_normalization(const Tensor& new_mean, const Tensor& new_deviation) {
  if (new_mean.sizes() != mean.sizes() || new_deviation.sizes() != deviation.sizes())
    throw ShapeError("normalization of other features than the recognizer's");
  mean.copy_(new_mean);
  deviation.copy_(new_deviation);
}

// bool [1, T', T']: whether frame i (row) sees frame j.
Tensor CtcAttentionImpl::chunk_mask(std::int64_t frames) const {
  const Tensor chunk = torch::floor_divide(torch::arange(frames), options_.chunk);
  const Tensor row = chunk.unsqueeze(1), column = chunk.unsqueeze(0);
  Tensor keep = column <= row;
  if (options_.left_chunks > 0) keep = keep.logical_and(column >= row - options_.left_chunks);
  return keep.unsqueeze(0);
}

EncodedSpeech CtcAttentionImpl::encode(const Tensor& given, const Tensor& lengths) {
  const Tensor x = on(mean.device(), given);
  if (x.dim() != 3 || x.size(2) != mean.size(0))
    throw ShapeError("recognizer: features must be [utterances, frames, " + std::to_string(mean.size(0)) +
                     "]");
  EncodedSpeech speech;
  speech.traced = options_.attends() && options_.decoder.hi_memory.history > 0;
  speech.lengths = subsampling->lengths_after(lengths);
  const std::int64_t width = options_.encoder.width;
  Tensor y = subsampling((x - mean) / deviation, lengths) * std::sqrt(static_cast<double>(width));
  const std::int64_t frames = y.size(1);
  if (!(speech.lengths == frames).all().item<bool>())
    speech.keep = on(x.device(), torch::arange(frames).unsqueeze(0) < speech.lengths.unsqueeze(1));
  if (options_.positions == AddedPositions::kSinusoidal)
    y = y + sinusoidal_positions(frames, width).to(y.options()).unsqueeze(0);
  if (const double p = is_training() ? options_.encoder.dropout : 0; p > 0) y = dropout_add(y, {}, p);
  AttentionMasks masks;
  masks.key_keep = speech.keep;
  if (options_.chunk > 0) masks.keep = on(x.device(), chunk_mask(frames));
  speech.states = encoder->forward_masked(y, masks, speech.traced ? &speech.trace : nullptr);
  return speech;
}

Tensor CtcAttentionImpl::frame_scores(const EncodedSpeech& speech) {
  return torch::log_softmax(ctc(speech.states), 2);
}

Tensor CtcAttentionImpl::embed(const Tensor& ids, std::int64_t offset) {
  const std::int64_t width = options_.decoder.width;
  Tensor x = torch::embedding(output->weight, on(output->weight.device(), ids)) *
             std::sqrt(static_cast<double>(width));  // [N, U, D]
  x = x + sinusoidal_positions(ids.size(1), width, offset).to(x.options()).unsqueeze(0);
  const double p = is_training() ? options_.decoder.dropout : 0;
  return p > 0 ? dropout_add(x, {}, p) : x;
}

Tensor CtcAttentionImpl::teach(const EncodedSpeech& speech, const Tensor& previous, const Tensor& keep) {
  AttentionMasks masks;
  masks.key_keep = on(mean.device(), keep);
  masks.causal = true;
  return decoder->forward(embed(previous, 0), {speech.memory()}, masks);
}

CtcAttentionLoss CtcAttentionImpl::loss(const EncodedSpeech& speech, const SpeechTargets& targets,
                                        double smoothing) {
  CtcAttentionLoss result;
  const Tensor ctc_loss =
      torch::ctc_loss(frame_scores(speech).transpose(0, 1), on(mean.device(), targets.units), speech.lengths,
                      targets.lengths, kBlankUnit, at::Reduction::Sum);
  result.ctc = ctc_loss.item<double>();
  result.loss = options_.ctc_weight * ctc_loss;
  if (!options_.attends()) return result;
  const Teaching teaching = targets.teaching.to(mean.device());
  Tensor states = teach(speech, teaching.previous, teaching.keep).flatten(0, 1);  // [B U, D]
  if (teaching.keep.defined()) states = states.index_select(0, teaching.rows);
  const ProjectionLoss attention =
      projection_loss(states, output->weight, output->bias, teaching.gold, smoothing);
  result.attention = attention.nll;
  result.loss = result.loss + (1 - options_.ctc_weight) * attention.loss;
  return result;
}

Tensor CtcAttentionImpl::step(const Tensor& ids, DecoderState& state) {
  return output(decoder->step(embed(ids.unsqueeze(1), state.length), state)).select(1, 0);
}

}  // namespace kgwalk::seq2seq
