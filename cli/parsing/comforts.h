// What makes the command line kinder: settings from the environment, and the nearest name for a mistyped one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kgwalk::cli {

// Options that have a value in the environment where the command line gives none: --db KGWALK_DB (where a
// verb needs one), --threads KGWALK_THREADS, --device KGWALK_DEVICE, --seed KGWALK_SEED; of `app` and its own
// verbs.
void read_environment(CLI::App& app);

// What is wrong with the first command, option or word that is not known, with the name that is nearest to
// it; empty where all are known. A word that an option or a verb takes is not looked at.
[[nodiscard]] std::string wrong_word(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace kgwalk::cli
