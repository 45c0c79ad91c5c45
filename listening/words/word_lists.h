// Lists of words that questions are made with: data/words/attributes.txt and asides.txt, compiled in.
// Torch-free.
#pragma once

#include <string>
#include <vector>

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

}  // namespace kgwalk::listening
