#include "planner/conversation/commands.h"

#include <fmt/format.h>

#include <vector>

#include "planner/conversation/typed.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

struct Command {
  const char* name;
  const char* words;
  const char* help;
  bool changes;  // what was offered to choose from is over
  std::string (*run)(Talk&, std::string_view words);
};

constexpr Command kCommands[] = {
    {"goal", "[NAME]", "head for an entity; without a name, tell how far it is", true,
     [](Talk& t, std::string_view w) { return t.name_for(Talk::Use::kGoal, w); }},
    {"nogoal", "", "walk freely again", true, [](Talk& t, std::string_view) { return t.drop_goal(); }},
    {"from", "NAME", "go and stand on an entity", true,
     [](Talk& t, std::string_view w) { return t.name_for(Talk::Use::kPlace, w); }},
    {"paths", "", "the paths planned at the last turn", false,
     [](Talk& t, std::string_view) { return t.paths(); }},
    {"take", "N", "walk the N-th of them instead", true,
     [](Talk& t, std::string_view w) { return t.take(w); }},
    {"why", "", "what the walker weighed at the last turn", false,
     [](Talk& t, std::string_view) { return t.why(); }},
    {"auto", "[N]", "N turns in which the simulated user speaks for you", true,
     [](Talk& t, std::string_view w) { return t.let_talk(w); }},
    {"where", "", "where the walk stands", false, [](Talk& t, std::string_view) { return t.where(); }},
    {"undo", "", "take the last step back", true, [](Talk& t, std::string_view) { return t.undo(); }},
    {"forget", "", "delete this conversation and begin anew", true,
     [](Talk& t, std::string_view) { return t.forget(); }},
    {"quit", "", "end", false, [](Talk&, std::string_view) { return std::string(); }},
    {"help", "", "this list", false, nullptr}};

}  // namespace

std::vector<std::string> conversation_commands() {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.push_back(fmt::format("/{}", command.name));
  return names;
}

std::string run_command(Talk& talk, std::string_view line) {
  const std::size_t space = line.find_first_of(" \t");
  const std::string_view word = line.substr(1, space == std::string_view::npos ? space : space - 1);
  const std::string_view rest =
      space == std::string_view::npos ? std::string_view() : trimmed(line.substr(space));
  std::vector<std::string> names;
  std::string list = "Say anything; an entity that you name is where the walk goes on.\n";
  for (const Command& command : kCommands) {
    if (command.run != nullptr && word == command.name) {
      if (command.changes) talk.offer_nothing();
      return command.run(talk, rest);
    }
    names.emplace_back(command.name);
    list += fmt::format("  /{:<14} {}\n", fmt::format("{} {}", command.name, command.words), command.help);
  }
  if (word == "help") return list;
  return fmt::format("There is no command /{}{}; /help lists them.\n", word, did_you_mean(word, names));
}

}  // namespace kgwalk
