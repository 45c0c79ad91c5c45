// A form with what came out in one line, and how its answer was found. Torch-free.
#pragma once

#include <string>

#include "dialogue/telling/tell.h"

namespace kgwalk::dialogue {

// "films directed by Christopher Nolan that came out after 2005: 4".
[[nodiscard]] std::string form_line(const forms::Query& query, const forms::Answer& answer,
                                    const forms::Engine& engine,
                                    const Wordings& wordings = builtin_wordings(),
                                    const TellOptions& options = {});

// The facts that the answer rests on (Engine::evidence()): of a single answer all of them, of several those
// of the first two from `skip` on and how many more there are. Empty where it rests on no fact.
[[nodiscard]] std::string why_sentence(const forms::Query& query, const forms::Answer& answer,
                                       const forms::Engine& engine,
                                       const Wordings& wordings = builtin_wordings(),
                                       const TellOptions& options = {});

}  // namespace kgwalk::dialogue
