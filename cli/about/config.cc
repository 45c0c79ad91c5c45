// kgwalk config: every option of every trainable thing, with value, range and meaning, from the same
// definitions that read configuration files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/about/ablations.h"
#include "cli/about/options_page.h"
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "kgwalk/error.h"
#include "runtime/text.h"
#include "workflows/training/configurations.h"

namespace kgwalk::cli {
namespace {

std::vector<Configurable> all_configurables() {
  std::vector<Configurable> all;
  for (const Command& command : commands()) {
    if (command.configures == nullptr) continue;
    for (Configurable& found : command.configures()) all.push_back(std::move(found));
  }
  return all;
}

std::string as_text(const Configurable& task, const std::vector<OptionDoc>& all, Audience audience) {
  const std::vector<OptionDoc> options = options_for(audience, task.command, all);
  std::string out = fmt::format("kgwalk {}: {}\n", task.command, task.what);
  if (!task.presets.empty()) out += fmt::format("presets: {}\n", fmt::join(task.presets, ", "));
  for (const OptionDoc& option : options) {
    out += fmt::format("\n{} = {}    ({})\n    {}\n", option.name, option.value.dump(), range_of(option),
                       option.description);
    if (!option.former.empty()) out += fmt::format("    Formerly {}.\n", fmt::join(option.former, ", "));
  }
  if (const std::size_t rest = all.size() - options.size(); rest > 0 && audience == Audience::kUsers)
    out += fmt::format("\n{} more are for comparisons: kgwalk config {} --ablations\n", rest, task.command);
  return out;
}

Json as_json(const Configurable& task, const std::vector<OptionDoc>& options) {
  Json json = {
      {"task", task.command}, {"what", task.what}, {"presets", task.presets}, {"options", Json::array()}};
  for (const OptionDoc& option : options) {
    json["options"].push_back(json_of(option));
    json["options"].back()["ablation"] = is_ablation(task.command, option.name);
  }
  return json;
}

struct ConfigOptions {
  std::vector<std::string> task;
  std::string preset, format = "text";
  bool ablations = false;
};

const Configurable& find_task(const std::vector<Configurable>& tasks, const std::vector<std::string>& words) {
  const std::string wanted = fmt::format("{}", fmt::join(words, " "));
  std::vector<std::string> names;
  for (const Configurable& task : tasks) {
    if (task.command == wanted || task.command == wanted + " train") return task;
    names.push_back(task.command);
  }
  throw ConfigError("'" + wanted + "' takes no configuration" + did_you_mean(wanted, names) +
                    "; `kgwalk config` lists what does");
}

void run(const ConfigOptions& options, const Common& common) {
  const std::vector<Configurable> tasks = all_configurables();
  const Audience audience = options.ablations ? Audience::kComparisons : Audience::kUsers;
  if (options.format == "markdown") return print_text(options_page(tasks, audience));
  if (options.task.empty()) {
    Json json = Json::array();
    for (const Configurable& task : tasks) {
      json.push_back({{"task", task.command}, {"what", task.what}, {"presets", task.presets}});
      if (options.format == "text") print("{:<20} {}\n", task.command, task.what);
    }
    if (options.format == "json") print("{}\n", json.dump(2));
    return common.write_json(json);
  }
  const Configurable& task = find_task(tasks, options.task);
  if (!options.preset.empty() && task.presets.empty())
    throw ConfigError("kgwalk " + task.command + " has no presets");
  const std::vector<OptionDoc> found = task.options(options.preset);
  const Json json = as_json(task, found);
  print("{}", options.format == "json" ? json.dump(2) + "\n" : as_text(task, found, audience));
  common.write_json(json);
}

Verb add_config(CLI::App& app, Common& common) {
  auto options = std::make_shared<ConfigOptions>();
  app.add_option("task", options->task, "train, rl, embed, 'task mt', ...; none: list them");
  app.add_option("--preset", options->preset, "show the values of this preset");
  app.add_option("--format", options->format, "text, json, or markdown of everything")
      ->check(CLI::IsMember({"text", "json", "markdown"}))
      ->capture_default_str();
  app.add_flag("--ablations", options->ablations,
               "those that only comparisons set, in place of those that users do; json has all, each marked");
  return [options, &common] { run(*options, common); };
}

const Registration kConfigCommand({.name = "config",
                                   .help = "every option of a training, with value, range and meaning",
                                   .example = "train --preset best",
                                   .add = add_config,
                                   .group = Group::kOther,
                                   .place = 2});

}  // namespace
}  // namespace kgwalk::cli
