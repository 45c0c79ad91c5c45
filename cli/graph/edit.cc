// kgwalk edit: changes of a graph in place, the log of them, and taking one back.
#include "kgwalk/edits.h"

#include <charconv>
#include <cstdlib>
#include <sstream>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/graph/edit_target.h"
#include "kgwalk/error.h"
#include "runtime/input_bytes.h"

namespace kgwalk::cli {
namespace {

using graph::EditOperation;

struct EditCommand {
  std::string database, file, author = author_of_session();
  std::vector<std::string> words;  // the verb and what it takes
  std::optional<float> weight;
  bool make_new = false;
};

// One operation a line, as json; empty lines are none.
std::vector<EditOperation> read_operations(const std::string& file) {
  std::istringstream in(read_input(file));
  std::vector<EditOperation> operations;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) throw DataError(file, number, "is no json");
    try {
      operations.push_back(EditOperation::from_json(json));
    } catch (const ConfigError& error) {
      throw DataError(file, number, error.what());
    }
  }
  if (operations.empty()) throw ConfigError(file + ": holds no operation");
  return operations;
}

EditOperation operation_of(const EditCommand& command) {
  Json json = {
      {command.words[0], Json(std::vector<std::string>(command.words.begin() + 1, command.words.end()))}};
  if (command.weight) json["weight"] = *command.weight;
  if (command.make_new) json["new"] = true;
  return EditOperation::from_json(json);
}

void show_log(const EditCommand& command, const Common& common) {
  Json json = Json::array();
  for (const graph::EditRecord& record : graph::edit_log(command.database)) {
    print("{:>4}  {}  {:<12}  {}{}\n", record.number, record.time, record.author, record.what,
          record.undone_by != 0 ? fmt::format("  (taken back by {})", record.undone_by) : "");
    json.push_back(record.to_json());
  }
  if (json.empty()) print_text("there are no edits\n");
  common.write_json({{"edits", json}});
}

void compact(const EditCommand& command, const Common& common) {
  if (command.words.size() != 1) throw CLI::ValidationError("compact", "takes nothing");
  const std::uint64_t edits = graph::compact_edits(command.database);
  print("{} edits are part of the graph's base now\n", edits);
  common.write_json({{"compacted", edits}});
}

std::uint64_t number_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw CLI::ValidationError("undo", "'" + text + "' is no number of an edit");
  return number;
}

void run(const EditCommand& command, Common& common) {
  if (command.words.empty() == command.file.empty())
    throw CLI::ValidationError("edit",
                               "give a verb (add, retract, rename, alias, unalias, describe, merge, undo, "
                               "log, compact) or --file FILE");
  const std::string verb = command.words.empty() ? "" : command.words[0];
  if (verb == "log") return show_log(command, common);
  refuse_packed(command.database);
  if (verb == "compact") return compact(command, common);
  const graph::EditOptions options{.author = command.author};
  if (verb == "undo") {
    if (command.words.size() != 2) throw CLI::ValidationError("undo", "takes the number of an edit");
    return tell_edit(graph::undo_edit(command.database, number_of(command.words[1]), options), common);
  }
  const std::vector<EditOperation> operations =
      command.file.empty() ? std::vector{operation_of(command)} : read_operations(command.file);
  tell_edit(graph::edit(command.database, operations, options), common);
}

Verb add_edit(CLI::App& app, Common& common) {
  auto options = std::make_shared<EditCommand>();
  app.add_option("--db", options->database, "database, a folder")->required();
  app.add_option(
      "words", options->words,
      "add|retract HEAD RELATION TAIL, rename|alias|unalias ENTITY NAME, describe ENTITY TEXT, merge "
      "ENTITY OTHER, undo NUMBER, log, or compact");
  app.add_option(
      "--file", options->file,
      "operations, one a line as json ({\"add\": [HEAD, RELATION, TAIL]}), done as one edit; - reads "
      "standard input");
  app.add_option("--author", options->author, "who edits; default the name of the session's user");
  app.add_option("--weight", options->weight, "of the fact that is added");
  app.add_flag("--new", options->make_new, "add makes entities and relations that are not in the graph");
  return [options, &common] { run(*options, common); };
}

const Registration kEditCommand({.name = "edit",
                                 .help = "change a graph in place: facts, names, descriptions; log and undo",
                                 .example = "--db films.db add \"Iron Man\" \"directed by\" \"Jon Favreau\"",
                                 .add = add_edit,
                                 .group = Group::kGraph,
                                 .place = 3});

}  // namespace
}  // namespace kgwalk::cli
