// Who does what a relation's verbs say: "X influenced Y" tells a relation "influenced by" from its other end.
// Torch-free.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "listening/words/families.h"

namespace kgwalk::listening {

// Which ends of a relation are the subject of a verb and which its object: the tail of "director" directs,
// the head is directed. The object stands behind no preposition.
struct VerbEnds {
  enum End : unsigned char { kHead, kTail };
  std::array<bool, 2> acts = {}, takes = {};  // by End
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
