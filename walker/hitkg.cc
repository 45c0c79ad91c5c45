#include "walker/hitkg.h"

#include "runtime/error.h"

namespace kgwalk::walker {

using seq2seq::AttentionTrace;
using seq2seq::Memory;
using torch::Tensor;

namespace {

constexpr std::int64_t kPrefix = 3;  // cls, goal, bop

seq2seq::PositionOptions learnt(int width, int length) {
  return {.kind = "learnt", .width = width, .max_length = length};
}

}  // namespace

// Outputs of the two encoders; traces serve the decoder's hi-attention.
struct HitkgImpl::Memories {
  Tensor dialogue;  // [B, Tt, D]
  Tensor path;      // [B, Tp, D]
  AttentionTrace dialogue_trace, path_trace;

  // In the order of attention: path history first (Eq. 5.5), the dialogue first for DK.
  [[nodiscard]] std::vector<Memory> ordered(const WalkInputs& inputs, bool dialogue_first,
                                            bool traces) const {
    Memory d{dialogue, inputs.text_keep, traces ? &dialogue_trace : nullptr};
    Memory p{path, inputs.history_keep, traces ? &path_trace : nullptr};
    return dialogue_first ? std::vector<Memory>{d, p} : std::vector<Memory>{p, d};
  }
};

struct HitkgImpl::State : WalkState {
  seq2seq::DecoderState decoder;
  Tensor words;  // [B, D] or undefined
};

HitkgImpl::HitkgImpl(const WalkerConfig& config, const MetaPathTables& tables, const InputSizes& sizes)
    : config_(config), tables_(tables) {
  const int width = config.decoder.width;
  text_in = register_module("text_in", seq2seq::Linear(sizes.text_width, width));
  metapath_in = register_module("metapath_in", seq2seq::Linear(tables_->width(), width));
  cls = register_parameter("cls", torch::randn({width}) * 0.02);
  text_positions = register_module(
      "text_positions", seq2seq::PositionEmbedding(learnt(width, static_cast<int>(sizes.text_positions))));
  history_positions = register_module("history_positions",
                                      seq2seq::PositionEmbedding(learnt(width, config.max_path_history + 1)));
  decoder_positions =
      register_module("decoder_positions", seq2seq::PositionEmbedding(learnt(width, kPrefix + kMaxHops)));
  dialogue_encoder = register_module("dialogue_encoder", seq2seq::TransformerEncoder(config.encoder));
  path_encoder = register_module("path_encoder", seq2seq::TransformerEncoder(config.encoder));
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

// Text states plus learnt positions (thesis: e_d^pos). [usr1] and [usr2] stand in the text, in front of each
// message.
Tensor HitkgImpl::dialogue_inputs(const WalkInputs& inputs) {
  return dropout(text_positions(text_in(inputs.text)));
}

HitkgImpl::Memories HitkgImpl::encode(const WalkInputs& inputs) {
  Memories m;
  m.dialogue =
      dialogue_encoder(dialogue_inputs(inputs), inputs.text_keep, &m.dialogue_trace);  // E_dial, Eq. 5.3
  const Tensor path = dropout(history_positions(metapath_in(tables_->vectors(inputs.history))));
  m.path = path_encoder(path, inputs.history_keep, &m.path_trace);  // E_kg
  return m;
}

// S_a = [cls; goal; bop] of Eq. 5.4, with positions. In stage 1 the goal's place is empty and masked.
Tensor HitkgImpl::decoder_prefix(const WalkInputs& inputs) {
  const std::int64_t batch = inputs.size(), width = cls.size(0);
  const Tensor first = cls.view({1, 1, width}).expand({batch, 1, width});
  const Tensor goal = config_.goal_visible ? goal_in(tables_->entity_vectors(inputs.goals)).unsqueeze(1)
                                           : torch::zeros({batch, 1, width}, cls.options());
  const Tensor start = inputs.starts.unsqueeze(1);  // [B, 1]
  const MetaPathIds bop{torch::full_like(start, tables_->bop()), start, start};
  const Tensor sequence = torch::cat({first, goal, metapath_in(tables_->vectors(bop))}, 1);  // [B, 3, D]
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
  return dropout(decoder_positions(metapath_in(tables_->vectors(hops)), first_position));
}

Tensor HitkgImpl::length_logits(const Tensor& cls_state) {
  return length_head ? length_head(cls_state) : Tensor();  // Eq. 5.6
}

Tensor HitkgImpl::word_states(const WalkInputs& inputs) {
  return words ? torch::tanh(words_in(dropout(words(inputs)))) : Tensor();
}

Decoded HitkgImpl::teach(const WalkInputs& inputs, const MetaPathIds& hops) {
  const Memories memories = encode(inputs);
  const Tensor sequence =
      torch::cat({decoder_prefix(inputs), hop_inputs(hops, kPrefix)}, 1);  // [B, 3 + h, D]
  seq2seq::AttentionMasks masks;
  masks.causal = true;
  masks.key_keep = torch::cat({prefix_keep(inputs), torch::ones({inputs.size(), hops.relations.size(1)},
                                                                inputs.history_keep.options())},
                              1);
  AttentionTrace trace;
  const bool traces = config_.decoder.hi_memory.history > 0;
  Tensor out = decoder(sequence, memories.ordered(inputs, config_.dialogue_first, traces), masks, &trace);
  Tensor states = out.slice(1, kPrefix - 1);  // [B, 1 + h, D]
  if (const Tensor heard = word_states(inputs); heard.defined()) states = states + heard.unsqueeze(1);
  return {states, length_logits(out.select(1, 0))};
}

std::unique_ptr<WalkState> HitkgImpl::start(const WalkInputs& inputs) {
  const Memories memories = encode(inputs);
  auto state = std::make_unique<State>();
  const bool traces = config_.decoder.hi_memory.history > 0;
  state->decoder = decoder->start(memories.ordered(inputs, config_.dialogue_first, traces));
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
