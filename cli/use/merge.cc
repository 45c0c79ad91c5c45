// kgwalk merge: what one run would have told, from the parts of all shards.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/frame/command.h"
#include "kgwalk/error.h"
#include "kgwalk/shards.h"

namespace kgwalk::cli {
namespace {

// The command of the parts with the parts in place of computing; what is given to merge itself of the options
// of every command counts in place of what the shards were given.
std::vector<std::string> merged_command(const std::vector<std::string>& parts, const Common& common) {
  std::vector<std::string> command = command_of_part(parts.front());
  if (!common.json_out.empty()) {
    const auto json = std::find(command.begin(), command.end(), "--json");
    if (json != command.end() && json + 1 != command.end()) command.erase(json, json + 2);
    std::erase_if(command, [](const std::string& word) { return word.starts_with("--json="); });
    command.insert(command.end(), {"--json", common.json_out});
  }
  for (const auto& [given, option] :
       {std::pair(common.quiet, "--quiet"), {common.no_progress, "--no-progress"}})
    if (given && std::find(command.begin(), command.end(), option) == command.end())
      command.emplace_back(option);
  command.emplace_back("--parts");
  command.insert(command.end(), parts.begin(), parts.end());
  return command;
}

// Becomes that command: same process, same signals.
void run_merge(const std::vector<std::string>& parts, const Common& common) {
  std::vector<std::string> command = merged_command(parts, common);
  command.insert(command.begin(), common.argv.front());
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv("/proc/self/exe", argv.data());
  throw IoError(std::string("/proc/self/exe: cannot be run (") + std::strerror(errno) + ")");
}

Verb add_merge(CLI::App& app, Common& common) {
  auto parts = std::make_shared<std::vector<std::string>>();
  app.add_option("parts", *parts,
                 "files that the shards wrote with --part, all of them; the command that they note is run, "
                 "in this folder, with their results in place of computing")
      ->required()
      ->check(input_file());
  return [parts, &common] { run_merge(*parts, common); };
}

const Registration kMergeCommand({.name = "merge",
                                  .help = "the whole of work that shards did: what one run would have told",
                                  .example = "part1 part2 part3",
                                  .add = add_merge,
                                  .group = Group::kTrain,
                                  .place = 10});

}  // namespace
}  // namespace kgwalk::cli
