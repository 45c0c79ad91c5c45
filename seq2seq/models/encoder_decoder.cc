#include "seq2seq/models/encoder_decoder.h"

#include <cmath>

#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

void EncoderDecoderOptions::check(Problems& problems) const {
  if (encoder.width != decoder.width)
    problems.add("decoder.width", "is " + std::to_string(decoder.width) + ", the encoder's is " +
                                      std::to_string(encoder.width) + "; they must be equal");
  if (decoder.hi_memory.history > 0 &&
      (encoder.heads != decoder.heads || encoder.self_attention().d() != decoder.memory_attention(true).d()))
    problems.add("decoder.hi_memory", "needs encoder and decoder with equal heads");
}

EncoderDecoderImpl::EncoderDecoderImpl(const EncoderDecoderOptions& options, std::int64_t vocabulary)
    : options_(options) {
  validate(options, "model");
  const int width = options.encoder.width;
  output = register_module("output", Linear(width, vocabulary, options.output_bias));
  torch::nn::init::normal_(output->weight, 0, 1 / std::sqrt(static_cast<double>(width)));
  const PositionOptions positions{
      .kind = options.positions, .width = width, .max_length = options.max_length};
  source_positions = register_module("source_positions", PositionEmbedding(positions));
  target_positions = register_module("target_positions", PositionEmbedding(positions));
  if (options.normalize_embeddings) {
    source_norm = register_module("source_norm", LayerNorm(width, options.encoder.norm_eps));
    target_norm = register_module("target_norm", LayerNorm(width, options.decoder.norm_eps));
  }
  encoder = register_module("encoder", TransformerEncoder(options.encoder));
  const int reached = options.decoder.hi_memory.history > 0 ? options.encoder.layers : 0;
  decoder = register_module("decoder", TransformerDecoder(options.decoder, std::vector<int>{reached}));
  if (options.decoder.groups().active())
    mixture = register_module("mixture", GroupMixture(options.decoder.groups(), width));
}

Tensor EncoderDecoderImpl::embed(const Tensor& ids, PositionEmbedding& positions, LayerNorm& norm,
                                 std::int64_t offset, const Tensor& added) {
  Tensor x = torch::embedding(output->weight, on(output->weight.device(), ids));  // [B, T, D]
  if (options_.scale_embeddings) x = x * std::sqrt(static_cast<double>(options_.encoder.width));
  if (added.defined()) x = x + added;
  x = positions(x, offset);
  if (norm) x = norm(x);
  const double p = is_training() ? options_.encoder.dropout : 0;
  return p > 0 ? dropout_add(x, {}, p) : x;
}

EncodedSource EncoderDecoderImpl::encode(const Tensor& ids, const Tensor& keep, const Tensor& added) {
  EncodedSource source;
  source.keep = on(output->weight.device(), keep);
  source.traced = options_.decoder.hi_memory.history > 0;
  source.states = encoder(embed(ids, source_positions, source_norm, 0, added), source.keep,
                          source.traced ? &source.trace : nullptr);
  return source;
}

Tensor EncoderDecoderImpl::teach(const EncodedSource& source, const Tensor& previous, const Tensor& keep) {
  AttentionMasks masks;
  masks.key_keep = on(output->weight.device(), keep);
  masks.causal = true;
  const Tensor x = embed(previous, target_positions, target_norm, 0);
  const std::vector<Memory> memories{source.memory()};
  return mixture ? decoder->forward_groups(x, memories, masks) : decoder->forward(x, memories, masks);
}

Tensor EncoderDecoderImpl::kept_states(const EncodedSource& source, const Teaching& teaching) {
  Tensor states = teach(source, teaching.previous, teaching.keep);
  if (!mixture) states = states.unsqueeze(0);
  states = states.flatten(1, 2);  // [G, B T, D]
  return teaching.keep.defined() ? states.index_select(1, teaching.rows) : states;
}

ProjectionLoss EncoderDecoderImpl::loss(const EncodedSource& source, const Teaching& given,
                                        double smoothing) {
  const Teaching teaching = given.to(output->weight.device());
  const Tensor states = kept_states(source, teaching);
  if (!mixture) return projection_loss(states[0], output->weight, output->bias, teaching.gold, smoothing);
  const Tensor psi = mixture->weights().detach();
  ProjectionLoss sum;
  std::vector<Tensor> losses;
  for (std::int64_t g = 0; g < states.size(0); ++g) {
    const ProjectionLoss one =
        projection_loss(states[g], output->weight, output->bias, teaching.gold, smoothing);
    losses.push_back(one.loss);
    sum.nll += psi[g].item<double>() * one.nll;
  }
  sum.loss = mixture->loss(torch::stack(losses));
  return sum;
}

ProjectionLoss EncoderDecoderImpl::paired_loss(const EncodedSource& source, const Teaching& given,
                                               double smoothing, double consistency) {
  const Teaching teaching = given.to(output->weight.device());
  if (mixture)
    throw ConfigError("two passes are compared by one distribution each; groups of layers give more");
  const std::int64_t rows = teaching.gold.size(0);
  if (rows % 2 != 0) throw ShapeError("two passes need the same batch twice");
  return paired_projection_loss(kept_states(source, teaching)[0], output->weight, output->bias,
                                teaching.gold.narrow(0, 0, rows / 2), smoothing, consistency);
}

double EncoderDecoderImpl::negative_log_prob(const EncodedSource& source, const Teaching& given) {
  const Teaching teaching = given.to(output->weight.device());
  const Tensor states = kept_states(source, teaching);
  if (!mixture) return projection_loss(states[0], output->weight, output->bias, teaching.gold, 0).nll;
  std::vector<Tensor> log_probs;
  const Tensor log_psi = mixture->weights().log();  // [G]
  for (std::int64_t g = 0; g < states.size(0); ++g)
    log_probs.push_back(gold_log_probs(states[g], output->weight, output->bias, teaching.gold) + log_psi[g]);
  return -torch::logsumexp(torch::stack(log_probs), 0).sum(torch::kFloat64).item<double>();
}

Tensor EncoderDecoderImpl::scores(const Tensor& states) {
  const Tensor logits = output(states);
  return mixture ? mixture->log_probs(logits) : logits;
}

Tensor EncoderDecoderImpl::step_states(const Tensor& ids, DecoderState& state) {
  const Tensor x = embed(ids.unsqueeze(1), target_positions, target_norm, state.length);  // [N, 1, D]
  return mixture ? decoder->step_groups(x, state) : decoder->step(x, state);
}

Tensor EncoderDecoderImpl::step(const Tensor& ids, DecoderState& state) {
  return scores(step_states(ids, state)).select(1, 0);
}

void EncoderDecoderImpl::keep_groups(const std::vector<int>& kept) {
  if (!mixture) throw ConfigError("this model's decoder has no groups of layers; none can be left out");
  decoder->keep_groups(kept);
  mixture->keep_groups(kept);
}

ParameterCount count_parameters(const torch::nn::Module& whole, const EncoderDecoderImpl& part) {
  ParameterCount count;
  for (const Tensor& p : whole.parameters()) count.all += p.numel();
  count.embeddings = part.output->weight.numel();
  return count;
}

ParameterCount count_parameters(const EncoderDecoderImpl& model) { return count_parameters(model, model); }

}  // namespace kgwalk::seq2seq
