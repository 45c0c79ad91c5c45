// `kgwalk eval --success`: how often walks reach a goal, and how natural they are; of one run or of several
// beside one another.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "rl/training/measure.h"

namespace kgwalk::cli {

struct SuccessCommand {
  std::vector<std::string> runs;  // of either stage, or searches (rl::SearchWay)
  std::string database, text;     // empty: as the first run was trained
  std::string stage1, simulator;
  std::string plot;        // SVG file: success over naturalness, a line a distance, a point a run
  std::string walks_file;  // all walks, a line of json each
  rl::SuccessOptions walks;
};

void add_success_options(CLI::App& app, SuccessCommand& command);
void run_success(const SuccessCommand& command, const Common& common);

}  // namespace kgwalk::cli
