#include "seq2seq/models/encoder_decoder_import.h"

#include <set>

#include "kgwalk/error.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

// The one table of names: ours, and theirs whose rows are put on top of each other. "#" is a layer's number.
struct Mapping {
  const char* ours;
  std::vector<const char*> theirs;
};

const std::vector<Mapping>& encoder_layer() {
  static const std::vector<Mapping> map{
      {"attention.qkv", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
      {"attention.output", {"self_attn.out_proj"}},
      {"attention_norm", {"self_attn_layer_norm"}},
      {"ffn.inner", {"fc1"}},
      {"ffn.output", {"fc2"}},
      {"ffn_norm", {"final_layer_norm"}},
  };
  return map;
}

const std::vector<Mapping>& decoder_layer() {
  static const std::vector<Mapping> map{
      {"self_attention.qkv", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
      {"self_attention.output", {"self_attn.out_proj"}},
      {"self_norm", {"self_attn_layer_norm"}},
      {"memory.0.query", {"encoder_attn.q_proj"}},
      {"memory.0.key_value", {"encoder_attn.k_proj", "encoder_attn.v_proj"}},
      {"memory.0.output", {"encoder_attn.out_proj"}},
      {"memory_norm.0", {"encoder_attn_layer_norm"}},
      {"ffn.inner", {"fc1"}},
      {"ffn.output", {"fc2"}},
      {"ffn_norm", {"final_layer_norm"}},
  };
  return map;
}

// Takes tensors one by one and remembers what was missing and what nobody asked for.
class Source {
 public:
  explicit Source(const std::filesystem::path& file) : file_(file.string()), tensors_(read_tensors(file)) {}

  // Undefined, and a problem, when there is none.
  Tensor take(const std::string& name) {
    const auto it = tensors_.find(name);
    if (it == tensors_.end()) {
      problems_ += "; '" + name + "' is missing";
      return {};
    }
    taken_.insert(name);
    return it->second.to(torch::kFloat32).contiguous();
  }
  void allow(const std::string& name) { taken_.insert(name); }

  void finish() {
    for (const auto& [name, tensor] : tensors_)
      if (!taken_.contains(name)) problems_ += "; '" + name + "' is not known";
    if (!problems_.empty()) throw FormatError(file_ + ": cannot be read as an encoder-decoder" + problems_);
  }

 private:
  std::string file_;
  NamedTensors tensors_;
  std::set<std::string> taken_;
  std::string problems_;
};

void take_module(Source& source, const std::string& ours, const std::vector<std::string>& theirs,
                 NamedTensors& out) {
  for (const char* part : {".weight", ".bias"}) {
    std::vector<Tensor> rows;
    for (const std::string& name : theirs) {
      const Tensor tensor = source.take(name + part);
      if (tensor.defined()) rows.push_back(tensor);
    }
    if (rows.size() == theirs.size()) out[ours + part] = torch::cat(rows, 0);
  }
}

void take_layers(Source& source, const std::string& stack, int layers, const std::vector<Mapping>& map,
                 NamedTensors& out) {
  for (int l = 0; l < layers; ++l)
    for (const Mapping& mapping : map) {
      std::vector<std::string> theirs;
      for (const char* name : mapping.theirs)
        theirs.push_back("model." + stack + ".layers." + std::to_string(l) + "." + name);
      take_module(source, stack + ".layers." + std::to_string(l) + "." + mapping.ours, theirs, out);
    }
}

template <class T>
T value_of(const Json& json, const char* key, const std::string& file) {
  if (!json.contains(key)) throw FormatError(file + ": '" + key + "' is missing");
  try {
    return json[key].get<T>();
  } catch (const nlohmann::json::exception&) {
    throw FormatError(file + ": '" + key + "' is of another type than expected");
  }
}

StackOptions stack_of(const Json& json, const std::string& side, const std::string& file) {
  StackOptions stack;
  stack.layers = value_of<int>(json, (side + "_layers").c_str(), file);
  stack.width = value_of<int>(json, "d_model", file);
  stack.heads = value_of<int>(json, (side + "_attention_heads").c_str(), file);
  stack.ffn_width = value_of<int>(json, (side + "_ffn_dim").c_str(), file);
  stack.activation = json.value("activation_function", "gelu");
  stack.norm = json.value("normalize_before", json.value("model_type", "") == "mbart") ? "pre" : "post";
  stack.dropout = json.value("dropout", 0.1);
  stack.attention_dropout = json.value("attention_dropout", 0.0);
  stack.activation_dropout = json.value("activation_dropout", 0.0);
  if (stack.activation != Activation::kRelu && stack.activation != Activation::kGelu &&
      stack.activation != Activation::kGeluNew)
    throw FormatError(file + ": activation '" + std::string(stack.activation.name()) +
                      "' is not supported; relu, gelu and gelu_new are");
  return stack;
}

}  // namespace

ImportedModel import_encoder_decoder(const std::filesystem::path& folder) {
  const std::string file = (folder / "config.json").string();
  const Json json = read_json_file(file);
  const std::string type = json.value("model_type", "");
  if (type != "marian" && type != "bart" && type != "mbart")
    throw FormatError(file + ": model_type '" + type + "' is not supported; marian, bart and mbart are");
  ImportedModel model;
  model.options.encoder = stack_of(json, "encoder", file);
  model.options.decoder = stack_of(json, "decoder", file);
  model.options.positions = "learned";
  model.options.scale_embeddings = json.value("scale_embedding", false);
  model.options.normalize_embeddings = type != "marian";
  model.options.output_bias = true;
  Source source(folder / "model.safetensors");
  const Tensor shared = source.take("model.shared.weight");
  for (const char* copy :
       {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"})
    source.allow(copy);
  if (shared.defined()) {
    model.vocabulary = shared.size(0);
    model.weights["output.weight"] = shared;
  }
  const Tensor bias = source.take("final_logits_bias");
  if (bias.defined()) model.weights["output.bias"] = bias.flatten();
  const std::int64_t unused = type == "marian" ? 0 : 2;  // rows of a position table before position 0
  for (const std::string stack : {"encoder", "decoder"}) {
    const std::string ours = stack == "encoder" ? "source" : "target";
    const Tensor table = source.take("model." + stack + ".embed_positions.weight");
    if (table.defined()) {
      model.weights[ours + "_positions.weight"] = table.slice(0, unused).contiguous();
      model.options.max_length = static_cast<int>(table.size(0) - unused);
    }
    const StackOptions& options = stack == "encoder" ? model.options.encoder : model.options.decoder;
    take_layers(source, stack, options.layers, stack == "encoder" ? encoder_layer() : decoder_layer(),
                model.weights);
    if (model.options.normalize_embeddings)
      take_module(source, ours + "_norm", {"model." + stack + ".layernorm_embedding"}, model.weights);
    if (options.norm == NormPlacement::kPre)
      take_module(source, stack + ".final_norm", {"model." + stack + ".layer_norm"}, model.weights);
  }
  source.finish();
  return model;
}

}  // namespace kgwalk::seq2seq
