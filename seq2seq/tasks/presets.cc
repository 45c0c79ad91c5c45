#include "seq2seq/tasks/presets.h"

#include "runtime/presets.h"

namespace kgwalk::seq2seq {

extern const std::span<const Preset> kPresets;  // seq2seq/presets/*.json

Json task_preset(std::string_view task, std::string_view name) {
  return preset_of(kPresets, name, "preset of task " + std::string(task), std::string(task) + "_");
}

std::vector<std::string> task_preset_names(std::string_view task) {
  return preset_names_of(kPresets, std::string(task) + "_");
}

}  // namespace kgwalk::seq2seq
