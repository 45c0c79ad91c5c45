// What is set of a configuration, by name, in place of its defaults; and what came of work, for people and
// for programs.
//
// Example:
//   kgwalk::Settings settings{.preset = "tiny", .assignments = {"trainer.max_epochs=3"}};
//   settings.values["trainer"]["adam"]["lr"] = 0.001;
//   for (const auto& option : kgwalk::options_of("train_walker", "tiny"))
//     std::cout << option["name"] << " = " << option["value"] << '\n';
//
// A walker alone has some 150 options, nested in structs of the models that they are of. They are given by
// name and not as a mirror of those structs, so that programs, files of `--config` and `--set` say the same
// and no model's parts become public. Nothing is lost by it: a name that there is not, a value of another
// type and one out of its range are ConfigErrors, told all at once and with the nearest name.
// docs/reference/options.md lists every option with its default, its range and its meaning.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk {

// Later ones win: the preset, the files in their order, the values, the assignments in theirs.
struct Settings {
  std::string preset = {};                        // empty: that of the function, "default" where it has any
  std::vector<std::filesystem::path> files = {};  // json with comments, nested by the names
  Json values = Json::object();                   // the same from memory
  std::vector<std::string> assignments = {};      // "trainer.max_epochs=3"
};

// What may be set for a function of kgwalk/training.h: a list of {"name", "type", "value", "range",
// "choices", "description"}, the values being those of the preset, or without one those that stand in the
// code. ConfigError for another function or preset.
[[nodiscard]] Json options_of(std::string_view function, std::string_view preset = "");
[[nodiscard]] std::vector<std::string> presets_of(std::string_view function);

// What every result has beside its own numbers.
struct Report {
  std::string text = {};       // whole lines, as the command line prints them
  Json json = Json::object();  // all numbers, as the command line gives them to --json
};

}  // namespace kgwalk
