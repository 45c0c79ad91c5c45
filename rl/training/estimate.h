// What a walker takes the distance to a goal for.
#pragma once

#include "rl/environment/route_search.h"
#include "walker/model.h"

namespace kgwalk::rl {

// By the distance factors that the walker compares candidates and goal with; null where it does not. `model`
// is borrowed.
[[nodiscard]] EstimatedHops estimate_of(const walker::WalkModel& model);

}  // namespace kgwalk::rl
