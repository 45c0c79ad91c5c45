// Options that name the models of a server: [NAME=]FILE, or a database and a run.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "server/state/model.h"

namespace kgwalk::cli {

struct ServedModels {
  std::vector<std::string> files;  // "NAME=FILE" or "FILE"
  server::ModelSource one;         // by --db and --run
  std::string recognizer;          // of the first

  void add_options(CLI::App& app);
  // ConfigError when a file is none of a model; ValidationError when there is no model, or half of one.
  [[nodiscard]] std::vector<server::ModelSource> read() const;
};

}  // namespace kgwalk::cli
