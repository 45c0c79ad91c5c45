// What was said, cut where one thing ends and another begins: "Hi! Who directed Heat and when was it made?".
// Torch-free.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "listening/candidates/candidates.h"

namespace kgwalk {

// Sentences, at marks that end one outside of names; the text itself where it is one. `parts`: of the whole
// text.
[[nodiscard]] std::vector<std::string> sentences_of(const listening::HeardParts& parts);

// "Which ones?", "and who are they": asks for nothing but what was counted or said to be there.
[[nodiscard]] bool asks_which(std::string_view sentence);

// A sentence that may be two questions, at "and" or a comma before a question word outside of names. Whether
// it is two is for the hearer to judge.
struct TwoQuestions {
  std::string first, second;
  bool refers = false;  // the second speaks of the first with a pronoun: surely a question of its own
};
[[nodiscard]] std::optional<TwoQuestions> two_questions(const listening::HeardParts& parts);
// "The director and the year of X" as "the director of X" and "the year of X"; nothing where no "and" stands
// between words that may be such.
[[nodiscard]] std::optional<TwoQuestions> two_attributes(const listening::HeardParts& parts);

// The question again with `instead` in place of the name that was said in it; where it names nothing, in
// place of its pronoun, else behind it: "how long is it" and "what is the capital" of something else.
[[nodiscard]] std::string with_name(const std::string& said, const std::string& name,
                                    std::string_view instead);

}  // namespace kgwalk
