// The verbs of `kgwalk task`, a file each.
#pragma once

#include "cli/command.h"

namespace kgwalk::cli {

// Each adds its subcommand to `task`; what it returns does nothing when another one was asked for.
Verb add_mt(CLI::App& task, Common& common);
Verb add_lm(CLI::App& task, Common& common);

}  // namespace kgwalk::cli
