// Questions with the forms that they were made from. Torch-free.
#pragma once

#include <cstdint>
#include <vector>

#include "listening/questions/form_draws.h"

namespace kgwalk::listening {

// As make_form_questions() makes them (listening/questions/generator.h).
[[nodiscard]] std::vector<DrawnForm> draw_questions(const Lexicon& lexicon, const forms::Engine& engine,
                                                    const QuestionConfig& config, std::uint64_t seed);

}  // namespace kgwalk::listening
