#include "cli/parsing/former.h"

#include <algorithm>

#include "runtime/shell.h"

namespace kgwalk::cli {
namespace {

// Takes a flag out of the words; whether it was there.
bool take(std::vector<std::string>& words, const char* flag) {
  const auto at = std::find(words.begin(), words.end(), flag);
  if (at == words.end()) return false;
  words.erase(at);
  return true;
}

bool has(const std::vector<std::string>& words, const std::string& option) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

}  // namespace

std::vector<std::string> in_todays_form(std::vector<std::string> words, std::string& told) {
  const bool former =
      words.size() > 1 && words[0] == "eval" && words[1].starts_with("--") && words[1] != "--help";
  if (!former) return words;
  std::string verb = "paths";
  if (take(words, "--success"))
    verb = "success";
  else if (take(words, "--routes"))
    verb = "routes";
  else if (has(words, "--questions"))
    verb = "questions";
  words.insert(words.begin() + 1, verb);
  std::vector<std::string> shown{"kgwalk"};
  shown.insert(shown.end(), words.begin(), words.end());
  told = "`kgwalk eval` has become several commands; this one is now: " + shell_command(shown);
  return words;
}

}  // namespace kgwalk::cli
