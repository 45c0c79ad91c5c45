#include "seq2seq/models/weight_file.h"

#include "runtime/files.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

std::string shape_text(const Tensor& x) {
  std::string text = "[";
  for (std::int64_t i = 0; i < x.dim(); ++i) text += (i ? ", " : "") + std::to_string(x.size(i));
  return text + "]";
}

bool begins_with(const std::string& text, const std::string& prefix) { return text.rfind(prefix, 0) == 0; }

}  // namespace

void bind_linear(WeightBindings& out, const std::string& name, const Linear& map) {
  out.emplace_back(name + ".weight", map->weight);
  out.emplace_back(name + ".bias", map->bias);
}

void bind_norm(WeightBindings& out, const std::string& name, const LayerNorm& norm) {
  out.emplace_back(name + ".weight", norm->weight);
  out.emplace_back(name + ".bias", norm->bias);
}

void bind_projection(WeightBindings& out, const ProjectionNames& names, const Linear& qkv) {
  const std::int64_t width = qkv->weight.size(0) / 3;
  std::int64_t row = 0;
  for (const std::string* part : {&names.query, &names.key, &names.value}) {
    out.emplace_back(*part + ".weight", qkv->weight.detach().narrow(0, row, width));
    out.emplace_back(*part + ".bias", qkv->bias.detach().narrow(0, row, width));
    row += width;
  }
}

void bind_embeddings(WeightBindings& out, const TokenEncoderImpl& model) {
  out.emplace_back("embeddings.word_embeddings.weight", model.tokens);
  out.emplace_back("embeddings.position_embeddings.weight", model.positions);
  out.emplace_back("embeddings.token_type_embeddings.weight", model.types);
  bind_norm(out, "embeddings.LayerNorm", model.embedding_norm);
}

WeightFile::WeightFile(const std::filesystem::path& file, const std::string& prefix, std::string what)
    : path_(file.string()), what_(std::move(what)), file_(file) {
  for (auto& [name, tensor] : views_of(file_)) {
    const std::string bare = begins_with(name, prefix) ? name.substr(prefix.size()) : name;
    if (!tensors_.emplace(bare, tensor).second) problems_.push_back("both " + bare + " and " + prefix + bare);
  }
}

void WeightFile::rename_ending(const std::string& from, const std::string& to) {
  std::map<std::string, Tensor> renamed;
  for (auto& [name, tensor] : tensors_) {
    const bool ends =
        name.size() >= from.size() && name.compare(name.size() - from.size(), from.size(), from) == 0;
    const std::string now = ends ? name.substr(0, name.size() - from.size()) + to : name;
    if (!renamed.emplace(now, tensor).second) problems_.push_back("both " + name + " and " + now);
  }
  tensors_ = std::move(renamed);
}

bool WeightFile::has_part(const std::string& prefix) const {
  const auto it = tensors_.lower_bound(prefix);
  return it != tensors_.end() && begins_with(it->first, prefix);
}

void WeightFile::fill(const WeightBindings& bindings) {
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

void WeightFile::expect_copy(const std::string& name, const std::string& original) {
  if (!has(name)) return;
  if (has(original) && !torch::equal(tensors_.at(name), tensors_.at(original)))
    problems_.push_back(name + " differs from " + original + ", to which it is tied");
  used_.push_back(name);
}

void WeightFile::accept(const std::string& prefix) {
  for (const auto& [name, tensor] : tensors_)
    if (begins_with(name, prefix)) used_.push_back(name);
}

void WeightFile::finish() {
  for (const std::string& name : used_) tensors_.erase(name);
  for (const auto& [name, tensor] : tensors_)
    problems_.push_back("unknown " + name + " " + shape_text(tensor));
  if (!problems_.empty()) {
    std::string text = path_ + ": not the weights of the " + what_ + " that config.json describes:";
    for (const std::string& problem : problems_) text += "\n  " + problem;
    throw FormatError(text);
  }
  const torch::NoGradGuard guard;
  for (auto& [target, source] : ready_) target.copy_(source);
}

std::string model_type_of(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "config.json")) return {};
  const Json file = read_json_file((folder / "config.json").string());
  return file.is_object() ? file.value("model_type", "") : "";
}

void add_state(NamedTensors& state, const WeightBindings& bindings, const std::string& prefix) {
  for (const auto& [name, tensor] : bindings) state[prefix + name] = tensor.detach().contiguous();
}

void save_model_folder(const std::filesystem::path& folder, Json config, const NamedTensors& state) {
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "config.json", config.dump(2) + "\n");
  write_tensors(folder / "model.safetensors", state, {{"format", "pt"}});
}

}  // namespace kgwalk::seq2seq
