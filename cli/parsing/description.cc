#include "cli/parsing/description.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "cli/parsing/input_file.h"
#include "cli/parsing/output_file.h"

namespace kgwalk::cli {
namespace {

std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::sort(names.begin(), names.end());
  return names;
}

Json checks_of(CLI::Option& option) {
  Json checks = Json::array();
  try {
    for (int i = 0;; ++i) {
      const CLI::Validator* check = option.get_validator(i);
      checks.push_back({{"name", check->get_name()}, {"text", check->get_description()}});
    }
  } catch (const CLI::OptionNotFound&) {  // how CLI11 tells that there are no more
  }
  return checks;
}

Json describe_option(CLI::Option& option) {
  return {{"name", option.get_name(true, true)},
          {"help", option.get_description()},
          {"group", option.get_group()},
          {"type", option.get_type_name()},
          {"flag", option.get_items_expected_max() == 0},
          {"least", option.get_expected_min()},
          {"most", option.get_expected_max()},
          {"required", option.get_required()},
          {"extra", option.get_allow_extra_args()},
          {"policy", static_cast<int>(option.get_multi_option_policy())},
          {"delimiter", std::string(option.get_delimiter() == '\0' ? 0 : 1, option.get_delimiter())},
          {"default", option.get_default_str()},
          {"environment", option.get_envname()},
          {"needs", names_of(option.get_needs())},
          {"excludes", names_of(option.get_excludes())},
          {"checks", checks_of(option)}};
}

// "INT in [1 - 100]" again as the check that describes itself so.
void add_range(CLI::Option& option, const std::string& text) {
  const std::size_t open = text.find("in ["), dash = text.find(" - ", open);
  if (open == std::string::npos || dash == std::string::npos) return;
  const std::string low = text.substr(open + 4, dash - open - 4), high = text.substr(dash + 3);
  if (text.starts_with("INT"))
    option.check(CLI::Range(std::stoll(low), std::stoll(high)).description(""));
  else if (text.starts_with("FLOAT"))
    option.check(CLI::Range(std::stod(low), std::stod(high)).description(""));
}

void add_check(CLI::Option& option, const std::string& name, const std::string& text) {
  if (name == kInputFile) {
    option.check(CLI::Validator(problem_of_input, "", kInputFile));
  } else if (name == kOutputFile) {
    option.check(CLI::Validator(problem_of_output, "", kOutputFile));
  } else if (text.starts_with("{") && text.ends_with("}")) {
    std::vector<std::string> choices = CLI::detail::split(text.substr(1, text.size() - 2), ',');
    option.check(CLI::IsMember(std::move(choices)).description(""));
  } else if (text == "FILE") {
    option.check(CLI::Validator(CLI::ExistingFile).description(""));
  } else if (text == "DIR") {
    option.check(CLI::Validator(CLI::ExistingDirectory).description(""));
  } else if (text == "NONNEGATIVE" || text == "POSITIVE") {
    CLI::Validator check(text == "POSITIVE" ? CLI::PositiveNumber : CLI::NonNegativeNumber);
    option.check(check.description(""));
  } else {
    add_range(option, text);
  }
}

template <class Number>
bool are_numbers(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    Number number;
    return CLI::detail::lexical_cast(word, number);
  });
}

// What cannot be made of the words, as parsing into a variable of the type would find.
bool can_be(const std::string& type, const std::vector<std::string>& words) {
  const std::string base = type.substr(0, type.find_first_of(":["));
  if (base == "INT") return are_numbers<std::int64_t>(words);
  if (base == "UINT") return are_numbers<std::uint64_t>(words);
  if (base == "FLOAT") return are_numbers<double>(words);
  return true;
}

CLI::Option* add_option(CLI::App& app, const Json& json) {
  const std::string name = json.at("name"), help = json.at("help"), type = json.at("type");
  if (json.at("flag").get<bool>()) {
    CLI::Option* flag = app.add_flag(name, help);
    flag->group(json.at("group"));
    return flag;
  }
  CLI::Option* option = app.add_option(
      name, [type](const CLI::results_t& words) { return can_be(type, words); }, help);
  option->group(json.at("group"))->type_name(type)->default_str(json.at("default"));
  option->type_size(1)->expected(json.at("least"), json.at("most"));
  option->allow_extra_args(json.at("extra"))->required(json.at("required"));
  option->multi_option_policy(static_cast<CLI::MultiOptionPolicy>(json.at("policy").get<int>()));
  option->envname(json.at("environment"));
  if (const std::string delimiter = json.at("delimiter"); !delimiter.empty())
    option->delimiter(delimiter.front());
  for (const Json& check : json.at("checks")) add_check(*option, check.at("name"), check.at("text"));
  return option;
}

}  // namespace

Json describe_app(const CLI::App& app) {
  Json json = {{"name", app.get_name()},
               {"help", app.get_description()},
               {"group", app.get_group()},
               {"footer", app.get_footer()},
               {"aliases", app.get_aliases()},
               {"verbs_least", app.get_require_subcommand_min()},
               {"verbs_most", app.get_require_subcommand_max()},
               {"fallthrough", app.get_fallthrough()},
               {"options", Json::array()},
               {"verbs", Json::array()}};
  for (CLI::Option* option : const_cast<CLI::App&>(app).get_options())  // NOLINT: CLI11 finds checks so alone
    if (option != app.get_help_ptr() && option != app.get_version_ptr())
      json["options"].push_back(describe_option(*option));
  for (const CLI::App* verb : app.get_subcommands(nullptr)) json["verbs"].push_back(describe_app(*verb));
  return json;
}

void add_described(CLI::App& app, const Json& description) {
  app.group(description.at("group"))->footer(description.at("footer").get<std::string>());
  app.require_subcommand(description.at("verbs_least"), description.at("verbs_most"));
  app.fallthrough(description.at("fallthrough"));
  std::vector<CLI::Option*> made;
  for (const Json& json : description.at("options")) made.push_back(add_option(app, json));
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Json& json = description.at("options").at(i);
    for (const Json& other : json.at("needs")) made[i]->needs(app.get_option(other));
    for (const Json& other : json.at("excludes")) made[i]->excludes(app.get_option(other));
  }
  for (const Json& verb : description.at("verbs")) {
    CLI::App* sub = app.add_subcommand(verb.at("name"), verb.at("help"));
    for (const Json& alias : verb.at("aliases")) sub->alias(alias);
    add_described(*sub, verb);
  }
}

}  // namespace kgwalk::cli
