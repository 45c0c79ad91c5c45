// What a client is told after a turn.
#pragma once

#include <string>

#include "kgwalk/conversation.h"
#include "kgwalk/json.h"

namespace kgwalk::server {

// What is said for a reply: the one place where all doors get their text from.
[[nodiscard]] std::string spoken(const Conversation::Reply& reply);

// {"at", "goal", "distance", "offered", "taken", "plan"}: null where there is none.
[[nodiscard]] Json standing_as_json(const Standing& standing);
[[nodiscard]] Json plan_json(const Plan& plan);  // as plan_as_json()
[[nodiscard]] Json hop_json(const NamedHop& hop);
[[nodiscard]] Json hops_json(const std::vector<NamedHop>& hops);

}  // namespace kgwalk::server
