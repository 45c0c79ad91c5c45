// Reading and writing wav2vec 2.0 folders: which tensor of the file is which part of the network.
#include <string>

#include "seq2seq/models/wav2vec2.h"
#include "seq2seq/models/weight_file.h"

namespace kgwalk::seq2seq {
namespace {

void bind_front_end(WeightBindings& out, const Wav2Vec2& model) {
  for (std::size_t i = 0; i < model->convolutions.size(); ++i) {
    const std::string name = "feature_extractor.conv_layers." + std::to_string(i);
    out.emplace_back(name + ".conv.weight", model->convolutions[i]->weight);
    if (model->options().conv_bias) out.emplace_back(name + ".conv.bias", model->convolutions[i]->bias);
    if (i < model->conv_norms.size()) bind_norm(out, name + ".layer_norm", model->conv_norms[i]);
  }
  bind_norm(out, "feature_projection.layer_norm", model->feature_norm);
  bind_linear(out, "feature_projection.projection", model->projection);
}

void bind_speech_layer(WeightBindings& out, const std::string& name, const EncoderLayer& layer) {
  const std::string attention = name + ".attention.";
  bind_projection(out, {attention + "q_proj", attention + "k_proj", attention + "v_proj"},
                  layer->attention->qkv);
  bind_linear(out, attention + "out_proj", layer->attention->output);
  bind_norm(out, name + ".layer_norm", layer->attention_norm);
  bind_linear(out, name + ".feed_forward.intermediate_dense", layer->ffn->inner);
  bind_linear(out, name + ".feed_forward.output_dense", layer->ffn->output);
  bind_norm(out, name + ".final_layer_norm", layer->ffn_norm);
}

WeightBindings bindings_of(const Wav2Vec2& model) {
  WeightBindings out;
  bind_front_end(out, model);
  out.emplace_back("encoder.pos_conv_embed.conv.weight_g", model->position_g);
  out.emplace_back("encoder.pos_conv_embed.conv.weight_v", model->position_v);
  out.emplace_back("encoder.pos_conv_embed.conv.bias", model->position_bias);
  bind_norm(out, "encoder.layer_norm", model->encoder_norm);
  for (std::size_t l = 0; l < model->layers.size(); ++l)
    bind_speech_layer(out, "encoder.layers." + std::to_string(l), model->layers[l]);
  return out;
}

constexpr const char* kMaskVector = "masked_spec_embed";

}  // namespace

Wav2Vec2 load_wav2vec2(const std::filesystem::path& folder) {
  Wav2Vec2 model(read_model_options<Wav2Vec2Options>(folder / "config.json", "wav2vec2"));
  WeightFile file(folder / "model.safetensors", "wav2vec2.", "wav2vec 2.0");
  file.rename_ending("conv.parametrizations.weight.original0", "conv.weight_g");
  file.rename_ending("conv.parametrizations.weight.original1", "conv.weight_v");
  WeightBindings bindings = bindings_of(model);
  if (file.has(kMaskVector))
    bindings.emplace_back(kMaskVector, model->mask_vector);  // models without masking lack it
  file.fill(bindings);
  for (const char* unused : {"quantizer.", "project_q.", "project_hid.", "lm_head."}) file.accept(unused);
  file.finish();
  model->eval();
  return model;
}

NamedTensors wav2vec2_state(const Wav2Vec2& model) {
  WeightBindings bindings = bindings_of(model);
  bindings.emplace_back(kMaskVector, model->mask_vector);
  NamedTensors state;
  add_state(state, bindings, "");
  return state;
}

void save_wav2vec2(const Wav2Vec2& model, const std::filesystem::path& folder) {
  Json config = to_json_of(model->options());
  config["model_type"] = "wav2vec2";
  config["architectures"] = Json::array({"Wav2Vec2Model"});
  save_model_folder(folder, config, wav2vec2_state(model));
}

}  // namespace kgwalk::seq2seq
