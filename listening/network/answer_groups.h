// Candidates by what they answer: many forms have one answer, and what is told is the answer. Torch-free.
//
// Shapes: C candidates, G distinct answers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "listening/candidates/question.h"

namespace kgwalk::listening {

// Two sets told are one answer where they have the same members, two counted where they have as many; "yes"
// is one and "no" is one, and so is each amount.
struct AnswerGroups {
  std::vector<std::int32_t> of;  // [C, 2] group of the candidate told and counted; -1: it is not counted
  std::int32_t count = 0;        // G
};
[[nodiscard]] AnswerGroups group_answers(std::span<const Candidate> candidates);

// The groups that answer the question right, ascending: several where named things may be left out.
[[nodiscard]] std::vector<std::int32_t> right_groups(const FormQuestion& question,
                                                     std::span<const Candidate> candidates,
                                                     std::span<const HeardMention> mentions,
                                                     const AnswerGroups& groups);

// Probabilities added up by group, [G]; log_probs [C, 2].
[[nodiscard]] std::vector<double> group_probabilities(const AnswerGroups& groups,
                                                      std::span<const float> log_probs);

}  // namespace kgwalk::listening
