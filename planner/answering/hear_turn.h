// A turn heard with what was spoken of before it, or, where it says all that it means, without.
#pragma once

#include <string_view>

#include "listening/network/listener.h"

namespace kgwalk {

// Whether an utterance asks about what it names and seems to mean nothing that was spoken of: it begins as a
// question or a wish does, or with a kind of things, names something, and has no pronoun, no "else", no "the
// film" that stands for one.
[[nodiscard]] bool stands_alone(const listening::HeardParts& parts);

// One that stands alone is heard so, where that leaves little doubt: "What genre is The Matrix" asks for no
// more of the cast that was spoken of.
[[nodiscard]] listening::HeardUtterance hear_turn(const listening::Listener& listener, std::string_view said,
                                                  const listening::SaidBefore& before);

}  // namespace kgwalk
