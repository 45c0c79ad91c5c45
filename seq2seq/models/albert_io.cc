// Reading and writing ALBERT folders: which tensor of the file is which part of the network.
#include <string>

#include "seq2seq/models/albert.h"
#include "seq2seq/models/weight_file.h"

namespace kgwalk::seq2seq {
namespace {

void bind_layer(WeightBindings& out, const std::string& name, const EncoderLayer& layer) {
  const std::string attention = name + ".attention.";
  bind_projection(out, {attention + "query", attention + "key", attention + "value"}, layer->attention->qkv);
  bind_linear(out, name + ".attention.dense", layer->attention->output);
  bind_norm(out, name + ".attention.LayerNorm", layer->attention_norm);
  bind_linear(out, name + ".ffn", layer->ffn->inner);
  bind_linear(out, name + ".ffn_output", layer->ffn->output);
  bind_norm(out, name + ".full_layer_layer_norm", layer->ffn_norm);
}

WeightBindings bindings_of(const Albert& model) {
  WeightBindings out;
  bind_embeddings(out, *model);
  if (model->pooler) bind_linear(out, "pooler", model->pooler);
  bind_linear(out, "encoder.embedding_hidden_mapping_in", model->embedding_map);
  const int inner = model->options().inner_group_num;
  for (std::size_t i = 0; i < model->layers.size(); ++i)
    bind_layer(out,
               "encoder.albert_layer_groups." + std::to_string(static_cast<int>(i) / inner) +
                   ".albert_layers." + std::to_string(static_cast<int>(i) % inner),
               model->layers[i]);
  return out;
}

WeightBindings head_bindings_of(const AlbertForMaskedLm& model) {
  WeightBindings out;
  out.emplace_back("predictions.bias", model->bias);
  bind_linear(out, "predictions.dense", model->dense);
  bind_norm(out, "predictions.LayerNorm", model->norm);
  return out;
}

void fill_body(WeightFile& file, Albert model) {
  if (!file.has_part("pooler.")) model->remove_pooler();
  file.fill(bindings_of(model));
  file.accept("embeddings.position_ids");  // 0, 1, 2, ...: a constant that older files carry
  file.accept("sop_classifier.");          // sentence order head: not used here
}

void save(const AlbertOptions& options, const NamedTensors& state, const std::filesystem::path& folder,
          const char* architecture) {
  Json config = to_json_of(options);
  config["model_type"] = "albert";
  config["architectures"] = Json::array({architecture});
  save_model_folder(folder, config, state);
}

WeightFile weights_in(const std::filesystem::path& folder) {
  return {folder / "model.safetensors", "albert.", "ALBERT"};
}

}  // namespace

AlbertOptions AlbertOptions::read(const std::filesystem::path& config_json) {
  return read_model_options<AlbertOptions>(config_json, "albert");
}

Albert load_albert(const std::filesystem::path& folder) {
  Albert model(AlbertOptions::read(folder / "config.json"));
  WeightFile file = weights_in(folder);
  fill_body(file, model);
  file.accept("predictions.");
  file.finish();
  model->eval();
  return model;
}

AlbertForMaskedLm load_albert_for_masked_lm(const std::filesystem::path& folder) {
  AlbertForMaskedLm model(AlbertOptions::read(folder / "config.json"));
  WeightFile file = weights_in(folder);
  fill_body(file, model->albert);
  file.fill(head_bindings_of(model));
  file.expect_copy("predictions.decoder.weight", "embeddings.word_embeddings.weight");
  file.expect_copy("predictions.decoder.bias", "predictions.bias");
  file.finish();
  model->eval();
  return model;
}

NamedTensors albert_state(const Albert& model) {
  NamedTensors state;
  add_state(state, bindings_of(model), "");
  return state;
}

NamedTensors albert_state(const AlbertForMaskedLm& model) {
  NamedTensors state;
  add_state(state, bindings_of(model->albert), "albert.");
  add_state(state, head_bindings_of(model), "");
  return state;
}

void save_albert(const Albert& model, const std::filesystem::path& folder) {
  save(model->options(), albert_state(model), folder, "AlbertModel");
}

void save_albert(const AlbertForMaskedLm& model, const std::filesystem::path& folder) {
  save(model->albert->options(), albert_state(model), folder, "AlbertForMaskedLM");
}

}  // namespace kgwalk::seq2seq
