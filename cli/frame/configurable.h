// What takes --config and --set: one entry a configuration, registered with the verb that reads it. `kgwalk
// config` and the page of options show all of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/config.h"

namespace kgwalk::cli {

struct Configurable {
  std::string command;  // behind "kgwalk"
  std::string what;
  std::vector<std::string> presets;
  // The options with the values of a preset; an empty name: those that stand in the code.
  std::function<std::vector<OptionDoc>(const std::string&)> options;
};

// What one verb configures.
using Configurables = std::vector<Configurable> (*)();

template <class Config>
[[nodiscard]] Configurable configurable(std::string command, std::string what,
                                        std::vector<std::string> presets = {},
                                        std::function<Json(const std::string&)> preset = {}) {
  const auto options = [preset = std::move(preset)](const std::string& name) {
    Config config;
    if (!name.empty()) apply_json(config, preset(name), "preset " + name);
    return describe(config);
  };
  return {std::move(command), std::move(what), std::move(presets), options};
}

// What a public function takes as its settings.
[[nodiscard]] Configurable configurable_of(std::string command, std::string_view function);

}  // namespace kgwalk::cli
