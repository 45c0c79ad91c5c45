#include "seq2seq/tasks/model_folder.h"

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"

namespace kgwalk::seq2seq {
namespace fs = std::filesystem;
namespace {

constexpr int kFormatVersion = 1;
constexpr std::string_view kFormat = "kgwalk-sequence-model";
constexpr const char* kDescription = "model.json";
constexpr const char* kWeights = "model.safetensors";

std::string checksum_of_bytes(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.hex();
}

fs::path folder_of(const fs::path& path, const RunKind& kind) {
  if (fs::exists(path / kDescription)) return path;
  if (!RunFolder::is_run(path))
    throw FormatError(path.string() + ": is no model (" + kDescription + " is missing) and no run folder",
                      Remedy{Remedy::kTrain, std::string(kind.command)});
  (void)RunFolder::open(path, kind);
  if (!fs::exists(path / "model" / kDescription))
    throw FormatError(
        path.string() +
            ": the training has not finished; resume it (trainer.max_minutes ends it at the next "
            "evaluation)",
        Remedy{Remedy::kTrain, std::string(kind.command)});
  return path / "model";
}

}  // namespace

std::string_view model_kind(const RunKind& run) {
  constexpr std::string_view kPrefix = "task-";
  return run.name.starts_with(kPrefix) ? run.name.substr(kPrefix.size()) : run.name;
}

void write_model_folder(const fs::path& folder, const RunKind& kind, const Json& config,
                        const NamedTensors& weights, const VocabularyFile& vocabulary) {
  Json json = {
      {"format", kFormat}, {"version", kFormatVersion}, {"kind", model_kind(kind)}, {"config", config}};
  json["checksums"] = {{"vocabulary", checksum_of_bytes(vocabulary.bytes)},
                       {"weights", checksum_of(weights)}};
  write_folder_atomically(folder, [&](const fs::path& to) {
    write_tensors(to / kWeights, weights);
    write_file_atomically(to / vocabulary.name, vocabulary.bytes);
    write_file_atomically(to / kDescription, json.dump(2) + "\n");
  });
}

ModelFiles read_model_files(const fs::path& path, const RunKind& kind, const std::string& vocabulary_name) {
  const fs::path folder = folder_of(path, kind);
  const std::string file = (folder / kDescription).string();
  const Json json = read_json_file(file);
  if (!json.is_object() || json.value("format", "") != kFormat || !json.contains("config") ||
      !json.contains("checksums"))
    throw FormatError(file + ": does not describe a model of a sequence task");
  if (json.value("version", 0) != kFormatVersion)
    throw FormatError(file + ": is of version " + std::to_string(json.value("version", 0)) +
                      ", this program reads " + std::to_string(kFormatVersion));
  if (json.value("kind", "") != model_kind(kind))
    throw FormatError(file + ": is a model of task '" + json.value("kind", "") + "', not of '" +
                      std::string(model_kind(kind)) + "'");
  ModelFiles model{json["config"], read_tensors(folder / kWeights), read_file(folder / vocabulary_name)};
  if (checksum_of_bytes(model.vocabulary) != json["checksums"].value("vocabulary", ""))
    throw FormatError((folder / vocabulary_name).string() +
                      ": is not the vocabulary of this model's weights (checksums disagree)");
  if (checksum_of(model.weights) != json["checksums"].value("weights", ""))
    throw FormatError((folder / kWeights).string() +
                      ": the weights are not those that were written (checksums disagree)");
  return model;
}

NamedTensors average_weights(const std::vector<fs::path>& files) {
  if (files.empty()) throw ConfigError("there are no weights to average");
  NamedTensors sums;
  for (const fs::path& file : files) {
    const NamedTensors weights = read_tensors(file);
    if (!sums.empty() && weights.size() != sums.size())
      throw FormatError(file.string() + ": holds other tensors than the files averaged before");
    for (const auto& [name, tensor] : weights) {
      const bool real = tensor.is_floating_point();
      const auto it = sums.find(name);
      if (it == sums.end() && &file == &files.front())
        sums.emplace(name, real ? tensor.to(torch::kFloat64) : tensor.clone());
      else if (it == sums.end() || it->second.sizes() != tensor.sizes())
        throw FormatError(file.string() + ": holds other tensors than the files averaged before ('" + name +
                          "')");
      else if (real)
        it->second += tensor;
      else
        it->second = tensor.clone();
    }
  }
  for (auto& [name, sum] : sums)
    if (sum.is_floating_point()) sum = (sum / static_cast<double>(files.size())).to(torch::kFloat32);
  return sums;
}

}  // namespace kgwalk::seq2seq
