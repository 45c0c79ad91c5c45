// Lists of words and wordings that questions are made with: attributes.txt, asides.txt, unsaid.txt and
// asked.txt of data/words, compiled in. Torch-free.
#pragma once

#include <string>
#include <vector>

#include "dialogue/questions/bank.h"
#include "listening/words/families.h"

namespace kgwalk::listening {

// What people ask of things and graphs rarely have.
struct Attributes {
  std::vector<std::string> nouns;    // "email address"
  std::vector<std::string> counted;  // "how many windows"
  std::vector<std::string> verbs;    // "what does X eat for breakfast"
};
[[nodiscard]] const Attributes& rare_attributes();

// What people add to a question and what asks nothing itself.
struct Asides {
  std::vector<std::string> front;   // "do you know"
  std::vector<std::string> behind;  // ", just curious"
  std::vector<std::string> inside;  // "do people use"
};
[[nodiscard]] const Asides& asides();

// Whole questions of this kind, {x} being what is asked about: "can {x} swim".
struct UnsaidWording {
  EndKind kind = EndKind::kUnknown;  // of what may be asked so; kUnknown: anything
  std::string text;
};
[[nodiscard]] const std::vector<UnsaidWording>& unsaid_wordings();

// How people ask for families of relations. Their `relations` are names of families of families.txt.
[[nodiscard]] const dialogue::Bank& asked_wordings();

// Names of the place or religion that is called so, or whose adjective or people are: "danish" gives Denmark,
// "buddhist" Buddhism, "usa" each name of the United States. Empty for other words.
[[nodiscard]] const std::vector<std::string>& places_called(std::string_view folded);

}  // namespace kgwalk::listening
