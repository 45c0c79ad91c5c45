// Presets of stage 2, compiled into the library from rl/presets/*.json. Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"

namespace kgwalk::rl {

// A preset by its file's name, e.g. "simulator_default"; ConfigError names the nearest one when there is
// none.
[[nodiscard]] Json preset(std::string_view name);
[[nodiscard]] std::vector<std::string> preset_names();

}  // namespace kgwalk::rl
