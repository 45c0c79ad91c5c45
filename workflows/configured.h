// From Settings to a configuration.
#pragma once

#include <utility>

#include "kgwalk/error.h"
#include "kgwalk/settings.h"
#include "runtime/config.h"

namespace kgwalk {

// `config` with what the settings hold, their preset passed over; validated.
template <class Config>
[[nodiscard]] Config with_values(const Settings& settings, Config config) {
  for (const std::filesystem::path& file : settings.files)
    apply_json(config, read_json_file(file.string()), file.string());
  if (!settings.values.empty()) apply_json(config, settings.values, "settings");
  return load_config({}, settings.assignments, std::move(config));
}

// The preset's values, and over them what else the settings hold. preset_named: gives the json of a preset.
template <class Config, class PresetNamed>
[[nodiscard]] Config with_preset(const Settings& settings, const PresetNamed& preset_named) {
  const std::string name = settings.preset.empty() ? "default" : settings.preset;
  Config config;
  apply_json(config, preset_named(name), "preset " + name);
  return with_values(settings, std::move(config));
}

// ConfigError where the settings name a preset; `what` has none.
inline void refuse_preset(const Settings& settings, std::string_view what) {
  if (settings.preset.empty()) return;
  throw ConfigError("preset " + settings.preset + ": " + std::string(what) + " has no presets");
}

}  // namespace kgwalk
