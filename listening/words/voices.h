// Who does what a relation's verbs say: "X influenced Y" tells a relation "influenced by" from its other end.
// Torch-free.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "listening/words/families.h"

namespace kgwalk::listening {

// The ends of a relation that are subject or object of a verb, a bit each.
struct VerbEnds {
  bool head_acts = false, tail_acts = false;    // it does it: the tail of "director" directs
  bool head_takes = false, tail_takes = false;  // it is done to it, with no preposition
};

struct RelationVoices {
  std::vector<std::pair<std::string, VerbEnds>> verbs = {};  // by verb_stem()
  // nullptr where the stem is of no verb of it.
  [[nodiscard]] const VerbEnds* of(std::string_view stem) const;
};

// The stem of a folded word; empty where its ending makes it a noun: "direction", "director".
[[nodiscard]] std::string verb_stem(std::string_view folded);

// By the words of its name and by the verbs of its family.
[[nodiscard]] RelationVoices voices_of(std::span<const std::string> words, const Family* family);

}  // namespace kgwalk::listening
