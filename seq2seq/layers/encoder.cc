#include "seq2seq/layers/encoder.h"

#include <torch/nn/modules/container/modulelist.h>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/layers/sublayer.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

EncoderLayerImpl::EncoderLayerImpl(const StackOptions& options, int layers_below) : options_(options) {
  attention = register_module(
      "attention", MultiheadAttention(options.self_attention(), AttentionSite{false, layers_below}));
  const FeedForwardOptions network{options.width, options.ffn_width, options.activation,
                                   options.activation_dropout};
  ffn = register_module("ffn", FeedForward(network));
  if (options.norm != NormPlacement::kEnd)
    attention_norm = register_module("attention_norm", LayerNorm(options.width, options.norm_eps));
  ffn_norm = register_module("ffn_norm", LayerNorm(options.width, options.norm_eps));
  const ConformerOptions& conformer = options.conformer;
  if (!conformer.active()) return;
  if (conformer.macaron) {
    ffn_before = register_module("ffn_before", FeedForward(network));
    ffn_before_norm = register_module("ffn_before_norm", LayerNorm(options.width, options.norm_eps));
  }
  if (conformer.kernel > 0) {
    convolution = register_module("convolution", ConvolutionModule(ConvolutionOptions{
                                                     options.width, conformer.kernel, conformer.causal}));
    convolution_norm = register_module("convolution_norm", LayerNorm(options.width, options.norm_eps));
  }
  if (options.norm == NormPlacement::kPre)
    block_norm = register_module("block_norm", LayerNorm(options.width, options.norm_eps));
}

Tensor EncoderLayerImpl::half_step(FeedForward& network, const Tensor& x) const {
  return options_.conformer.macaron ? 0.5 * network(x) : network(x);
}

Tensor EncoderLayerImpl::forward(const Tensor& x, const AttentionCall& call) {
  const double p = is_training() ? options_.dropout : 0;
  const auto place = detail::attention_place(options_);
  Tensor y = x;
  if (ffn_before)
    y = detail::residual_step(y, place, ffn_before_norm, p,
                              [&](const Tensor& in) { return half_step(ffn_before, in); });
  y = detail::residual_step(y, place, attention_norm, p,
                            [&](const Tensor& in) { return attention->forward(in, call); });
  if (convolution)
    y = detail::residual_step(y, place, convolution_norm, p, [&](const Tensor& in) {
      return convolution->forward(in, call.masks.key_keep);
    });
  y = detail::residual_step(y, detail::ffn_place(options_), ffn_norm, p,
                            [&](const Tensor& in) { return half_step(ffn, in); });
  return block_norm ? block_norm(y) : y;
}

TransformerEncoderImpl::TransformerEncoderImpl(const StackOptions& options) : options_(options) {
  validate(options, "encoder options");
  torch::nn::ModuleList list;
  for (int l = 0; l < options.layers; ++l) {
    layers_.emplace_back(options, l);
    list->push_back(layers_.back());
  }
  register_module("layers", list);
  if (options.groups().active())
    fusion_ = register_module("fusion", EncoderFusion(options.groups(), options.width, options.norm_eps));
  else if (options.norm == NormPlacement::kPre)
    final_norm_ = register_module("final_norm", LayerNorm(options.width, options.norm_eps));
}

Tensor TransformerEncoderImpl::forward(const Tensor& x, const Tensor& key_keep, AttentionTrace* trace) {
  return forward_masked(x, AttentionMasks{key_keep, {}, false}, trace);
}

Tensor TransformerEncoderImpl::forward_masked(const Tensor& x, const AttentionMasks& masks,
                                              AttentionTrace* trace, const Tensor& position_bias) {
  AttentionTrace own;
  if (trace && !trace->layers.empty())
    throw ShapeError("encoder: the trace already holds layers; pass a new one");
  AttentionCall call;
  call.masks = masks;
  call.position_bias = position_bias;
  if (trace)
    call.trace = trace;
  else if (options_.needs_trace())
    call.trace = &own;
  Tensor y = x;
  std::vector<Tensor> last_of_group;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    y = layers_[l]->forward(y, call);
    if (options_.groups().closes(static_cast<int>(l))) last_of_group.push_back(y);
  }
  if (fusion_) return fusion_(last_of_group);
  return final_norm_ ? final_norm_(y) : y;
}

}  // namespace kgwalk::seq2seq
