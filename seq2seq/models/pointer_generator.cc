#include "seq2seq/models/pointer_generator.h"

#include "kgwalk/error.h"
#include "seq2seq/kernels/projection_loss.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

namespace {

constexpr double kLeastShare = 1e-30;
constexpr double kSpeakerDeviation =
    0.5;  // of the speakers' embeddings at the beginning; those of pieces have 1

// The dialogue of each row: int64 [N].
Tensor owners(const DecoderState& state) {
  const Tensor owner = torch::empty({state.rows()}, torch::kInt64);
  for (std::int64_t b = 0; b < state.examples(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    owner.narrow(0, state.row_offsets[at], state.row_offsets[at + 1] - state.row_offsets[at]).fill_(b);
  }
  return owner;
}

}  // namespace

void PointerGeneratorOptions::check(Problems& problems) const {
  if (transformer.decoder.group_layers > 0)
    problems.add("transformer.decoder.group_layers",
                 "copying mixes one distribution with the source's; groups of decoder layers give several");
}

PointerGeneratorImpl::PointerGeneratorImpl(const PointerGeneratorOptions& options, std::int64_t vocabulary,
                                           std::int64_t unknown)
    : options_(options), unknown_(unknown) {
  validate(options, "model");
  const int width = options.transformer.encoder.width;
  transformer = register_module("transformer", EncoderDecoder(options.transformer, vocabulary));
  if (options.speakers > 0) {
    speakers = register_parameter("speakers", torch::empty({options.speakers + 1, width}));
    torch::nn::init::normal_(speakers, 0, kSpeakerDeviation);
  }
  if (!options.copy) return;
  AttentionOptions attention;
  attention.width = width;
  attention.heads = 1;
  pointer = register_module("pointer", MultiheadAttention(attention, AttentionSite{true, 0}));
  gate = register_module("gate", Linear(2 * width, 1));
}

Tensor PointerGeneratorImpl::known(const Tensor& ids) const {
  return ids.masked_fill(ids >= transformer->vocabulary(), unknown_);
}

EncodedPointedSource PointerGeneratorImpl::encode(const PointedSource& given) {
  const PointedSource source = given.to(transformer->output->weight.device());
  const Tensor said_by = speakers.defined() ? torch::embedding(speakers, source.speakers) : Tensor();
  return pointed(transformer->encode(source.ids, source.keep, said_by), source);
}

EncodedPointedSource PointerGeneratorImpl::pointed(EncodedSource states, const PointedSource& given) {
  const PointedSource source = given.to(states.states.device());
  EncodedPointedSource encoded{std::move(states), {}, source.copies, source.extra};
  if (pointer) {
    const Tensor says = source.copies >= 0;  // [B, Ts]
    encoded.pointed = pointer->project(
        {encoded.source.states, source.keep.defined() ? says.logical_and(source.keep) : says, nullptr});
  }
  return encoded;
}

PointerGeneratorImpl::Pointing PointerGeneratorImpl::point(const Tensor& states,
                                                           const EncodedPointedSource& source,
                                                           const std::vector<std::int64_t>* row_offsets) {
  Tensor weights;
  AttentionCall call;
  call.memory = &source.pointed;
  call.row_offsets = row_offsets;
  call.weights = &weights;
  const Tensor context = pointer->forward(states, call);  // [N, T, D]
  return {weights.reshape({states.size(0), states.size(1), -1}),
          gate(torch::cat({states, context}, 2)).squeeze(2)};
}

Tensor PointerGeneratorImpl::taught_states(const EncodedPointedSource& source, const Teaching& teaching) {
  return transformer->teach(source.source, known(teaching.previous), teaching.keep);  // [B, T, D]
}

Tensor PointerGeneratorImpl::attention(const EncodedPointedSource& source, const Teaching& teaching) {
  if (!pointer) throw ConfigError("a model without copying has no attention of its own over the source");
  return point(taught_states(source, teaching), source).weights;
}

PointedLoss PointerGeneratorImpl::loss(const EncodedPointedSource& source, const Teaching& teaching,
                                       double smoothing, double coverage) {
  return loss_of(taught_states(source, teaching), source, teaching, smoothing, coverage);
}

PointedLoss PointerGeneratorImpl::loss_of(const Tensor& states, const EncodedPointedSource& source,
                                          const Teaching& given, double smoothing, double coverage) {
  const Teaching teaching = given.to(states.device());
  const auto kept = [&](const Tensor& x) {  // [B, T, ...] -> [R, ...]
    const Tensor flat = x.flatten(0, 1);
    return teaching.keep.defined() ? flat.index_select(0, teaching.rows) : flat;
  };
  const Linear& output = transformer->output;
  PointedLoss result;
  if (!pointer) {
    const ProjectionLoss plain =
        projection_loss(kept(states), output->weight, output->bias, known(teaching.gold), smoothing);
    return {plain.loss, plain.nll, 0, static_cast<double>(teaching.gold.size(0))};
  }
  const Pointing pointing = point(states, source);
  Tensor gold = torch::full({states.size(0) * states.size(1)}, -2, teaching.gold.options());
  gold = gold.index_copy(0, teaching.rows, teaching.gold).view({states.size(0), states.size(1), 1});
  const Tensor copied = (pointing.weights * (source.copies.unsqueeze(1) == gold)).sum(2);  // [B, T]
  const Tensor z = kept(pointing.gate);                                                    // [R]
  const GoldMixture mixture{torch::log_sigmoid(z),
                            torch::log_sigmoid(-z) + kept(copied).clamp_min(kLeastShare).log()};
  const ProjectionLoss mixed = projection_loss(
      kept(states), output->weight, output->bias,
      teaching.gold.masked_fill(teaching.gold >= transformer->vocabulary(), -1), smoothing, mixture);
  result.loss = mixed.loss;
  result.nll = mixed.nll;
  result.generating = mixture.log_share.detach().exp().sum().item<double>();
  if (coverage > 0) {
    const Tensor before = pointing.weights.cumsum(1) - pointing.weights;  // [B, T, Ts]
    const Tensor repeated = kept(torch::minimum(pointing.weights, before)).sum();
    result.coverage = repeated.item<double>();
    result.loss = result.loss + coverage * repeated;
  }
  return result;
}

PointedState PointerGeneratorImpl::start(const EncodedPointedSource& source) {
  return {transformer->start(source.source), &source};
}

Tensor PointerGeneratorImpl::step(const Tensor& ids, PointedState& state) {
  const Tensor states = transformer->step_states(known(ids), state.decoder);  // [N, 1, D]
  const Tensor logits = transformer->output(states).select(1, 0);             // [N, V]
  if (!pointer) return logits;
  const Pointing pointing = point(states, *state.source, state.decoder.ragged());
  const std::int64_t rows = logits.size(0), words = logits.size(1);
  Tensor total = torch::zeros({rows, words + state.source->extra}, logits.options());
  total.narrow(1, 0, words).copy_(torch::softmax(logits, 1) * torch::sigmoid(pointing.gate));
  const Tensor copies = state.source->copies.index_select(0, on(logits.device(), owners(state.decoder)))
                            .clamp_min(0);  // [N, Ts]
  total.scatter_add_(1, copies, pointing.weights.select(1, 0) * torch::sigmoid(-pointing.gate));
  return total.log_();
}

}  // namespace kgwalk::seq2seq
