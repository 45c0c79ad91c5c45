// A command line as a value: all verbs and options as json, and the same command line made of it again. The
// program describes itself when it is built; its front (cli/front) is made of that description and so can
// show help and refuse wrong use without loading what the verbs need.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "kgwalk/json.h"

namespace kgwalk::cli {

// Names, help, defaults, ranges, choices, and what needs or excludes what; of `app` and its own verbs.
[[nodiscard]] Json describe_app(const CLI::App& app);

// Shows the same help and refuses the same words; parsing sets nothing. A check that the description cannot
// hold is left to the program.
void add_described(CLI::App& app, const Json& description);

}  // namespace kgwalk::cli
