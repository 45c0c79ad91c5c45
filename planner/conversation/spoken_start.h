// Which of the places that a walker would start from an utterance speaks of. Torch-free.
#pragma once

#include <span>
#include <string_view>

#include "walker/hearing.h"

namespace kgwalk {

// `starts`: likeliest first, not empty. Of a text that names its subject, without a word that refers back ("it",
// "they"), the likeliest that it names, whatever was walked last; otherwise the likeliest.
[[nodiscard]] graph::EntityId spoken_of(std::span<const walker::ChosenStart> starts, std::string_view text);

}  // namespace kgwalk
