// Two things side by side, where nothing but them is said: what they have in common, how they differ.
// Torch-free but for what was heard.
#pragma once

#include <optional>

#include "listening/network/listener.h"
#include "planner/answering/answering_turn.h"

namespace kgwalk {

// "What do X and Y have in common", "compare X and Y"; nullopt where it is something else that is asked.
[[nodiscard]] std::optional<AnsweredTurn> side_by_side(AnsweringTurn& turn,
                                                       const listening::HeardParts& parts,
                                                       const listening::Lexicon& lexicon);

}  // namespace kgwalk
