// Which model a verb uses: a packed one, or a database and a run, or those of the workspace.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/frame/command.h"

namespace kgwalk::cli {

struct ModelChoice {
  std::string model;  // packed, or a file that names its parts; what is given beside it counts in its place
  std::string database, run, text;
  std::string simulator, responder;  // a verb that uses them has options for them
  std::string listener;              // likewise; empty = the one that lies in the run
  bool other_graph = false;

  // The packed model may be named without its option where `positional`. `needs_run`: false for what only
  // asks the database.
  void add_options(CLI::App& app, bool positional, bool needs_run = true);
  void add_other_graph(CLI::App& app);
  void add_listener(CLI::App& app);
  // For verbs that take other words too, at least `others` of them: the first word is the model where no
  // option names one and it is a packed model, or where neither environment nor workspace has a model and
  // there are words enough.
  void take_model(std::vector<std::string>& words, std::size_t others);
  // Before anything is opened: fills in what was not given, from the packed model, KGWALK_DB, KGWALK_MODEL or
  // the workspace. RequiredError when there is nothing to open.
  void resolve(const Common& common);

 private:
  bool needs_run_ = true;
};

}  // namespace kgwalk::cli
