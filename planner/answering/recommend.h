// Recommendations: what is like a thing that is named or was spoken of, or some of what was asked for.
// Torch-free but for what was heard.
#pragma once

#include <optional>

#include "listening/network/listener.h"
#include "planner/answering/answering_turn.h"

namespace kgwalk {

// `named`: what the utterance names most surely. Asks back where there is nothing to go by.
[[nodiscard]] AnsweredTurn recommended(AnsweringTurn& turn, const listening::HeardUtterance& heard,
                                       std::optional<graph::EntityId> named,
                                       const listening::Lexicon& lexicon);

}  // namespace kgwalk
