// The encoder of wav2vec 2.0 (Baevski et al., NeurIPS 2020) on the shared core, in the format of Hugging Face
// folders: convolutions over the waveform, a map to the model's width, a convolution that tells positions,
// and Transformer layers.
//
// B examples, S samples, T frames, C channels, D width, L layers. Frames are those that fit into an example's
// own samples: padding behind it changes nothing (group norm counts an example's own frames only; on whole
// batches without padding it is torch's).
//
// A folder holds config.json and model.safetensors: tensor names with or without the prefix "wav2vec2."; the
// weight norm of the positional convolution in either spelling; the quantizer and heads of pre-training
// (quantizer.*, project_q.*, project_hid.*, lm_head.*) may be there and are not used. Loading is strict: one
// FormatError lists every missing, extra or misshapen tensor.
#pragma once

#include <torch/nn/modules/conv.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/kernels/rows.h"
#include "seq2seq/layers/encoder.h"
#include "seq2seq/layers/norm.h"

namespace kgwalk::seq2seq {

// Behind the first convolution alone (group), or behind each (layer).
enum class ExtractorNorm { kGroup, kLayer };
constexpr auto choice_names(ExtractorNorm) { return choices_in_order<ExtractorNorm>("group", "layer"); }

// The keys of config.json that decide the network; others of the file are ignored.
struct Wav2Vec2Options {
  std::vector<int> conv_dim{512, 512, 512, 512, 512, 512, 512};
  std::vector<int> conv_kernel{10, 3, 3, 3, 3, 2, 2};
  std::vector<int> conv_stride{5, 2, 2, 2, 2, 2, 2};
  bool conv_bias = false;
  Choice<ExtractorNorm> feat_extract_norm = ExtractorNorm::kGroup;
  Choice<Activation> feat_extract_activation = Activation::kGelu;
  int num_conv_pos_embeddings = 128;
  int num_conv_pos_embedding_groups = 16;
  int hidden_size = 768;
  int num_hidden_layers = 12;
  int num_attention_heads = 12;
  int intermediate_size = 3072;
  Choice<Activation> hidden_act = Activation::kGelu;
  bool do_stable_layer_norm = false;
  double feat_proj_dropout = 0;
  double hidden_dropout = 0.1;
  double attention_dropout = 0.1;
  double activation_dropout = 0.1;
  double layer_norm_eps = 1e-5;
  double initializer_range = 0.02;
  template <class F>
  void fields(F& f) {
    f("conv_dim", conv_dim, "Number of channels of each convolution of the front end.");
    f("conv_kernel", conv_kernel, "Width of each convolution, in samples or frames of the one before.");
    f("conv_stride", conv_stride, "Step of each convolution.");
    f("conv_bias", conv_bias, "The convolutions have a bias.");
    f("feat_extract_norm", feat_extract_norm,
      "Normalization stands behind the first convolution (group) or behind each (layer).");
    f("feat_extract_activation", feat_extract_activation, "Activation behind the convolutions.");
    f("num_conv_pos_embeddings", num_conv_pos_embeddings, "Width of the positional convolution, in frames.")
        .range(1, 4096);
    f("num_conv_pos_embedding_groups", num_conv_pos_embedding_groups,
      "Number of groups of the positional convolution.")
        .range(1, 4096);
    f("hidden_size", hidden_size, "Model width.").range(1, 65536);
    f("num_hidden_layers", num_hidden_layers, "Number of layers.").range(1, 1024);
    f("num_attention_heads", num_attention_heads, "Number of attention heads.").range(1, 1024);
    f("intermediate_size", intermediate_size, "Inner width of the feed-forward network.").range(1, 1 << 20);
    f("hidden_act", hidden_act, "Activation of the feed-forward network.");
    f("do_stable_layer_norm", do_stable_layer_norm,
      "Norms stand before the sub-layers instead of behind them.");
    f("feat_proj_dropout", feat_proj_dropout, "Dropout behind the map of the front end to the width.")
        .range(0, 0.99);
    f("hidden_dropout", hidden_dropout, "Dropout of each sub-layer's output.").range(0, 0.99);
    f("attention_dropout", attention_dropout, "Dropout of the attention weights.").range(0, 0.99);
    f("activation_dropout", activation_dropout, "Dropout inside the feed-forward network.").range(0, 0.99);
    f("layer_norm_eps", layer_norm_eps, "Epsilon of normalization.").range(0, 1);
    f("initializer_range", initializer_range, "Deviation of the random initial maps.").range(0, 10);
  }
  void check(Problems& problems) const;
  // Frames made of so many samples; 0 when there are too few for one.
  [[nodiscard]] std::int64_t frames(std::int64_t samples) const;
  [[nodiscard]] std::int64_t samples_per_frame() const;  // the step from frame to frame
  [[nodiscard]] std::int64_t receptive_field() const;    // samples that one frame sees
  [[nodiscard]] StackOptions stack() const;
};

struct SpeechInput {
  torch::Tensor
      samples{};  // [B, S] of 16 kHz (or what the model was made for), each with mean 0, deviation 1
  torch::Tensor lengths{};  // int64 [B] samples of each example; undefined = all S
  torch::Tensor hide{};     // bool [B, T]: frames that the layers see as the mask's vector; undefined = none
};

struct SpeechOutput {
  torch::Tensor states;  // [B, T, D]
  torch::Tensor keep;    // bool [B, T], false = padding; undefined when there is none
  std::vector<torch::Tensor>
      hidden;  // only when asked for: input of the layers and every layer, L + 1 of [B, T, D]
};

class Wav2Vec2Impl : public torch::nn::Module {
 public:
  explicit Wav2Vec2Impl(const Wav2Vec2Options& options);  // random weights from torch's generator
  // `trace` (optional) as in TokenEncoderImpl::forward. ShapeError when an example has no frame.
  SpeechOutput forward(const SpeechInput& input, bool keep_hidden = false, AttentionTrace* trace = nullptr);
  [[nodiscard]] const Wav2Vec2Options& options() const noexcept { return options_; }
  void freeze_convolutions();  // the front end's weights are trained no more

  std::vector<torch::nn::Conv1d> convolutions;  // convolutions.0, ...: [C, C', K]
  std::vector<LayerNorm> conv_norms;            // "layer": one each; "group": its weight and bias, one in all
  LayerNorm feature_norm{nullptr};              // [C]
  Linear projection{nullptr};                   // [D, C]
  torch::Tensor mask_vector;                    // [D]
  torch::Tensor position_g, position_v, position_bias;  // [1, 1, K], [D, D / groups, K], [D]
  LayerNorm encoder_norm{nullptr};
  std::vector<EncoderLayer> layers;

 private:
  torch::Tensor features(const torch::Tensor& samples, const torch::Tensor& lengths);
  torch::Tensor positions(const torch::Tensor& x) const;
  void initialize();
  Wav2Vec2Options options_;
  bool frozen_front_ = false;
};
TORCH_MODULE(Wav2Vec2);

// Samples moved and scaled to mean 0 and deviation 1, as the models are fed; silence stays near 0.
void normalize_samples(std::vector<float>& samples);

[[nodiscard]] Wav2Vec2 load_wav2vec2(const std::filesystem::path& folder);
// config.json and model.safetensors; the folder is made if needed.
void save_wav2vec2(const Wav2Vec2& model, const std::filesystem::path& folder);
[[nodiscard]] NamedTensors wav2vec2_state(const Wav2Vec2& model);  // under the names of the file format

}  // namespace kgwalk::seq2seq
