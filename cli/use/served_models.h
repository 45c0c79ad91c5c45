// Options that name the models of a server: [NAME=]MODEL, a packed model or a file, or a database and a run.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "server/state/model.h"

namespace kgwalk::cli {

struct ServedModels {
  std::vector<std::string> files;  // "NAME=FILE" or "FILE"
  server::ModelSource one;         // by --db and --run
  std::string recognizer;          // of the first

  void add_options(CLI::App& app);
  // Packed models are unpacked where that was not done before; without any option the workspace's.
  // ConfigError when a file is none of a model; ValidationError when there is no model, or half of one.
  [[nodiscard]] std::vector<server::ModelSource> read(const Common& common) const;
};

}  // namespace kgwalk::cli
