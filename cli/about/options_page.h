// The page of every option of everything that can be trained, in Markdown.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/command.h"

namespace kgwalk::cli {

// Values that are allowed: choices, "1 to 1,048,576", or the type.
[[nodiscard]] std::string range_of(const OptionDoc& option);

// A section a task. What several tasks have alike (a trainer, a stack of layers) is told once, below them.
[[nodiscard]] std::string options_page(const std::vector<Configurable>& tasks);

}  // namespace kgwalk::cli
