// A response of OpenAI's API as json, and as the events of its stream.
#pragma once

#include <string>

#include "server/doors/spoken_turn.h"
#include "server/http/message.h"

namespace kgwalk::server {

// "resp_0f3a..." and, of the message in it, "msg_0f3a...": one tells the other.
[[nodiscard]] std::string message_id(const std::string& response_id);
// "" when it is no id of a message.
[[nodiscard]] std::string response_id_of(const std::string& message_id);

// What the request gave and the answer does not change. `input` is the request's body.
[[nodiscard]] Json response_begun(const std::string& id, const std::string& model, const Json& input);
// The same with the message, the usage and what stands beside it.
[[nodiscard]] Json response_done(Json begun, const SpokenTurn& turn, int prompt_tokens);

// Writes all events of a response that is done, as the official clients expect them.
void send_events(Sink& sink, const Json& begun, const Json& done, const SpokenTurn& turn);

}  // namespace kgwalk::server
