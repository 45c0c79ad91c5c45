// The pages of the options of everything that can be trained, in Markdown: one of those that users set, one
// of those that only comparisons do.
#pragma once

#include <string>
#include <vector>

#include "cli/about/ablations.h"
#include "cli/frame/command.h"

namespace kgwalk::cli {

// Values that are allowed: choices, "1 to 1,048,576", or the type.
[[nodiscard]] std::string range_of(const OptionDoc& option);

// A section a task. What several tasks have alike (a trainer, a stack of layers) is told once, below them.
// ConfigError when an ablation is none of the options.
[[nodiscard]] std::string options_page(const std::vector<Configurable>& tasks, Audience audience);

}  // namespace kgwalk::cli
