#include "walker/network/lstm.h"

#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/rnn.h>

#include "runtime/tensor/torch.h"

namespace kgwalk::walker {

using torch::Tensor;

struct LstmWalkerImpl::State : WalkState {
  Tensor hidden, cell;  // [1, B, D] after bop
};

LstmWalkerImpl::LstmWalkerImpl(const WalkerConfig& config, const MetaPathTables& tables,
                               const InputSizes& sizes)
    : config_(config), tables_(tables) {
  const int width = config.decoder.width;
  const auto options = torch::nn::LSTMOptions(width, width).batch_first(true);
  text_in = register_module("text_in", seq2seq::Linear(sizes.text_width, width));
  metapath_in = register_module("metapath_in", seq2seq::Linear(tables_->width(), width));
  text_lstm = register_module("text_lstm", torch::nn::LSTM(options));
  path_lstm = register_module("path_lstm", torch::nn::LSTM(options));
  decoder = register_module("decoder", torch::nn::LSTM(options));
  initial_in = register_module("initial_in", seq2seq::Linear(2 * width, width));
  if (config.length_head)
    length_head = register_module("length_head", seq2seq::Linear(width, config.max_hops));
  dropout = register_module("dropout", torch::nn::Dropout(config.decoder.dropout));
}

Tensor LstmWalkerImpl::last_state(torch::nn::LSTM& lstm, const Tensor& x, const Tensor& keep) {
  const Tensor out = std::get<0>(lstm(x));  // [B, T, D]
  const Tensor last = (keep.sum(1) - 1).clamp_min(0).view({-1, 1, 1}).expand({-1, 1, out.size(2)});
  return out.gather(1, last).squeeze(1);
}

Tensor LstmWalkerImpl::initial(const WalkInputs& inputs) {
  const Tensor text = last_state(text_lstm, dropout(text_in(inputs.text)), inputs.text_keep);
  const Tensor path =
      last_state(path_lstm, dropout(metapath_in(tables_->vectors(inputs.history))), inputs.history_keep);
  return torch::tanh(initial_in(dropout(torch::cat({text, path}, 1)))).unsqueeze(0);
}

Tensor LstmWalkerImpl::length_logits(const Tensor& hidden) {
  return length_head ? length_head(hidden.squeeze(0)) : Tensor();
}

Decoded LstmWalkerImpl::teach(const WalkInputs& inputs, const MetaPathIds& hops) {
  const Tensor hidden = initial(inputs);
  const Tensor start = inputs.starts.unsqueeze(1);  // [B, 1]
  const MetaPathIds all{torch::cat({torch::full_like(start, tables_->bop()), hops.relations}, 1),
                        torch::cat({start, hops.tails}, 1), torch::cat({start, hops.heads}, 1)};
  const Tensor x = dropout(metapath_in(tables_->vectors(all)));  // [B, 1 + h, D]
  const Tensor out = std::get<0>(decoder(x, std::make_tuple(hidden, torch::zeros_like(hidden))));
  return {dropout(out), length_logits(hidden)};
}

std::unique_ptr<WalkState> LstmWalkerImpl::start(const WalkInputs& inputs) {
  auto state = std::make_unique<State>();
  const Tensor hidden = initial(inputs);
  const Tensor start = inputs.starts.unsqueeze(1);
  const MetaPathIds bop{torch::full_like(start, tables_->bop()), start, start};
  const auto [out, after] =
      decoder(metapath_in(tables_->vectors(bop)), std::make_tuple(hidden, torch::zeros_like(hidden)));
  state->first = out.select(1, 0);
  std::tie(state->hidden, state->cell) = after;
  state->lengths = length_logits(hidden);
  return state;
}

Tensor LstmWalkerImpl::extend(const WalkState& start, const MetaPathIds& hops, const Tensor& owners) {
  const auto& state = static_cast<const State&>(start);
  const auto from = std::make_tuple(state.hidden.index_select(1, owners), state.cell.index_select(1, owners));
  const Tensor out = std::get<0>(decoder(metapath_in(tables_->vectors(hops)), from));  // [N, h, D]
  return out.select(1, out.size(1) - 1);
}

}  // namespace kgwalk::walker
