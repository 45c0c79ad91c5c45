// Which of the places that a walker would start from an utterance speaks of. Torch-free.
#pragma once

#include <string_view>
#include <vector>

#include "walker/hearing.h"

namespace kgwalk {

// `starts`: likeliest first. Of a text that names its subject, without a pronoun that refers back, the
// likeliest that it names comes first, whatever was walked last: where nothing is asked a walker keeps to its
// path, but people who name another thing mean that. Otherwise the order stays.
[[nodiscard]] std::vector<walker::ChosenStart> named_first(std::vector<walker::ChosenStart> starts,
                                                           std::string_view text);

}  // namespace kgwalk
