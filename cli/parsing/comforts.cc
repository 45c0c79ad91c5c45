#include "cli/parsing/comforts.h"

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

namespace {

// A word of a command line, and the verb that it stands behind.
struct Place {
  const CLI::App* at;
  std::string spoken;  // "kgwalk task mt"
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

std::string no_verb(const Place& place, const std::string& word) {
  const std::vector<std::string> verbs = verb_names(place.at);
  const std::string near = did_you_mean(word, verbs);
  const bool first = place.at->get_parent() == nullptr;
  std::string text = "there is no '" + place.spoken + " " + word + "'" + near;
  if (near.empty() && !first) text += "; " + place.spoken + " takes " + listed(verbs);
  return text + "; see " + place.spoken + " --help";
}

std::string no_option(const Place& place, const std::string& name) {
  return place.spoken + " has no option " + name + did_you_mean(name, option_names(place.at)) + "; see " +
         place.spoken + " --help";
}

// How many words beside its options a verb takes at most.
std::size_t most_words(const CLI::App* app) {
  std::size_t most = 0;
  for (; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option : app->get_options())
      if (option->get_positional()) most += static_cast<std::size_t>(option->get_items_expected_max());
  return most;
}

std::string no_word(const Place& place, const std::string& word, std::size_t most) {
  const std::string near = did_you_mean("--" + word, option_names(place.at));
  const std::string taken = most == 0   ? " takes no word '"
                            : most == 1 ? " takes one word, and no '"
                                        : " takes no further word '";
  return place.spoken + taken + word + "'" + near + "; see " + place.spoken + " --help";
}

// How many words behind it are the option's own: all up to the next option where it takes any number.
std::size_t values_of(const CLI::Option& option, const std::vector<std::string>& words, std::size_t at) {
  const int least = option.get_items_expected_min();
  if (words[at].find('=') != std::string::npos || least == 0) return 0;
  if (!option.get_allow_extra_args()) return static_cast<std::size_t>(least);
  std::size_t count = 0;
  while (at + count + 1 < words.size() && !words[at + count + 1].starts_with('-')) ++count;
  return count;
}

}  // namespace

std::string wrong_word(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{&app, app.get_name()};
  std::size_t words_before = 0;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      const CLI::Option* option = find_option(place.at, name);
      if (option == nullptr) return no_option(place, name);
      i += values_of(*option, words, i);
      continue;
    }
    if (word.starts_with('-') && word.size() > 1) continue;
    const CLI::App* verb = nullptr;
    for (const CLI::App* candidate : place.at->get_subcommands(nullptr))
      if (candidate->check_name(word)) verb = candidate;
    if (verb != nullptr) {
      place = {verb, place.spoken + " " + word};
    } else if (place.at->get_require_subcommand_min() > 0) {
      return no_verb(place, word);
    } else if (const std::size_t most = most_words(place.at); ++words_before > most) {
      return no_word(place, word, most);
    }
  }
  return {};
}

}  // namespace kgwalk::cli
