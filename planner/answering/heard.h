// What an utterance that was heard comes to: the act, the likeliest form, what it names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "listening/network/listener.h"

namespace kgwalk {

// The act heard. What names a thing of the graph asks nothing about the assistant.
[[nodiscard]] listening::Act act_of(const listening::HeardUtterance& heard, bool names);
// Whether an act that is not the likeliest is likely enough to be meant where nothing else can be.
[[nodiscard]] bool may_be(const listening::HeardUtterance& heard, listening::Act act);

// The likeliest form, or that the graph has nothing of what is asked, where that is likelier than all the
// rest. There is at least one.
[[nodiscard]] const listening::HeardForm& best_of(const listening::HeardUtterance& heard);

// Whether there is one at all is asked: what a sentence is heard as, too, that leaves out what it means ("did
// Hanks direct") or names something unknown ("is Lagos the capital of Kenya").
[[nodiscard]] bool asks_whether_any(const listening::HeardForm& form);

// "Are there films with X", "do you know any": whether a set has members is asked, and which they are is
// welcome.
[[nodiscard]] bool asks_whether_there_are(const listening::HeardForm& form,
                                          const listening::HeardParts& parts);

// "Could I watch X in French", heard as in which languages X is: what is told has what was asked about.
[[nodiscard]] bool says_so(const listening::HeardForm& form, const listening::HeardParts& parts);

// "Where is Heathrow": nothing but the name says what is asked about, which is why a name that is unknown is
// told rather than that the graph is all there is.
[[nodiscard]] bool is_of_name_alone(const listening::SaidText& said, std::string_view name);

// What is named most surely, and last of these; a year or a number only where nothing else is.
[[nodiscard]] std::optional<graph::EntityId> named_surely(const listening::HeardUtterance& heard);
// The name as it was said; empty where it was not.
[[nodiscard]] std::string name_as_said(const listening::HeardUtterance& heard,
                                       std::optional<graph::EntityId> entity);
// "I meant X", "sorry, X", "X", "of X": what is named where nothing is asked or told of it.
[[nodiscard]] std::optional<graph::EntityId> named_alone(const listening::HeardUtterance& heard);
// "And X?", "what about X", "of X": the same, after a question that named nothing.
[[nodiscard]] std::optional<graph::EntityId> named_instead(const listening::HeardUtterance& heard);

struct Namesakes {
  std::vector<graph::EntityId> entities;  // the likeliest first
  std::string name;                       // as it was said
};
// Things of one name that are as likely to be meant as the likeliest, where the rest of the form is the same.
[[nodiscard]] std::optional<Namesakes> namesakes(const listening::HeardUtterance& heard,
                                                 const listening::HeardForm& best);

// "What are the aliases of it", "what else is it called".
[[nodiscard]] bool asks_for_other_names(const listening::SaidText& said);

// Whether the form leads along a relation that is called a name: "alias", "birth name".
[[nodiscard]] bool asks_for_a_name(const listening::HeardForm& form, const listening::Lexicon& lexicon);

// "Which one?", "in which films": asks for what there was said to be, and names nothing.
[[nodiscard]] bool asks_which_alone(const listening::HeardParts& parts);

// "Did he write anything else": a check that names nobody it is of, and means what there is beside what is
// known.
[[nodiscard]] bool asks_for_others(const listening::HeardForm& form, const listening::HeardParts& parts);

// "Is there something else", "what others": nothing in it says of what.
[[nodiscard]] bool says_no_more_than_rest(const listening::SaidText& said);

}  // namespace kgwalk
