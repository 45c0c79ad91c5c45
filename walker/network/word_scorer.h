// The small scorer, a baseline: tanh of a map of the mean word vectors of the last utterances and of the
// previous relations. No encoder, no attention (data README's scorer when features are on).
#pragma once

#include <torch/nn/modules/dropout.h>

#include "runtime/tensor/torch.h"
#include "walker/network/network.h"

namespace kgwalk::walker {

class WordScorerImpl : public WalkNetworkImpl {
 public:
  WordScorerImpl(const WalkerConfig& config, const MetaPathTables& tables, const InputSizes& sizes);

  Decoded teach(const WalkInputs& inputs, const MetaPathIds& hops) override;
  std::unique_ptr<WalkState> start(const WalkInputs& inputs) override;
  torch::Tensor extend(const WalkState& state, const MetaPathIds& hops, const torch::Tensor& owners) override;
  [[nodiscard]] std::int64_t state_width() const override { return config_.decoder.width; }

 private:
  struct State;
  torch::Tensor heard(const WalkInputs& inputs);  // [B, D] before the tanh
  // heard [N, D]; relations int64 [N] of the hop before (bop before the first); -> [N, D]
  torch::Tensor states(const torch::Tensor& heard, const torch::Tensor& relations);

  WalkerConfig config_;
  MetaPathTables tables_;
  WordBags words{nullptr};
  seq2seq::Linear words_in{nullptr}, text_in{nullptr};  // text_in: of the text states' mean, with text.pooled
  torch::Tensor hop_relation, path_relation;            // [R + 2, D]: of the hop before, of the path before
  torch::nn::Dropout dropout{nullptr};
};
TORCH_MODULE(WordScorer);

}  // namespace kgwalk::walker
