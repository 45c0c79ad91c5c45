#include "cli/comforts.h"

#include <string_view>
#include <utility>
#include <vector>

#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

constexpr std::pair<const char*, const char*> kSettings[] = {{"--db", "KGWALK_DB"},
                                                             {"--threads", "KGWALK_THREADS"},
                                                             {"--device", "KGWALK_DEVICE"},
                                                             {"--seed", "KGWALK_SEED"}};

// The option that has this name, of the app or, by fallthrough, of the one above.
const CLI::Option* find_option(const CLI::App* app, const std::string& name) {
  for (; app != nullptr; app = app->get_parent())
    if (const CLI::Option* option = app->get_option_no_throw(name)) return option;
  return nullptr;
}

std::vector<std::string> option_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> verb_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app->get_subcommands(nullptr)) names.push_back(verb->get_name());
  return names;
}

}  // namespace

void read_environment(CLI::App& app) {
  for (const auto& [name, variable] : kSettings)
    // A database that a verb can do without is left out on purpose there.
    if (CLI::Option* option = app.get_option_no_throw(name);
        option && (option->get_required() || name != kSettings[0].first))
      option->envname(variable);
  for (CLI::App* verb : app.get_subcommands(nullptr)) read_environment(*verb);
}

std::string suggestion(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;
    if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      const CLI::Option* option = find_option(at, name);
      if (option == nullptr) return did_you_mean(name, option_names(at));
      const bool has_value = option->get_items_expected_min() > 0 && name.size() == word.size();
      i += has_value ? 1 : 0;
      continue;
    }
    const std::vector<std::string> verbs = verb_names(at);
    if (word.starts_with('-') || verbs.empty()) continue;
    const CLI::App* verb = nullptr;
    for (const CLI::App* candidate : at->get_subcommands(nullptr))
      if (candidate->check_name(word)) verb = candidate;
    if (verb == nullptr) return did_you_mean(word, verbs);
    at = verb;
  }
  return {};
}

}  // namespace kgwalk::cli
