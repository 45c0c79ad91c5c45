// The workspace of a command line: the one that --workspace names, else KGWALK_WORKSPACE does, else the
// folder that the program is called in where that is one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workflows/workspace.h"

namespace kgwalk::cli {

// nullopt where there is none and none was named. ConfigError when the named one is none, or its file is
// damaged.
[[nodiscard]] std::optional<Workspace> find_workspace(const std::string& named);

// The command line with what the workspace knows added to it, where neither the command line nor the
// environment (KGWALK_DB) says it: the database of every command that needs one, and the runs that trainings
// and evaluations write and read.
[[nodiscard]] std::vector<std::string> with_workspace(const CLI::App& app, std::vector<std::string> args);

}  // namespace kgwalk::cli
