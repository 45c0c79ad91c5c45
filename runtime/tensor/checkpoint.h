// Checkpoint folders: model.safetensors, optimizer.safetensors, state.json (step, epoch, random states,
// scores). Written whole or not at all (runtime/files.h); see docs/reference/formats.md.
#pragma once

#include <filesystem>

#include "runtime/config.h"
#include "runtime/random.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {

struct Checkpoint {
  NamedTensors model;
  NamedTensors optimizer;  // empty in `best`
  Json state;
};

void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint,
                      const std::function<void(const std::filesystem::path&)>& extra = {});
// FormatError when a file is missing, broken or of another version.
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& folder);
// The model's weights alone.
[[nodiscard]] NamedTensors read_checkpoint_model(const std::filesystem::path& folder);

}  // namespace kgwalk
