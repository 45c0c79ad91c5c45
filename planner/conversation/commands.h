// The commands of a conversation: lines that begin with '/'.
#pragma once

#include <string>
#include <string_view>

#include "planner/conversation/talk.h"

namespace kgwalk {

// Does what `line` says and returns what is to be shown: for /help the list of commands, for an unknown one
// the nearest.
[[nodiscard]] std::string run_command(Talk& talk, std::string_view line);

}  // namespace kgwalk
