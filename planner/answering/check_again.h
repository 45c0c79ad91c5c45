// The same check of another thing: "and Spain?" behind "does France border Italy". Torch-free but for what
// was heard.
#pragma once

#include <optional>

#include "listening/network/listener.h"
#include "planner/answering/focus.h"

namespace kgwalk {

// The last check with what is named alone in the place of that end which it can be, the one that was asked
// about last before the other; nullopt where no check went before, where another question was heard, and
// where what is named can be neither.
[[nodiscard]] std::optional<listening::HeardForm> check_again(const listening::HeardUtterance& heard,
                                                              const Focus& before,
                                                              const listening::ListenedGraph& graph);

}  // namespace kgwalk
