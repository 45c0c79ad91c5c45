#include "dialogue/presets.h"

#include "runtime/presets.h"

namespace kgwalk::dialogue {

extern const std::span<const Preset> kPresets;  // dialogue/presets/*.json

Json preset(std::string_view model, std::string_view name) {
  return preset_of(kPresets, name, std::string(model) + " preset", std::string(model) + "_");
}

std::vector<std::string> preset_names(std::string_view model) {
  return preset_names_of(kPresets, std::string(model) + "_");
}

}  // namespace kgwalk::dialogue
