// What was said, cut where one thing ends and another begins: "Hi! Who directed Heat and when was it made?". Torch-free.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "listening/candidates/candidates.h"

namespace kgwalk {

// Sentences, at marks that end one outside of names; the text itself where it is one. `parts`: of the whole text.
[[nodiscard]] std::vector<std::string> sentences_of(const listening::HeardParts& parts);

// A sentence that may be two questions, at "and" or a comma before a question word outside of names: both, or nothing.
// Whether it is two is for the hearer to judge.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> two_questions(
    const listening::HeardParts& parts);

}  // namespace kgwalk
