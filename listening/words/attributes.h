// What people ask of things and graphs rarely have: data/words/attributes.txt, compiled in. Torch-free.
#pragma once

#include <string>
#include <vector>

namespace kgwalk::listening {

struct Attributes {
  std::vector<std::string> nouns;    // "email address"
  std::vector<std::string> counted;  // "how many windows"
  std::vector<std::string> verbs;    // "what does X eat for breakfast"
};

[[nodiscard]] const Attributes& rare_attributes();

}  // namespace kgwalk::listening
