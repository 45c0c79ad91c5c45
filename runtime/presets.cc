#include "runtime/presets.h"

#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk {

Json preset_of(std::span<const Preset> table, std::string_view name, std::string_view what,
               std::string_view prefix) {
  const std::string full = std::string(prefix) + std::string(name);
  for (const Preset& preset : table)
    if (full == preset.name) return parse_json(preset.text, "preset " + full);
  const std::vector<std::string> names = preset_names_of(table, prefix);
  throw ConfigError("there is no " + std::string(what) + " '" + std::string(name) + "'" +
                    did_you_mean(name, names));
}

std::vector<std::string> preset_names_of(std::span<const Preset> table, std::string_view prefix) {
  std::vector<std::string> names;
  for (const Preset& preset : table) {
    const std::string_view name = preset.name;
    if (name.starts_with(prefix)) names.emplace_back(name.substr(prefix.size()));
  }
  return names;
}

}  // namespace kgwalk
