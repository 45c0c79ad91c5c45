// Training questions from a graph alone: a form is drawn, put into words by general wordings, and typed as
// people type. Torch-free.
#pragma once

#include <cstdint>
#include <vector>

#include "kgwalk/query.h"
#include "listening/candidates/lexicon.h"
#include "listening/candidates/question.h"
#include "listening/questions/question_config.h"

namespace kgwalk::listening {

// Deterministic by the seed. ConfigError when the graph has no facts to ask about. Fewer than the count where
// too few can be drawn. Those of a conversation follow each other, each with its focus.
[[nodiscard]] std::vector<FormQuestion> make_form_questions(const Lexicon& lexicon,
                                                            const forms::Engine& engine,
                                                            const QuestionConfig& config, std::uint64_t seed);

}  // namespace kgwalk::listening
