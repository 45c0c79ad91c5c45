// A stack of self-attention layers: E_dial and E_kg of the walker (thesis Eq. 5.3), encoders of
// the other models.
#pragma once

#include <vector>

#include "runtime/tensor/torch.h"
#include "seq2seq/attention/attention.h"
#include "seq2seq/layers/convolution.h"
#include "seq2seq/layers/feed_forward.h"
#include "seq2seq/layers/norm.h"
#include "seq2seq/layers/options.h"

namespace kgwalk::seq2seq {

class EncoderLayerImpl : public torch::nn::Module {
 public:
  EncoderLayerImpl(const StackOptions& options, int layers_below);
  // x [B, T, D] -> [B, T, D]
  torch::Tensor forward(const torch::Tensor& x, const AttentionCall& call);

  MultiheadAttention attention{nullptr};
  FeedForward ffn{nullptr};
  LayerNorm attention_norm{nullptr}, ffn_norm{nullptr};  // attention_norm is absent for norm "end"
  // Conformer blocks: the half-step before the attention, the convolution after it, the norm of the block
  // (norm "pre" only).
  FeedForward ffn_before{nullptr};
  ConvolutionModule convolution{nullptr};
  LayerNorm ffn_before_norm{nullptr}, convolution_norm{nullptr}, block_norm{nullptr};

 private:
  torch::Tensor half_step(FeedForward& network, const torch::Tensor& x) const;
  StackOptions options_;
};
TORCH_MODULE(EncoderLayer);

class TransformerEncoderImpl : public torch::nn::Module {
 public:
  explicit TransformerEncoderImpl(const StackOptions& options);

  // x [B, T, D] with positions already added; key_keep bool [B, T] or undefined. Result [B, T, D]; states at
  // padded positions are defined but mean nothing. With groups the result is their fusion (GTRANS Eq. 2),
  // whose norm stands for the final one. `trace` (optional) receives one entry a layer: a decoder's
  // hi-attention reads it. `masks` may add causality or a full mask.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& key_keep = {},
                        AttentionTrace* trace = nullptr);
  torch::Tensor forward_masked(const torch::Tensor& x, const AttentionMasks& masks, AttentionTrace* trace,
                               const torch::Tensor& position_bias = {});

  [[nodiscard]] const StackOptions& options() const noexcept { return options_; }

 private:
  StackOptions options_;
  std::vector<EncoderLayer> layers_;  // layers.0, layers.1, ...
  LayerNorm final_norm_{nullptr};     // norm "pre" without groups
  EncoderFusion fusion_{nullptr};     // "fusion", with groups
};
TORCH_MODULE(TransformerEncoder);

}  // namespace kgwalk::seq2seq
