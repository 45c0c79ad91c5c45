// What the assistant replies to acts that ask nothing of the graph: data/responses/acts.txt, compiled in.
// Torch-free.
#pragma once

#include <span>
#include <string>

#include "listening/acts/act.h"

namespace kgwalk::listening {

// One of several phrases, another from turn to turn; it names no fact. `examples`: things that can be asked,
// for kAbilities, kGreeting, kUnsure and kOutside; they follow in quotation marks. Phrases for kYes, kNo,
// kRepeat, kWhy, kCorrection, kMore and kAll are for when nothing came before that they could go on from. ""
// for kQuestion and kTellAbout, which are answered from the graph.
[[nodiscard]] std::string reply_to(Act act, std::size_t turn, std::span<const std::string> examples = {});

}  // namespace kgwalk::listening
