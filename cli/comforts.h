// What makes the command line kinder: settings from the environment, and the nearest name for a mistyped one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kgwalk::cli {

// Options that have a value in the environment where the command line gives none: --db KGWALK_DB (where a verb needs
// one), --threads KGWALK_THREADS, --device KGWALK_DEVICE, --seed KGWALK_SEED; of `app` and its own verbs.
void read_environment(CLI::App& app);

// " (did you mean 'train'?)" for the first command or option in the command line that is not known and near one that
// is; empty otherwise.
[[nodiscard]] std::string suggestion(const CLI::App& app, int argc, const char* const* argv);

}  // namespace kgwalk::cli
