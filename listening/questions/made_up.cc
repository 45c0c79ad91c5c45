#include "listening/questions/made_up.h"

#include "listening/questions/english.h"

namespace kgwalk::listening {

std::string made_up_word(Random& random) {
  std::string word;
  const std::size_t syllables = 1 + random.below(2);
  for (std::size_t i = 0; i <= syllables; ++i) {
    word += pick({"b", "br", "d", "dr", "f",  "g", "gl", "k", "kr", "l", "m", "n",
                  "p", "qu", "r", "s",  "st", "t", "tr", "v", "w",  "z", "zw"},
                 random);
    word += pick({"a", "e", "i", "o", "u", "oo", "ae", "y"}, random);
  }
  return word + std::string(pick({"", "n", "r", "lt", "x", "ss", "rd", "m"}, random));
}

std::string made_up_name(Random& random) {
  std::string name = capitalized(made_up_word(random));
  if (happens(random, 0.6)) name.append(1, ' ').append(capitalized(made_up_word(random)));
  return name;
}

}  // namespace kgwalk::listening
