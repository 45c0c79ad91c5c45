// One turn of a conversation as OpenAI's clients hold it: what was said before is recalled or followed anew,
// the last line is answered, and the answer is put into the form that was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/doors/chat_fields.h"
#include "server/state/model.h"

namespace kgwalk::server {

struct TurnAsked {
  std::optional<Json> memory = {};      // of the conversation before `since`; what cannot be recalled is not
  std::vector<std::string> since = {};  // lines that it has not heard yet
  std::vector<std::string> all = {};    // lines from the beginning, followed where nothing is recalled
  std::string last = {};                // the line that is answered
};

struct SpokenTurn {
  std::string content;       // as it is sent
  std::string refusal = {};  // set: why there is no content in the form asked for
  bool cut = false;          // at the most tokens wanted
  Json beside = nullptr;     // what stands beside the message: said, reply, plan, where the walk is
  Json memory = nullptr;     // to go on from
};

// Refusal (400) for a form that cannot be filled, and for a last line that says nothing.
[[nodiscard]] SpokenTurn spoken_turn(const Model& model, const TurnAsked& asked, const ChatWish& wish);

}  // namespace kgwalk::server
