// Strict reading of the weights of a Hugging Face folder: every tensor of the file must find its place in the
// network and every part of the network its tensor; all differences are told at once. And the way back.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/layers/norm.h"
#include "seq2seq/models/token_encoder.h"

namespace kgwalk::seq2seq {

// Name in the file (without its prefix) and the parameter, or part of one, that it fills.
using WeightBinding = std::pair<std::string, torch::Tensor>;
using WeightBindings = std::vector<WeightBinding>;

void bind_linear(WeightBindings& out, const std::string& name, const Linear& map);    // .weight and .bias
void bind_norm(WeightBindings& out, const std::string& name, const LayerNorm& norm);  // .weight and .bias
// The fused projection of queries, keys and values, which files hold as three maps of these names.
struct ProjectionNames {
  std::string query, key, value;
};
void bind_projection(WeightBindings& out, const ProjectionNames& names, const Linear& qkv);

// Embeddings and their norm: named alike in ALBERT's and BERT's files.
void bind_embeddings(WeightBindings& out, const TokenEncoderImpl& model);

// The tensors of a file, crossed off as they are used. One thread.
class WeightFile {
 public:
  // `prefix` is taken off names that have it ("albert."); `what` names the network in errors ("ALBERT").
  WeightFile(const std::filesystem::path& file, const std::string& prefix, std::string what);

  // Names that end in `from` end in `to` from now on: spellings of older or newer files.
  void rename_ending(const std::string& from, const std::string& to);
  [[nodiscard]] bool has(const std::string& name) const { return tensors_.count(name) > 0; }
  [[nodiscard]] bool has_part(const std::string& prefix) const;  // a name that begins so
  void fill(const WeightBindings& bindings);
  // A second copy of a tensor that the format stores once, or its absence.
  void expect_copy(const std::string& name, const std::string& original);
  void accept(const std::string& prefix);  // not used here, but no error
  // FormatError with everything found wrong; copies only when nothing is.
  void finish();

 private:
  std::string path_, what_;
  SafetensorsFile file_;
  std::map<std::string, torch::Tensor> tensors_;
  std::vector<std::string> used_, problems_;
  std::vector<std::pair<torch::Tensor, torch::Tensor>> ready_;
};

// The options of a network from a folder's config.json: keys that it has no field for are passed over.
// FormatError when model_type is another one; ConfigError names bad values.
template <class Options>
[[nodiscard]] Options read_model_options(const std::filesystem::path& config_json,
                                         const std::string& model_type) {
  Options options;
  const Json file = read_json_file(config_json.string());
  if (!file.is_object() || (file.contains("model_type") && file["model_type"] != model_type))
    throw FormatError(config_json.string() + ": model_type is " +
                      (file.is_object() ? file["model_type"].dump() : file.dump()) + "; only \"" +
                      model_type + "\" is supported");
  if (file.value("position_embedding_type", "absolute") != "absolute")
    throw FormatError(config_json.string() + ": position_embedding_type is " +
                      file["position_embedding_type"].dump() + "; only \"absolute\" is supported");
  Json known = Json::object();
  const Json fields = to_json_of(options);
  for (const auto& item : fields.items())
    if (file.contains(item.key())) known[item.key()] = file[item.key()];
  apply_json(options, known, config_json.string());
  validate(options, config_json.string());
  return options;
}

// What kind of network lives in a folder: model_type of its config.json, empty when there is none.
[[nodiscard]] std::string model_type_of(const std::filesystem::path& folder);

void add_state(NamedTensors& state, const WeightBindings& bindings, const std::string& prefix);
// config.json and model.safetensors, each written atomically; the folder is made if needed.
void save_model_folder(const std::filesystem::path& folder, Json config, const NamedTensors& state);

}  // namespace kgwalk::seq2seq
