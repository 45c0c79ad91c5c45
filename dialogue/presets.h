// Configurations of what the dialogue floor trains: dialogue/presets/*.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"

namespace kgwalk::dialogue {

// "respond_tiny.json" is model "respond", name "tiny"; ConfigError names the nearest one when there is none.
[[nodiscard]] Json preset(std::string_view model, std::string_view name);
[[nodiscard]] std::vector<std::string> preset_names(std::string_view model);

}  // namespace kgwalk::dialogue
