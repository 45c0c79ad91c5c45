#include "runtime/tensor/checkpoint.h"

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kFormat = "kgwalk-checkpoint";
constexpr int kVersion = 1;
constexpr const char* kModel = "model.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";

Json read_state(const fs::path& folder) {
  const fs::path file = folder / kState;
  if (!fs::exists(file))
    throw FormatError(folder.string() + ": is no checkpoint (" + kState + " is missing)");
  Json state = read_json_file(file.string());
  if (!state.is_object() || state.value("format", "") != kFormat)
    throw FormatError(file.string() + ": does not describe a checkpoint of kgwalk");
  if (state.value("version", 0) != kVersion)
    throw FormatError(file.string() + ": is of version " + std::to_string(state.value("version", 0)) +
                      ", this program reads " + std::to_string(kVersion));
  return state;
}

NamedTensors read_checked(const fs::path& folder, const char* name, const Json& state) {
  NamedTensors tensors = read_tensors(folder / name);
  const Json sums = state.value("checksums", Json::object());
  if (sums.value(name, "") != checksum_of(tensors))
    throw FormatError((folder / name).string() + ": its content does not fit the checksum in " + kState +
                      "; the file is damaged");
  return tensors;
}

}  // namespace

void write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint,
                      const std::function<void(const fs::path&)>& extra) {
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    Json state = {
        {"format", kFormat}, {"version", kVersion}, {"checksums", {{kModel, checksum_of(checkpoint.model)}}}};
    write_tensors(temporary / kModel, checkpoint.model);
    if (!checkpoint.optimizer.empty()) {
      state["checksums"][kOptimizer] = checksum_of(checkpoint.optimizer);
      write_tensors(temporary / kOptimizer, checkpoint.optimizer);
    }
    merge_json(state, checkpoint.state);
    write_file_atomically(temporary / kState, state.dump(2) + "\n");
    if (extra) extra(temporary);
  });
}

Checkpoint read_checkpoint(const fs::path& folder) {
  Checkpoint checkpoint;
  checkpoint.state = read_state(folder);
  checkpoint.model = read_checked(folder, kModel, checkpoint.state);
  if (checkpoint.state["checksums"].contains(kOptimizer))
    checkpoint.optimizer = read_checked(folder, kOptimizer, checkpoint.state);
  return checkpoint;
}

NamedTensors read_checkpoint_model(const fs::path& folder) {
  return read_checked(folder, kModel, read_state(folder));
}

}  // namespace kgwalk
