// What a client may do in a turn: say something, or one of the things that a conversation's commands do.
#pragma once

#include "kgwalk/conversation.h"
#include "kgwalk/json.h"

namespace kgwalk::server {

// The properties of a turn, for schemas: "say", "goal", "from", "take", "take_hop", "auto", "undo".
[[nodiscard]] Json action_properties();

// Does the one thing that `action` names. ConfigError when it names none or several.
[[nodiscard]] Conversation::Reply act(Conversation& conversation, const Json& action);

// As people read it in a transcript: what was said, or "/goal Crime".
[[nodiscard]] std::string action_text(const Json& action);

}  // namespace kgwalk::server
