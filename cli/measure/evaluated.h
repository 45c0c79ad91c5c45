// Options that the evaluations of walkers have in common: the runs or the packed model that is measured, and
// the file of ranks.
#pragma once

#include <filesystem>

#include "cli/frame/command.h"
#include "kgwalk/evaluation.h"

namespace kgwalk::cli {

// [MODEL], --run, --db and --text.
void add_measured(CLI::App& app, MeasuredModel& of, const char* runs_help);
void add_other_graph(CLI::App& app, MeasuredModel& of);
// RequiredError where neither a packed model nor a run is named.
void need_model(const MeasuredModel& of);
// The option --ranks.
void add_ranks(CLI::App& app, std::filesystem::path& file);

}  // namespace kgwalk::cli
