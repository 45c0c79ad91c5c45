// `kgwalk eval --routes`: walks between the ends of real dialogues, beside what people did.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace kgwalk::cli {

struct RoutesCommand {
  std::vector<std::string> runs;  // of either stage, or searches
  std::string database, text, stage1, split, walks_file;
};

void run_routes(const RoutesCommand& command, const Common& common);

}  // namespace kgwalk::cli
