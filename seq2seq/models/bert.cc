#include "seq2seq/models/bert.h"

#include "kgwalk/error.h"
#include "seq2seq/kernels/first_values.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/models/weight_file.h"

namespace kgwalk::seq2seq {
namespace {

TokenEncoderOptions shape_of(const BertOptions& options) {
  validate(options, "BERT options");
  TokenEncoderOptions shape;
  shape.name = "BERT";
  shape.vocabulary = options.vocab_size;
  shape.embedding_width = options.hidden_size;
  shape.map = false;
  shape.max_length = options.max_position_embeddings;
  shape.types = options.type_vocab_size;
  shape.groups = options.num_hidden_layers;
  shape.deviation = options.initializer_range;
  shape.stack = options.stack();
  return shape;
}

WeightBindings bindings_of(const Bert& model) {
  WeightBindings out;
  bind_embeddings(out, *model);
  if (model->pooler) bind_linear(out, "pooler.dense", model->pooler);
  for (std::size_t l = 0; l < model->layers.size(); ++l) {
    const std::string name = "encoder.layer." + std::to_string(l), attention = name + ".attention.self.";
    const EncoderLayer& layer = model->layers[l];
    bind_projection(out, {attention + "query", attention + "key", attention + "value"},
                    layer->attention->qkv);
    bind_linear(out, name + ".attention.output.dense", layer->attention->output);
    bind_norm(out, name + ".attention.output.LayerNorm", layer->attention_norm);
    bind_linear(out, name + ".intermediate.dense", layer->ffn->inner);
    bind_linear(out, name + ".output.dense", layer->ffn->output);
    bind_norm(out, name + ".output.LayerNorm", layer->ffn_norm);
  }
  return out;
}

}  // namespace

void BertOptions::check(Problems& problems) const {
  if (hidden_size % num_attention_heads != 0)
    problems.add("num_attention_heads", std::to_string(num_attention_heads) + " do not divide hidden_size " +
                                            std::to_string(hidden_size));
}

BertImpl::BertImpl(const BertOptions& options) : TokenEncoderImpl(shape_of(options)), options_(options) {}

Bert load_bert(const std::filesystem::path& folder) {
  const WithoutFirstValues read_below;
  Bert model(read_model_options<BertOptions>(folder / "config.json", "bert"));
  WeightFile file(folder / "model.safetensors", "bert.", "BERT");
  file.rename_ending("LayerNorm.gamma", "LayerNorm.weight");
  file.rename_ending("LayerNorm.beta", "LayerNorm.bias");
  if (!file.has_part("pooler.")) model->remove_pooler();
  file.fill(bindings_of(model));
  file.accept("embeddings.position_ids");  // 0, 1, 2, ...: a constant that older files carry
  file.accept("cls.");                     // heads: not used here
  file.finish();
  model->eval();
  return model;
}

NamedTensors bert_state(const Bert& model) {
  NamedTensors state;
  add_state(state, bindings_of(model), "");
  return state;
}

void save_bert(const Bert& model, const std::filesystem::path& folder) {
  Json config = to_json_of(model->options());
  config["model_type"] = "bert";
  config["architectures"] = Json::array({"BertModel"});
  save_model_folder(folder, config, bert_state(model));
}

TokenEncoder load_token_encoder(const std::filesystem::path& folder) {
  const std::string type = model_type_of(folder);
  if (type == "albert")
    return TokenEncoder(std::static_pointer_cast<TokenEncoderImpl>(load_albert(folder).ptr()));
  if (type == "bert")
    return TokenEncoder(std::static_pointer_cast<TokenEncoderImpl>(load_bert(folder).ptr()));
  throw FormatError(
      folder.string() + ": " +
      (type.empty() ? "has no config.json with a model_type" : "holds a model of type '" + type + "'") +
      "; a text encoder's folder (albert or bert) holds config.json and model.safetensors");
}

}  // namespace kgwalk::seq2seq
