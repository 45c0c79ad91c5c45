// What a newcomer is shown: what the graph is about, questions that the model answers, goals that it reaches.
// All of it is made from the graph and tried with the model.
#pragma once

#include "kgwalk/conversation.h"
#include "kgwalk/json.h"

namespace kgwalk {

// {"kinds": [{"kind", "entities", "examples"}], "questions": [{"question", "answer"}],
//  "goals": [{"from", "goal", "hops"}]}
//
// At most five questions, of different relations and about what the graph knows most of: those whose answer
// names all that is right. A walker that does not listen has sentences that name an entity instead. At most
// three goals, to which a walk was led; none for a walker of stage 1. Takes about as long as forty turns.
[[nodiscard]] Json introduction_of(const Conversation& model);

}  // namespace kgwalk
