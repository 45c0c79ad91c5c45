// Examples of acts from the wordings of data/words/acts.txt, compiled in. Torch-free.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "listening/acts/act.h"
#include "runtime/random.h"

namespace kgwalk::listening {

struct ActWording {
  Act act = Act::kQuestion;
  std::string text;                  // with its marks {x} {y} {t} (a|b)
  std::vector<ActContext> contexts;  // one of them comes before
};

[[nodiscard]] std::span<const ActWording> act_wordings();
// Whether the wordings of what is no question and tells nothing of the graph use the word: "once" of "once
// more".
[[nodiscard]] bool is_word_of_acts(std::string_view folded);
// Of a file's text. DataError names the file and the line.
[[nodiscard]] std::vector<ActWording> read_act_wordings(std::string_view text, const std::string& name);

// A wording is drawn the more often the more texts it stands for; names are drawn from `names`, and what is
// typed varies as people type. Deterministic by the state of `random`. ConfigError when there are no names.
[[nodiscard]] std::vector<ActExample> act_examples(std::span<const std::string> names, std::size_t count,
                                                   Random& random);

}  // namespace kgwalk::listening
