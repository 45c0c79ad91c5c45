// What the commands that change a graph have in common.
#pragma once

#include <filesystem>
#include <string>

#include "cli/frame/command.h"
#include "kgwalk/edits.h"

namespace kgwalk::cli {

// The name of the user that runs the program; empty where the session has none.
[[nodiscard]] std::string author_of_session();
// ConfigError for a database of a packed model.
void refuse_packed(const std::filesystem::path& database);
void tell_edit(const graph::EditReport& report, const Common& common);

}  // namespace kgwalk::cli
