// The recurrent walker, a baseline: one LSTM reads the text states, one the path history, and a third,
// started from their last states, walks. No attention; candidates and scoring as for HiTKG (Seq2Seq of
// thesis table 5.1).
#pragma once

#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/rnn.h>

#include "runtime/tensor/torch.h"
#include "walker/network/network.h"

namespace kgwalk::walker {

class LstmWalkerImpl : public WalkNetworkImpl {
 public:
  LstmWalkerImpl(const WalkerConfig& config, const MetaPathTables& tables, const InputSizes& sizes);

  Decoded teach(const WalkInputs& inputs, const MetaPathIds& hops) override;
  std::unique_ptr<WalkState> start(const WalkInputs& inputs) override;
  torch::Tensor extend(const WalkState& state, const MetaPathIds& hops, const torch::Tensor& owners) override;
  [[nodiscard]] std::int64_t state_width() const override { return config_.decoder.width; }

 private:
  struct State;
  torch::Tensor initial(const WalkInputs& inputs);  // hidden state and cell of the decoder, [1, B, D]
  torch::Tensor length_logits(const torch::Tensor& hidden);
  // x [B, T, .] with `keep` [B, T] (kept positions come first) -> last kept hidden state [B, D].
  torch::Tensor last_state(torch::nn::LSTM& lstm, const torch::Tensor& x, const torch::Tensor& keep);

  WalkerConfig config_;
  MetaPathTables tables_;
  seq2seq::Linear text_in{nullptr}, metapath_in{nullptr}, initial_in{nullptr}, length_head{nullptr};
  torch::nn::LSTM text_lstm{nullptr}, path_lstm{nullptr}, decoder{nullptr};
  torch::nn::Dropout dropout{nullptr};
};
TORCH_MODULE(LstmWalker);

}  // namespace kgwalk::walker
