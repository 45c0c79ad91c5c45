// Configurations that are compiled in, so that the program needs no files beside it. kgwalk_presets() of
// cmake/Kgwalk.cmake makes a folder's table from its presets/*.json.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"

namespace kgwalk {

struct Preset {
  const char* name;  // of the file, without .json
  const char* text;
};

// The preset `prefix` + `name`. ConfigError when there is none: it calls it a `what` ("walker preset") and
// names the nearest one with that prefix.
[[nodiscard]] Json preset_of(std::span<const Preset> table, std::string_view name, std::string_view what,
                             std::string_view prefix = "");
// Names with that prefix, without it, in the table's order.
[[nodiscard]] std::vector<std::string> preset_names_of(std::span<const Preset> table,
                                                       std::string_view prefix = "");

}  // namespace kgwalk
