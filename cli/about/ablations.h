// Options that only comparisons set: the ablations of papers, variants that presets stand for, what
// measurements tried. They are set like others, by the same names, so that every run and file of before
// opens; `kgwalk config` shows them behind --ablations, and a page of their own tells them.
#pragma once

#include <string_view>
#include <vector>

#include "cli/frame/command.h"

namespace kgwalk::cli {

enum class Audience { kUsers, kComparisons };

// The options of `task` for one of both, in their order.
[[nodiscard]] std::vector<OptionDoc> options_for(Audience audience, std::string_view task,
                                                 const std::vector<OptionDoc>& all);

[[nodiscard]] bool is_ablation(std::string_view task, std::string_view option);

// ConfigError naming an ablation that no task has as an option.
void refuse_unknown_ablations(const std::vector<Configurable>& tasks);

}  // namespace kgwalk::cli
