// What several sentences of one utterance were answered with, as one turn. Torch-free.
#pragma once

#include <vector>

#include "planner/answering/answerer.h"

namespace kgwalk {

// What answers is said, else what leads on, else the replies. At least one turn, in the order of the
// sentences; what is spoken of afterwards is that of the last.
[[nodiscard]] AnsweredTurn together(std::vector<AnsweredTurn> turns);

}  // namespace kgwalk
