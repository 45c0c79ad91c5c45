// The configuration behind each function's Settings.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"

namespace kgwalk {

struct Configuration {
  std::string function;  // of kgwalk/training.h
  std::string what;      // it configures
  std::vector<std::string> presets = {};
  // The options with the values of a preset; an empty name: those that stand in the code.
  std::function<std::vector<OptionDoc>(const std::string&)> options = {};
};

// ConfigError where the function takes no settings.
[[nodiscard]] Configuration configuration_of(std::string_view function);

// {"name", "type", "value", "range", "choices", "formerly", "description"}, those that it has.
[[nodiscard]] Json json_of(const OptionDoc& option);

}  // namespace kgwalk
