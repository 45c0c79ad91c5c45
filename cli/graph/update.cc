// kgwalk update: facts of files added to a graph and retracted from it, as one edit.
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/graph/edit_target.h"
#include "kgwalk/edits.h"

namespace kgwalk::cli {
namespace {

struct UpdateCommand {
  std::string database, format, author = author_of_session();
  std::vector<std::string> add, remove;
  bool strict = false;
};

void run(const UpdateCommand& command, Common& common) {
  if (command.add.empty() && command.remove.empty())
    throw CLI::ValidationError("update", "give --add FILE, --remove FILE or both");
  refuse_packed(command.database);
  graph::UpdateOptions options{.database = command.database,
                               .add = {command.add.begin(), command.add.end()},
                               .remove = {command.remove.begin(), command.remove.end()},
                               .edit = {.author = command.author},
                               .strict = command.strict};
  if (!command.format.empty() && !options.input.format.assign(command.format))
    throw CLI::ValidationError("--format",
                               "'" + command.format + "' " + options.input.format.advice(command.format));
  const graph::UpdateReport report = graph::update_graph(options, *common.reporter, *common.stop);
  for (const std::string& problem : report.problems) common.reporter->warn(problem);
  if (report.skipped > 0) print("skipped     {} lines\n", counted(report.skipped));
  tell_edit(report.edit, common);
}

Verb add_update(CLI::App& app, Common& common) {
  auto options = std::make_shared<UpdateCommand>();
  app.add_option("--db", options->database, "database, a folder")->required();
  app.add_option("--add", options->add,
                 "file of facts to be added, in any format of kgwalk ingest; repeatable")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(input_file());
  app.add_option("--remove", options->remove,
                 "file of facts to be retracted, before others are added; repeatable")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(input_file());
  app.add_option("--format", options->format, "of all files; default by their extensions");
  app.add_option("--author", options->author, "who edits; default the name of the session's user");
  app.add_flag("--strict", options->strict,
               "stop at a bad line, and at a fact to be retracted that is not there");
  return [options, &common] { run(*options, common); };
}

const Registration kUpdateCommand({.name = "update",
                                   .help = "add facts of files to a graph and retract others, as one edit",
                                   .example = "--db films.db --add new.tsv --remove gone.tsv",
                                   .add = add_update,
                                   .group = Group::kGraph,
                                   .place = 3});

}  // namespace
}  // namespace kgwalk::cli
