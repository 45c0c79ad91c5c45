#include "cli/frame/remedy.h"

#include <algorithm>
#include <string_view>

#include "runtime/shell.h"

namespace kgwalk::cli {
namespace {

// A member of an options struct as the option that sets it.
std::string option_of(std::string name) {
  if (name == "dialogues") return "--dialogs";
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

// What the option wants behind it.
std::string value_of(std::string_view name) {
  if (name == "dialogues") return " NAME=FILE";
  if (name == "format") return " FORMAT";
  if (name == "author") return " NAME";
  if (name == "new") return "";
  return name == "text" ? " DIR" : " FILE";
}

std::string options_of(const Remedy& remedy) {
  std::string text;
  for (const auto& [name, value] : remedy.arguments) {
    text.append(" ").append(option_of(name));
    if (value != "true") text.append(" ").append(shell_quote(value));
  }
  return text;
}

std::string database_option(const Remedy& remedy) {
  return remedy.subject.empty() ? "" : " --db " + shell_quote(remedy.subject);
}

std::string ingestion(const Remedy& remedy) {
  if (remedy.subject.empty()) return "make one with `kgwalk ingest`";
  const std::string command = "`kgwalk ingest" + database_option(remedy);
  if (remedy.arguments.empty()) return "make it with " + command + " --triples FILE`";
  return "run it again: " + command + options_of(remedy) + "`";
}

std::string again_with_files(const Remedy& remedy) {
  return "run `kgwalk ingest" + database_option(remedy) + " --replace" + options_of(remedy) +
         "` again with its files, then make its tables anew";
}

std::string training(const Remedy& remedy) { return "`kgwalk " + remedy.subject + options_of(remedy) + "`"; }

std::string phrase(const Remedy& remedy) {
  switch (remedy.action) {
    case Remedy::kIngest:
      return ingestion(remedy);
    case Remedy::kReingest:
      return again_with_files(remedy);
    case Remedy::kReplace:
      return "replace it with --replace, or give another --db";
    case Remedy::kIndexDistances:
      return "make it with `kgwalk distances --index" + database_option(remedy) + "`";
    case Remedy::kFactorizeDistances:
      return "make it with `kgwalk distances" + options_of(remedy) + database_option(remedy) + "`";
    case Remedy::kEmbed: {
      std::string settings;
      for (const auto& [name, value] : remedy.arguments) settings += " --set " + name + "=" + value;
      return "make it with `kgwalk embed" + database_option(remedy) + settings + "`";
    }
    case Remedy::kTrain:
      return "make one with " + training(remedy);
    case Remedy::kGive:
      return "give " + option_of(remedy.subject) + value_of(remedy.subject);
    case Remedy::kComputeOn:
      return "use --device " + remedy.subject;
  }
  return {};
}

}  // namespace

std::string told_with_remedies(const Error& error) {
  std::string text = error.what();
  const Remedy* before = nullptr;
  for (const Remedy& remedy : error.remedies()) {
    if (before != nullptr && before->action == Remedy::kTrain && remedy.action == Remedy::kTrain)
      text += " or " + training(remedy);
    else
      text += (before == nullptr ? "; " : ", or ") + phrase(remedy);
    before = &remedy;
  }
  return text;
}

}  // namespace kgwalk::cli
