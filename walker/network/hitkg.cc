#include "walker/network/hitkg.h"

#include <torch/nn/modules/dropout.h>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::walker {

using seq2seq::AttentionTrace;
using torch::Tensor;

namespace {

constexpr std::int64_t kPrefix = 3;  // cls, goal, bop

}  // namespace

struct HitkgImpl::State : WalkState {
  seq2seq::DecoderState decoder;
  Tensor words;  // [B, D] or undefined
};

HitkgImpl::HitkgImpl(const WalkerConfig& config, const MetaPathTables& tables, const InputSizes& sizes)
    : config_(config), tables_(tables), sources_(*this, config, tables, sizes) {
  const int width = config.decoder.width;
  cls = register_parameter("cls", torch::randn({width}) * 0.02);
  decoder_positions = register_module(
      "decoder_positions", seq2seq::PositionEmbedding(seq2seq::PositionOptions{
                               .kind = "learned", .width = width, .max_length = kPrefix + kMaxHops}));
  const int below = config.decoder.hi_memory.history > 0 ? config.encoder.layers : 0;
  decoder =
      register_module("decoder", seq2seq::TransformerDecoder(config.decoder, std::vector<int>{below, below}));
  if (config.goal_visible)
    goal_in = register_module("goal_in", seq2seq::Linear(tables_->entity_width(), width));
  if (config.length_head)
    length_head = register_module("length_head", seq2seq::Linear(width, config.max_hops));
  if (config.text.word_width > 0) {
    words = register_module("words", WordBags(sizes.num_words, config.text));
    words_in = register_module("words_in", seq2seq::Linear(words->width(), width));
  }
  dropout = register_module("dropout", torch::nn::Dropout(config.decoder.dropout));
}

// S_a = [cls; goal; bop] of Eq. 5.4, with positions. In stage 1 the goal's place is empty and masked.
Tensor HitkgImpl::decoder_prefix(const WalkInputs& inputs) {
  const std::int64_t batch = inputs.size(), width = cls.size(0);
  const Tensor first = cls.view({1, 1, width}).expand({batch, 1, width});
  const Tensor goal = config_.goal_visible ? goal_in(tables_->entity_vectors(inputs.goals)).unsqueeze(1)
                                           : torch::zeros({batch, 1, width}, cls.options());
  const Tensor start = inputs.starts.unsqueeze(1);  // [B, 1]
  const MetaPathIds bop{torch::full_like(start, tables_->bop()), start, start};
  const Tensor sequence = torch::cat({first, goal, sources_.metapaths(bop)}, 1);  // [B, 3, D]
  return dropout(decoder_positions(sequence));
}

// Which of the first three positions may be attended to: not a goal that is hidden or not there.
Tensor HitkgImpl::prefix_keep(const WalkInputs& inputs) {
  Tensor keep = torch::ones({inputs.size(), kPrefix}, torch::dtype(torch::kBool).device(cls.device()));
  if (config_.goal_visible) {
    keep.select(1, 1).copy_(inputs.goals != tables_->num_entities());
  } else {
    keep.select(1, 1).fill_(false);
  }
  return keep;
}

Tensor HitkgImpl::hop_inputs(const MetaPathIds& hops, std::int64_t first_position) {
  return dropout(decoder_positions(sources_.metapaths(hops), first_position));
}

Tensor HitkgImpl::length_logits(const Tensor& cls_state) {
  return length_head ? length_head(cls_state) : Tensor();  // Eq. 5.6
}

Tensor HitkgImpl::word_states(const WalkInputs& inputs) {
  return words ? torch::tanh(words_in(dropout(words(inputs)))) : Tensor();
}

Decoded HitkgImpl::teach(const WalkInputs& inputs, const MetaPathIds& hops) {
  const SourceMemories memories = sources_.encode(inputs);
  Tensor sequence = decoder_prefix(inputs);  // [B, 3, D]
  if (hops.relations.size(1) > 0)
    sequence = torch::cat({sequence, hop_inputs(hops, kPrefix)}, 1);  // [B, 3 + h, D]
  seq2seq::AttentionMasks masks;
  masks.causal = true;
  masks.key_keep = torch::cat({prefix_keep(inputs), torch::ones({inputs.size(), hops.relations.size(1)},
                                                                inputs.history_keep.options())},
                              1);
  AttentionTrace trace;
  const bool traces = config_.decoder.hi_memory.history > 0;
  Tensor out = decoder(sequence, memories.ordered(config_.dialogue_first, traces), masks, &trace);
  Tensor states = out.slice(1, kPrefix - 1);  // [B, 1 + h, D]
  if (const Tensor heard = word_states(inputs); heard.defined()) states = states + heard.unsqueeze(1);
  return {states, length_logits(out.select(1, 0))};
}

std::unique_ptr<WalkState> HitkgImpl::start(const WalkInputs& inputs) {
  const SourceMemories memories = sources_.encode(inputs);
  auto state = std::make_unique<State>();
  const bool traces = config_.decoder.hi_memory.history > 0;
  state->decoder = decoder->start(memories.ordered(config_.dialogue_first, traces));
  const Tensor out = decoder->step(decoder_prefix(inputs), state->decoder, prefix_keep(inputs));  // [B, 3, D]
  state->words = word_states(inputs);
  state->first = out.select(1, kPrefix - 1);
  if (state->words.defined()) state->first = state->first + state->words;
  state->lengths = length_logits(out.select(1, 0));
  return state;
}

Tensor HitkgImpl::extend(const WalkState& start, const MetaPathIds& hops, const Tensor& owners) {
  const auto& state = static_cast<const State&>(start);
  seq2seq::DecoderState decoding = state.decoder;
  decoding.reorder(owners);
  const Tensor out = decoder->step(hop_inputs(hops, kPrefix), decoding);  // [N, h, D]
  const Tensor last = out.select(1, out.size(1) - 1);
  return state.words.defined() ? last + state.words.index_select(0, owners) : last;
}

}  // namespace kgwalk::walker
