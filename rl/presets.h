// Presets of stage 2, compiled into the library from rl/presets/*.json. Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"

namespace kgwalk::rl {

// A preset of rl/presets by `model` ("a2c", "simulator") and name: its file is MODEL_NAME.json. ConfigError
// names the nearest one when there is none.
[[nodiscard]] Json preset(std::string_view model, std::string_view name);
[[nodiscard]] std::vector<std::string> preset_names(std::string_view model);

}  // namespace kgwalk::rl
