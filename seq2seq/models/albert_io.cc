// Reading and writing ALBERT folders: which tensor of the file is which part of the network.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/error.h"
#include "runtime/files.h"
#include "seq2seq/models/albert.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

// Name in the file (without the prefix "albert.") and the part of a parameter that it fills.
using Binding = std::pair<std::string, Tensor>;

void bind_linear(std::vector<Binding>& out, const std::string& name, const Linear& map) {
  out.emplace_back(name + ".weight", map->weight);
  out.emplace_back(name + ".bias", map->bias);
}

void bind_norm(std::vector<Binding>& out, const std::string& name, const LayerNorm& norm) {
  out.emplace_back(name + ".weight", norm->weight);
  out.emplace_back(name + ".bias", norm->bias);
}

void bind_layer(std::vector<Binding>& out, const std::string& name, const EncoderLayer& layer) {
  const Linear& qkv = layer->attention->qkv;
  const std::int64_t width = qkv->weight.size(0) / 3;
  std::int64_t row = 0;
  for (const char* part : {"query", "key", "value"}) {
    out.emplace_back(name + ".attention." + part + ".weight", qkv->weight.detach().narrow(0, row, width));
    out.emplace_back(name + ".attention." + part + ".bias", qkv->bias.detach().narrow(0, row, width));
    row += width;
  }
  bind_linear(out, name + ".attention.dense", layer->attention->output);
  bind_norm(out, name + ".attention.LayerNorm", layer->attention_norm);
  bind_linear(out, name + ".ffn", layer->ffn->inner);
  bind_linear(out, name + ".ffn_output", layer->ffn->output);
  bind_norm(out, name + ".full_layer_layer_norm", layer->ffn_norm);
}

std::vector<Binding> bindings_of(const Albert& model) {
  std::vector<Binding> out;
  out.emplace_back("embeddings.word_embeddings.weight", model->tokens);
  out.emplace_back("embeddings.position_embeddings.weight", model->positions);
  out.emplace_back("embeddings.token_type_embeddings.weight", model->types);
  bind_norm(out, "embeddings.LayerNorm", model->embedding_norm);
  bind_linear(out, "encoder.embedding_hidden_mapping_in", model->embedding_map);
  const int inner = model->options().inner_group_num;
  for (std::size_t i = 0; i < model->layers.size(); ++i)
    bind_layer(out,
               "encoder.albert_layer_groups." + std::to_string(static_cast<int>(i) / inner) +
                   ".albert_layers." + std::to_string(static_cast<int>(i) % inner),
               model->layers[i]);
  if (model->pooler) bind_linear(out, "pooler", model->pooler);
  return out;
}

std::vector<Binding> head_bindings_of(const AlbertForMaskedLm& model) {
  std::vector<Binding> out;
  out.emplace_back("predictions.bias", model->bias);
  bind_linear(out, "predictions.dense", model->dense);
  bind_norm(out, "predictions.LayerNorm", model->norm);
  return out;
}

std::string shape_text(const Tensor& x) {
  std::string text = "[";
  for (std::int64_t i = 0; i < x.dim(); ++i) text += (i ? ", " : "") + std::to_string(x.size(i));
  return text + "]";
}

// The tensors of a file, without the prefix, crossed off as they are used.
class WeightFile {
 public:
  explicit WeightFile(const std::filesystem::path& path) : path_(path.string()) {
    for (auto& [name, tensor] : read_tensors(path)) {
      const std::string bare = name.rfind("albert.", 0) == 0 ? name.substr(7) : name;
      if (!tensors_.emplace(bare, tensor).second) problems_.push_back("both " + bare + " and albert." + bare);
    }
  }
  [[nodiscard]] bool has(const std::string& name) const { return tensors_.count(name) > 0; }
  [[nodiscard]] bool has_part(const std::string& prefix) const {
    const auto it = tensors_.lower_bound(prefix);
    return it != tensors_.end() && it->first.rfind(prefix, 0) == 0;
  }
  void fill(const std::vector<Binding>& bindings) {
    const torch::NoGradGuard guard;
    for (const auto& [name, target] : bindings) {
      const auto it = tensors_.find(name);
      if (it == tensors_.end()) {
        problems_.push_back("missing " + name + " " + shape_text(target));
        continue;
      }
      if (it->second.sizes() != target.sizes())
        problems_.push_back(name + " is " + shape_text(it->second) + ", must be " + shape_text(target));
      else if (!it->second.is_floating_point())
        problems_.push_back(name + " does not hold real numbers");
      else
        ready_.emplace_back(target, it->second);
      used_.push_back(name);
    }
  }
  // A second copy of a tensor that the format stores once, or its absence.
  void expect_copy(const std::string& name, const std::string& original) {
    if (!has(name)) return;
    if (has(original) && !torch::equal(tensors_.at(name), tensors_.at(original)))
      problems_.push_back(name + " differs from " + original + ", to which it is tied");
    used_.push_back(name);
  }
  void accept(const std::string& prefix) {
    for (const auto& [name, tensor] : tensors_)
      if (name.rfind(prefix, 0) == 0) used_.push_back(name);
  }
  // Throws with everything found wrong; copies only when nothing is.
  void finish() {
    for (const std::string& name : used_) tensors_.erase(name);
    for (const auto& [name, tensor] : tensors_)
      problems_.push_back("unknown " + name + " " + shape_text(tensor));
    if (!problems_.empty()) {
      std::string text = path_ + ": not the weights of the ALBERT that config.json describes:";
      for (const std::string& problem : problems_) text += "\n  " + problem;
      throw FormatError(text);
    }
    const torch::NoGradGuard guard;
    for (auto& [target, source] : ready_) target.copy_(source);
  }

 private:
  std::string path_;
  std::map<std::string, Tensor> tensors_;
  std::vector<std::string> used_, problems_;
  std::vector<std::pair<Tensor, Tensor>> ready_;
};

void fill_body(WeightFile& file, Albert model) {
  if (!file.has_part("pooler.")) model->remove_pooler();
  file.fill(bindings_of(model));
  file.accept("embeddings.position_ids");  // 0, 1, 2, ...: a constant that older files carry
  file.accept("sop_classifier.");          // sentence order head: not used here
}

void save(const AlbertOptions& options, const NamedTensors& state, const std::filesystem::path& folder,
          const char* architecture) {
  std::filesystem::create_directories(folder);
  Json config = to_json_of(options);
  config["model_type"] = "albert";
  config["architectures"] = Json::array({architecture});
  write_file_atomically(folder / "config.json", config.dump(2) + "\n");
  write_tensors(folder / "model.safetensors", state, {{"format", "pt"}});
}

void add_state(NamedTensors& state, const std::vector<Binding>& bindings, const std::string& prefix) {
  for (const auto& [name, tensor] : bindings) state[prefix + name] = tensor.detach().contiguous();
}

}  // namespace

AlbertOptions AlbertOptions::read(const std::filesystem::path& config_json) {
  const Json file = read_json_file(config_json.string());
  const auto refuse = [&](const char* key, const char* wanted) {
    if (file.contains(key) && file[key] != wanted)
      throw FormatError(config_json.string() + ": " + key + " is " + file[key].dump() + "; only \"" + wanted +
                        "\" is supported");
  };
  refuse("model_type", "albert");
  refuse("position_embedding_type", "absolute");
  AlbertOptions options;
  Json known = Json::object();
  const Json defaults = to_json_of(options);
  for (const auto& item : defaults.items())
    if (file.contains(item.key())) known[item.key()] = file[item.key()];
  apply_json(options, known, config_json.string());
  validate(options, config_json.string());
  return options;
}

Albert load_albert(const std::filesystem::path& folder) {
  Albert model(AlbertOptions::read(folder / "config.json"));
  WeightFile file(folder / "model.safetensors");
  fill_body(file, model);
  file.accept("predictions.");
  file.finish();
  model->eval();
  return model;
}

AlbertForMaskedLm load_albert_for_masked_lm(const std::filesystem::path& folder) {
  AlbertForMaskedLm model(AlbertOptions::read(folder / "config.json"));
  WeightFile file(folder / "model.safetensors");
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
