// What a plan gives to say. Torch-free.
#pragma once

#include <cstddef>

#include "dialogue/response/message.h"
#include "kgwalk/plan.h"

namespace kgwalk {

// The answer, or where nothing was asked the path with this place. ConfigError where there is no such path.
[[nodiscard]] dialogue::Message message_of(const Plan& plan, std::size_t path);

}  // namespace kgwalk
