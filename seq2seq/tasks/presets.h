// Presets of the sequence tasks: seq2seq/presets/TASK_NAME.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"

namespace kgwalk::seq2seq {

// E.g. task "mt", name "plain" for mt_plain.json; ConfigError names the nearest one when there is none.
[[nodiscard]] Json task_preset(std::string_view task, std::string_view name);
[[nodiscard]] std::vector<std::string> task_preset_names(std::string_view task);

}  // namespace kgwalk::seq2seq
