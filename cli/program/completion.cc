#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/program/manual.h"

namespace kgwalk::cli {
namespace {

// The names of an option that begin with dashes: none of one that is a place alone.
std::vector<std::string> names_of(const Json& option) {
  std::vector<std::string> names;
  const std::string all = option.at("name");
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t comma = std::min(all.find(',', at), all.size());
    if (all[at] == '-') names.push_back(all.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

// Words separated by spaces; empty where the option has no choices.
std::string choices_of(const Json& option) {
  for (const Json& check : option.at("checks")) {
    std::string text = check.at("text");
    if (!text.starts_with("{") || !text.ends_with("}")) continue;
    text = text.substr(1, text.size() - 2);
    std::replace(text.begin(), text.end(), ',', ' ');
    return text;
  }
  return "";
}

bool is_hidden(const Json& option) { return option.at("group").get<std::string>().empty(); }

// In single quotes of a shell.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

// The program where each verb has the options of those above it too, which it takes as well.
Json with_options_from_above(Json app, const Json& above) {
  for (const Json& option : above)
    if (option.at("name").get<std::string>().starts_with('-')) app["options"].push_back(option);
  for (Json& verb : app["verbs"]) verb = with_options_from_above(verb, app["options"]);
  return app;
}

// Calls `f` with every verb and what is typed to reach it, the program itself with nothing.
template <class F>
void each_verb(const Json& app, const std::string& path, const F& f) {
  f(app, path);
  for (const Json& verb : app.at("verbs"))
    each_verb(verb, path + (path.empty() ? "" : " ") + verb.at("name").get<std::string>(), f);
}

struct Tables {
  std::string words, choices, values;  // rows of case statements in bash
};

void add_verb(const Json& app, const std::string& path, Tables& tables) {
  std::vector<std::string> words, with_value;
  for (const Json& verb : app.at("verbs")) words.push_back(verb.at("name"));
  for (const Json& option : app.at("options")) {
    if (is_hidden(option)) continue;
    for (const std::string& name : names_of(option)) {
      words.push_back(name);
      if (option.at("flag").get<bool>()) continue;
      with_value.push_back(in_quotes(path + " " + name));
      if (const std::string choices = choices_of(option); !choices.empty())
        tables.choices += fmt::format("    {}) echo {} ;;\n", with_value.back(), in_quotes(choices));
    }
  }
  words.emplace_back("--help");
  if (path.empty()) words.emplace_back("--version");
  tables.words += fmt::format("    {}) echo {} ;;\n", in_quotes(path),
                              in_quotes(fmt::format("{}", fmt::join(words, " "))));
  if (!with_value.empty())
    tables.values += fmt::format("    {}) return 0 ;;\n", fmt::join(with_value, " | "));
}

// What zsh shows: brackets and colons mean something to it.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string function_of(const std::string& path) {
  std::string name = "_kgwalk";
  for (const char c : path.empty() ? path : " " + path) name += c == ' ' || c == '-' ? '_' : c;
  return name;
}

std::string zsh_option(const Json& option, const std::string& name) {
  const std::string help = zsh_text(option.at("help").get<std::string>());
  const char* const often = option.at("most").get<int>() > 1 ? "*" : "";
  if (option.at("flag").get<bool>()) return in_quotes(fmt::format("{}[{}]", name, help));
  const std::string choices = choices_of(option);
  return in_quotes(fmt::format("{}{}[{}]:{}:{}", often, name, help,
                               zsh_text(name.substr(name.find_first_not_of('-'))),
                               choices.empty() ? "_files" : "(" + choices + ")"));
}

std::string zsh_function(const Json& app, const std::string& path) {
  std::string out = fmt::format("{}() {{\n  local context state line\n  _arguments -C -S", function_of(path));
  for (const Json& option : app.at("options"))
    if (!is_hidden(option))
      for (const std::string& name : names_of(option)) out += " \\\n    " + zsh_option(option, name);
  out += " \\\n    '(- *)--help[show help]'";
  if (app.at("verbs").empty()) return out + " \\\n    '*:file:_files'\n}\n\n";
  out +=
      " \\\n    '1:command:->command' \\\n    '*::word:->words'\n  case $state in\n    command)\n      local "
      "-a verbs=(";
  std::string cases;
  for (const Json& verb : app.at("verbs")) {
    const std::string name = verb.at("name");
    out += fmt::format("\n        {}", in_quotes(name + ":" + zsh_text(verb.at("help").get<std::string>())));
    cases += fmt::format("        {}) {} ;;\n", name, function_of(path.empty() ? name : path + " " + name));
  }
  return out + "\n      )\n      _describe command verbs ;;\n    words)\n      case $words[1] in\n" + cases +
         "      esac ;;\n  esac\n}\n\n";
}

constexpr std::string_view kBashEnd = R"sh(
_kgwalk() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} path= next i choices
  for ((i = 1; i < COMP_CWORD; i++)); do
    next=${path:+$path }${COMP_WORDS[i]}
    if _kgwalk_words "$next" > /dev/null; then path=$next; fi
  done
  COMPREPLY=()
  if choices=$(_kgwalk_choices "$path $before"); then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
  elif _kgwalk_takes_value "$path $before"; then
    compopt -o default 2> /dev/null
  else
    mapfile -t COMPREPLY < <(compgen -W "$(_kgwalk_words "$path")" -- "$word")
    [[ ${#COMPREPLY[@]} -gt 0 ]] || compopt -o default 2> /dev/null
  fi
}
complete -F _kgwalk kgwalk
)sh";

}  // namespace

std::string bash_completion(const Json& program) {
  Tables tables;
  each_verb(with_options_from_above(program, Json::array()), "",
            [&](const Json& app, const std::string& path) { add_verb(app, path, tables); });
  const auto table = [](std::string_view name, std::string_view rows) {
    return fmt::format("{}() {{\n  case $1 in\n{}    *) return 1 ;;\n  esac\n}}\n", name, rows);
  };
  return "# bash completion of kgwalk; made from the program's description of itself.\n" +
         table("_kgwalk_words", tables.words) + table("_kgwalk_choices", tables.choices) +
         table("_kgwalk_takes_value", tables.values) + std::string(kBashEnd);
}

std::string zsh_completion(const Json& program) {
  std::string out =
      "#compdef kgwalk\n# zsh completion of kgwalk; made from the program's description of itself.\n\n";
  each_verb(with_options_from_above(program, Json::array()), "",
            [&](const Json& app, const std::string& path) { out += zsh_function(app, path); });
  return out + "_kgwalk \"$@\"\n";
}

}  // namespace kgwalk::cli
