// HiTKG (thesis chapter 5): E_dial over frozen text states, E_kg over the MetaPath history, and the
// Hierarchical Attention based Graph Decoder (HAGD) over [cls; goal; bop; path so far] with the Output-level
// Length Head (OLH) on cls.
#pragma once

#include <torch/nn/modules/dropout.h>

#include "runtime/tensor/torch.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/embedding.h"
#include "walker/network/network.h"
#include "walker/network/source_encoders.h"

namespace kgwalk::walker {

class HitkgImpl : public WalkNetworkImpl {
 public:
  HitkgImpl(const WalkerConfig& config, const MetaPathTables& tables, const InputSizes& sizes);

  Decoded teach(const WalkInputs& inputs, const MetaPathIds& hops) override;
  std::unique_ptr<WalkState> start(const WalkInputs& inputs) override;
  torch::Tensor extend(const WalkState& state, const MetaPathIds& hops, const torch::Tensor& owners) override;
  [[nodiscard]] std::int64_t state_width() const override { return config_.decoder.width; }

 private:
  struct State;
  torch::Tensor decoder_prefix(const WalkInputs& inputs);  // [B, 3, D]: cls, goal, bop
  torch::Tensor prefix_keep(const WalkInputs& inputs);     // bool [B, 3]
  torch::Tensor hop_inputs(const MetaPathIds& hops, std::int64_t first_position);  // [N, h, D]
  torch::Tensor length_logits(const torch::Tensor& cls);
  torch::Tensor word_states(const WalkInputs& inputs);  // [B, D] or undefined

  WalkerConfig config_;
  MetaPathTables tables_;
  SourceEncoders sources_;
  seq2seq::Linear goal_in{nullptr};
  torch::Tensor cls;  // [D]
  seq2seq::PositionEmbedding decoder_positions{nullptr};
  seq2seq::TransformerDecoder decoder{nullptr};
  seq2seq::Linear length_head{nullptr};
  WordBags words{nullptr};
  seq2seq::Linear words_in{nullptr};
  torch::nn::Dropout dropout{nullptr};
};
TORCH_MODULE(Hitkg);

}  // namespace kgwalk::walker
