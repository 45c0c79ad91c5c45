// What a client is told after a turn.
#pragma once

#include <string>

#include "kgwalk/conversation.h"
#include "kgwalk/json.h"

namespace kgwalk::server {

// What is shown for a reply, and the sentence in it: the one place where all doors get their texts from.
// Where the assistant says nothing (a command, a line that cannot be followed) what is shown is the sentence.
[[nodiscard]] std::string shown(const Conversation::Reply& reply);
[[nodiscard]] std::string said(const Conversation::Reply& reply);

// {"at", "goal", "distance", "offered", "taken", "steps", "plan"}: null where there is none.
[[nodiscard]] Json standing_as_json(const Standing& standing);
[[nodiscard]] Json plan_json(const Plan& plan);  // as plan_as_json()

}  // namespace kgwalk::server
