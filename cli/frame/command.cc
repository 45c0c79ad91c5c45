#include "cli/frame/command.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "cli/frame/print.h"
#include "cli/parsing/input_file.h"
#include "cli/parsing/output_file.h"
#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

// Made when the first verb registers itself: the order in which files are initialized does not matter.
std::vector<Command>& registered() {
  static std::vector<Command> all;
  return all;
}

}  // namespace

Registration::Registration(const Command& command) { registered().push_back(command); }

std::vector<Command> commands() {
  std::vector<Command> all = registered();
  std::sort(all.begin(), all.end(), [](const Command& a, const Command& b) {
    return std::tuple(a.group, a.place, std::string_view(a.name)) <
           std::tuple(b.group, b.place, std::string_view(b.name));
  });
  return all;
}

const Command& command_named(std::string_view name) {
  for (const Command& command : registered())
    if (name == command.name) return command;
  throw ConfigError("there is no command '" + std::string(name) + "'");
}

const char* heading_of(Group group) {
  switch (group) {
    case Group::kBegin:
      return "To begin with";
    case Group::kGraph:
      return "The graph";
    case Group::kTrain:
      return "Training and measuring";
    case Group::kUse:
      return "Using a model";
    case Group::kOther:
      return "Other tasks, and the program itself";
  }
  return "";
}

Settings Common::settings(std::string preset) const {
  return {.preset = std::move(preset),
          .files = {config_files.begin(), config_files.end()},
          .assignments = assignments};
}

std::optional<std::uint64_t> Common::given_seed() const {
  return seed_given ? std::optional(seed) : std::nullopt;
}

void Common::tell(const Report& report) const {
  print_text(report.text);
  write_json(report.json);
}

void Common::write_json(const Json& result) const {
  if (json_out.empty()) return;
  const std::string text = result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (json_out == "-") return print_json_text(text);
  write_file_atomically(json_out, text);
}

CLI::Validator input_file() { return {problem_of_input, "FILE", kInputFile}; }

CLI::Validator output_file() { return {problem_of_output, "FILE", kOutputFile}; }

}  // namespace kgwalk::cli
