// A relation that nobody has worded, as words of a sentence. Torch-free.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kgwalk::dialogue {

// kNoun: "color of the eyes", "population". kNounOf: "capital of". kVerb: "designed", "wrote about".
// kParticiple: "directed by", "born in". kNouns: "employees", "languages spoken". kPresent: "flows through",
// "works for", "borders", "is part of".
enum class RelationForm { kNoun, kNounOf, kVerb, kParticiple, kNouns, kPresent };

[[nodiscard]] constexpr bool is_noun(RelationForm form) {
  return form == RelationForm::kNoun || form == RelationForm::kNouns;
}

struct SpokenRelation {
  std::string words;
  RelationForm form = RelationForm::kNoun;
};

// By rules for English on the words of the name, which must not begin with ~. "has_color" counts as "color".
[[nodiscard]] SpokenRelation spoken_relation(std::string_view relation);

// "film appeared in": whatever its form, no noun that "the" stands before.
[[nodiscard]] bool ends_with_preposition(std::string_view words);

// Present verbs as several do it: "flow through", "are part of".
[[nodiscard]] std::string plural_verb(const std::string& words);

// "was founded" for "founded", which "in 1947" may follow; "died" as it is. Empty where the words are no
// single verb of the past.
[[nodiscard]] std::string happened(const SpokenRelation& relation, bool many);

// What yes and no are read as ("1", "False"), in any case; nothing for other values.
[[nodiscard]] std::optional<bool> yes_or_no(std::string_view value);

// "is radioactive" of "is_radioactive: 1", "has no rings" of "has_rings: false". Empty where the relation's
// name does not begin with "is", "was", "has" or "can", or the value is neither yes nor no.
[[nodiscard]] std::string flag_predicate(std::string_view relation, std::string_view value);

// What stands on an edge between two names, in either direction: "directed by", and "directed" for
// ~directed_by; "genre" and "genre of". Where English has no short word for the way back the arrow tells it:
// "← born in".
[[nodiscard]] std::string relation_label(std::string_view relation);

}  // namespace kgwalk::dialogue
