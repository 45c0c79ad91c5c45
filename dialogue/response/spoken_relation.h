// A relation that nobody has worded, as words of a sentence. Torch-free.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::dialogue {

// kNoun: "color of the eyes", "population". kNounOf: "capital of". kVerb: "designed", "wrote about".
// kParticiple: "directed by", "born in".
enum class RelationForm { kNoun, kNounOf, kVerb, kParticiple };

struct SpokenRelation {
  std::string words;
  RelationForm form = RelationForm::kNoun;
};

// By rules for English on the words of the name, which must not begin with ~. "has_color" counts as "color".
[[nodiscard]] SpokenRelation spoken_relation(std::string_view relation);

}  // namespace kgwalk::dialogue
