#include "seq2seq/models/wav2vec2.h"

#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/conv.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "seq2seq/kernels/functions.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

// Group norm with a group a channel over each example's own frames: x [B, C, T], lengths int64 [B] (undefined
// = all T).
Tensor channel_norm(const Tensor& x, const Tensor& lengths, const LayerNorm& norm, double eps) {
  if (!lengths.defined()) return torch::group_norm(x, x.size(1), norm->weight, norm->bias, eps);
  const Tensor keep = on(
      x.device(), torch::arange(x.size(2)).unsqueeze(0).lt(lengths.unsqueeze(1)).unsqueeze(1));  // [B, 1, T]
  const Tensor count = lengths.to(x.options()).view({-1, 1, 1});
  const Tensor mean = x.masked_fill(keep.logical_not(), 0).sum(2, true) / count;    // [B, C, 1]
  const Tensor centered = (x - mean).masked_fill(keep.logical_not(), 0);            // [B, C, T]
  const Tensor scale = ((centered * centered).sum(2, true) / count + eps).rsqrt();  // [B, C, 1]
  return centered * (scale * norm->weight.view({1, -1, 1})) + norm->bias.view({1, -1, 1});
}

// bool [B, T]: frames made of an example's own samples.
Tensor own_frames(const Wav2Vec2Options& options, const Tensor& lengths, std::int64_t frames) {
  Tensor keep = torch::empty({lengths.size(0), frames}, torch::kBool);
  for (std::int64_t b = 0; b < lengths.size(0); ++b)
    keep[b].copy_(torch::arange(frames).lt(options.frames(lengths[b].item<std::int64_t>())));
  return keep;
}

}  // namespace

void Wav2Vec2Options::check(Problems& problems) const {
  if (conv_dim.empty() || conv_dim.size() != conv_kernel.size() || conv_dim.size() != conv_stride.size())
    problems.add("conv_dim", "conv_dim, conv_kernel and conv_stride must have the same length, at least 1");
  for (const std::vector<int>* list : {&conv_dim, &conv_kernel, &conv_stride})
    for (const int value : *list)
      if (value < 1) problems.add("conv_dim", "all numbers of the convolutions must be positive");
  if (hidden_size % num_attention_heads != 0)
    problems.add("num_attention_heads", std::to_string(num_attention_heads) + " do not divide hidden_size " +
                                            std::to_string(hidden_size));
  if (hidden_size % num_conv_pos_embedding_groups != 0)
    problems.add("num_conv_pos_embedding_groups", std::to_string(num_conv_pos_embedding_groups) +
                                                      " do not divide hidden_size " +
                                                      std::to_string(hidden_size));
}

std::int64_t Wav2Vec2Options::frames(std::int64_t samples) const {
  for (std::size_t i = 0; i < conv_kernel.size(); ++i) {
    if (samples < conv_kernel[i]) return 0;
    samples = (samples - conv_kernel[i]) / conv_stride[i] + 1;
  }
  return samples;
}

std::int64_t Wav2Vec2Options::samples_per_frame() const {
  std::int64_t step = 1;
  for (const int stride : conv_stride) step *= stride;
  return step;
}

std::int64_t Wav2Vec2Options::receptive_field() const {
  std::int64_t field = 1, step = 1;
  for (std::size_t i = 0; i < conv_kernel.size(); ++i) {
    field += (conv_kernel[i] - 1) * step;
    step *= conv_stride[i];
  }
  return field;
}

StackOptions Wav2Vec2Options::stack() const {
  StackOptions stack;
  stack.layers = num_hidden_layers;
  stack.width = hidden_size;
  stack.heads = num_attention_heads;
  stack.ffn_width = intermediate_size;
  stack.dropout = hidden_dropout;
  stack.attention_dropout = attention_dropout;
  stack.activation_dropout = activation_dropout;
  stack.activation = hidden_act;
  stack.norm = do_stable_layer_norm ? "pre" : "post";
  stack.norm_eps = layer_norm_eps;
  return stack;
}

Wav2Vec2Impl::Wav2Vec2Impl(const Wav2Vec2Options& options) : options_(options) {
  validate(options, "wav2vec 2.0 options");
  torch::nn::ModuleList convs, norms, list;
  const std::size_t count = options.conv_dim.size();
  for (std::size_t i = 0; i < count; ++i) {
    convolutions.emplace_back(torch::nn::Conv1dOptions(i == 0 ? 1 : options.conv_dim[i - 1],
                                                       options.conv_dim[i], options.conv_kernel[i])
                                  .stride(options.conv_stride[i])
                                  .bias(options.conv_bias));
    convs->push_back(convolutions.back());
    if (i > 0 && options.feat_extract_norm == ExtractorNorm::kGroup) continue;
    conv_norms.emplace_back(options.conv_dim[i], 1e-5);
    norms->push_back(conv_norms.back());
  }
  register_module("convolutions", convs);
  register_module("conv_norms", norms);
  feature_norm = register_module("feature_norm", LayerNorm(options.conv_dim.back(), options.layer_norm_eps));
  projection = register_module("projection", Linear(options.conv_dim.back(), options.hidden_size));
  const std::int64_t width = options.hidden_size, kernel = options.num_conv_pos_embeddings;
  mask_vector = register_parameter("mask_vector", torch::rand({width}));
  position_g = register_parameter("position_g", torch::ones({1, 1, kernel}));
  position_v = register_parameter(
      "position_v", torch::empty({width, width / options.num_conv_pos_embedding_groups, kernel}));
  position_bias = register_parameter("position_bias", torch::zeros({width}));
  encoder_norm = register_module("encoder_norm", LayerNorm(width, options.layer_norm_eps));
  for (int l = 0; l < options.num_hidden_layers; ++l) {
    layers.emplace_back(options.stack(), l);
    list->push_back(layers.back());
  }
  register_module("layers", list);
  initialize();
}

void Wav2Vec2Impl::initialize() {
  const torch::NoGradGuard guard;
  for (auto& convolution : convolutions) torch::nn::init::kaiming_normal_(convolution->weight);
  for (EncoderLayer& layer : layers)
    for (Linear* map :
         {&layer->attention->qkv, &layer->attention->output, &layer->ffn->inner, &layer->ffn->output})
      (*map)->weight.normal_(0, options_.initializer_range);
  const double deviation =
      2 / std::sqrt(static_cast<double>(options_.num_conv_pos_embeddings) * options_.hidden_size);
  position_v.normal_(0, deviation);
  position_g.copy_(position_v.norm(2, at::IntArrayRef{0, 1}, true));  // the weight is v itself at first
}

void Wav2Vec2Impl::freeze_convolutions() {
  frozen_front_ = true;
  for (auto& convolution : convolutions)
    for (torch::Tensor& weight : convolution->parameters()) weight.set_requires_grad(false);
  for (LayerNorm& norm : conv_norms)
    for (torch::Tensor& weight : norm->parameters()) weight.set_requires_grad(false);
}

// samples [B, S] -> [B, T, C] behind the norm of features.
Tensor Wav2Vec2Impl::features(const Tensor& samples, const Tensor& lengths) {
  const at::AutoGradMode mode(!frozen_front_ && at::GradMode::is_enabled());
  const Activation activation = options_.feat_extract_activation;
  Tensor x = samples.unsqueeze(1);  // [B, 1, S]
  Tensor frames = lengths;
  for (std::size_t i = 0; i < convolutions.size(); ++i) {
    x = convolutions[i](x);  // [B, C, frames]
    if (frames.defined())
      frames = torch::div(frames - options_.conv_kernel[i], options_.conv_stride[i], "floor") + 1;
    if (options_.feat_extract_norm == ExtractorNorm::kLayer)
      x = conv_norms[i](x.transpose(1, 2).contiguous()).transpose(1, 2);
    else if (i == 0)
      x = channel_norm(x, frames, conv_norms[0], 1e-5);
    x = activate(x.contiguous(), activation);
  }
  return x.transpose(1, 2).contiguous();  // [B, T, C]
}

// The convolution that tells positions, x [B, T, D] -> [B, T, D]; its weight is g v / |v|, norms over all but
// the kernel's places.
Tensor Wav2Vec2Impl::positions(const Tensor& x) const {
  const std::int64_t kernel = options_.num_conv_pos_embeddings;
  const Tensor weight = position_v * (position_g / position_v.norm(2, at::IntArrayRef{0, 1}, true));
  Tensor y = torch::conv1d(x.transpose(1, 2), weight, position_bias, 1, kernel / 2, 1,
                           options_.num_conv_pos_embedding_groups);  // [B, D, T or T + 1]
  if (kernel % 2 == 0) y = y.narrow(2, 0, x.size(1));
  return activate(y.transpose(1, 2).contiguous(), options_.feat_extract_activation);
}

SpeechOutput Wav2Vec2Impl::forward(const SpeechInput& input, bool keep_hidden, AttentionTrace* trace) {
  if (input.samples.dim() != 2) throw ShapeError("wav2vec 2.0: samples must be [examples, samples]");
  const std::int64_t shortest =
      input.lengths.defined() ? input.lengths.min().item<std::int64_t>() : input.samples.size(1);
  if (options_.frames(shortest) < 1)
    throw ShapeError("wav2vec 2.0: an example of " + std::to_string(shortest) +
                     " samples, but a frame needs " + std::to_string(options_.receptive_field()));
  const bool padded = input.lengths.defined() && shortest < input.samples.size(1);
  SpeechOutput result;
  Tensor x =
      features(on(mask_vector.device(), input.samples), padded ? input.lengths : Tensor());  // [B, T, C]
  if (padded) result.keep = own_frames(options_, input.lengths, x.size(1)).to(x.device());
  x = projection(feature_norm(x));  // [B, T, D]
  x = dropout_add(x, {}, is_training() ? options_.feat_proj_dropout : 0);
  if (input.hide.defined()) x = torch::where(on(x.device(), input.hide).unsqueeze(2), mask_vector, x);
  if (padded) x = x.masked_fill(result.keep.logical_not().unsqueeze(2), 0);
  x = x + positions(x);
  if (!options_.do_stable_layer_norm) x = encoder_norm(x);
  result.states = dropout_add(x, {}, is_training() ? options_.hidden_dropout : 0);
  AttentionCall call;
  call.masks.key_keep = result.keep;
  call.trace = trace;
  if (keep_hidden) result.hidden.push_back(result.states);
  for (EncoderLayer& layer : layers) {
    result.states = layer->forward(result.states, call);
    if (keep_hidden) result.hidden.push_back(result.states);
  }
  if (!options_.do_stable_layer_norm) return result;
  result.states = encoder_norm(result.states);
  if (keep_hidden) result.hidden.back() = result.states;
  return result;
}

void normalize_samples(std::vector<float>& samples) {
  double mean = 0, square = 0;
  for (const float s : samples) mean += s;
  mean /= std::max<double>(1, static_cast<double>(samples.size()));
  for (const float s : samples) square += (s - mean) * (s - mean);
  const double scale =
      1 / std::sqrt(square / std::max<double>(1, static_cast<double>(samples.size())) + 1e-7);
  for (float& s : samples) s = static_cast<float>((s - mean) * scale);
}

}  // namespace kgwalk::seq2seq
