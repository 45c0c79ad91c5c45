// What a few words ask again of the question before: "and Spain?" behind "does France border Italy", "and the
// smallest?" behind the largest. Torch-free but for what was heard.
#pragma once

#include <optional>

#include "listening/network/listener.h"
#include "planner/answering/focus.h"

namespace kgwalk {

// The last check with what is named alone in the place of that end which it can be, the one that was asked
// about last before the other; nullopt where no check went before, where another was heard, and where what
// is named can be neither.
[[nodiscard]] std::optional<listening::HeardForm> check_again(const listening::HeardUtterance& heard,
                                                              const Focus& before,
                                                              const listening::ListenedGraph& graph);

// The other end of the last order, where nothing is said but which end; nullopt where the last question
// ordered nothing, and where the word goes by something else that those ordered have ("the heaviest" behind
// the tallest).
[[nodiscard]] std::optional<listening::HeardForm> order_again(const listening::HeardUtterance& heard,
                                                              const Focus& before,
                                                              const listening::ListenedGraph& graph);

}  // namespace kgwalk
