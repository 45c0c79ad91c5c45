#include "walker/network/word_scorer.h"

#include <torch/nn/modules/dropout.h>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::walker {

using torch::Tensor;

struct WordScorerImpl::State : WalkState {
  Tensor heard;  // [B, D]
};

WordScorerImpl::WordScorerImpl(const WalkerConfig& config, const MetaPathTables& tables,
                               const InputSizes& sizes)
    : config_(config), tables_(tables) {
  const int width = config.decoder.width;
  words = register_module("words", WordBags(sizes.num_words, config.text));
  words_in = register_module("words_in", seq2seq::Linear(words->width(), width));
  if (config.text.pooled) text_in = register_module("text_in", seq2seq::Linear(sizes.text_width, width));
  const std::int64_t rows = tables_->num_relations() + 2;
  hop_relation = register_parameter("hop_relation", torch::randn({rows, width}) * 0.1);
  path_relation = register_parameter("path_relation", torch::randn({rows, width}) * 0.1);
  dropout = register_module("dropout", torch::nn::Dropout(config.decoder.dropout));
}

Tensor WordScorerImpl::heard(const WalkInputs& inputs) {
  // The newest relation of the path history; bop when there is none.
  const Tensor last = (inputs.history_keep.sum(1) - 1).unsqueeze(1);                          // [B, 1]
  const Tensor relation = inputs.history.relations.gather(1, last).squeeze(1);                // [B]
  Tensor heard = words_in(dropout(words(inputs))) + path_relation.index_select(0, relation);  // [B, D]
  if (text_in) {
    const Tensor keep = inputs.text_keep.to(inputs.text.dtype()).unsqueeze(2);   // [B, Tt, 1]
    const Tensor mean = (inputs.text * keep).sum(1) / keep.sum(1).clamp_min(1);  // [B, Dt]
    heard = heard + text_in(dropout(mean));
  }
  return heard;
}

Tensor WordScorerImpl::states(const Tensor& heard_states, const Tensor& relations) {
  return dropout(torch::tanh(heard_states + hop_relation.index_select(0, relations)));
}

Decoded WordScorerImpl::teach(const WalkInputs& inputs, const MetaPathIds& hops) {
  const Tensor before = heard(inputs);
  const Tensor bop = torch::full_like(inputs.starts, tables_->bop());
  std::vector<Tensor> all{states(before, bop)};
  for (std::int64_t h = 0; h < hops.relations.size(1); ++h)
    all.push_back(states(before, hops.relations.select(1, h)));
  return {torch::stack(all, 1), Tensor()};
}

std::unique_ptr<WalkState> WordScorerImpl::start(const WalkInputs& inputs) {
  auto state = std::make_unique<State>();
  state->heard = heard(inputs);
  state->first = states(state->heard, torch::full_like(inputs.starts, tables_->bop()));
  return state;
}

Tensor WordScorerImpl::extend(const WalkState& start, const MetaPathIds& hops, const Tensor& owners) {
  const auto& state = static_cast<const State&>(start);
  return states(state.heard.index_select(0, owners), hops.relations.select(1, hops.relations.size(1) - 1));
}

}  // namespace kgwalk::walker
