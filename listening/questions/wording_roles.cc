// Questions for who played a part: few graphs know parts, and who was in the work answers them.
#include <algorithm>

#include "listening/questions/topic_words.h"
#include "listening/questions/wording.h"

namespace kgwalk::listening {

bool Wording::leads_to_players(graph::RelationId relation) const {
  const SaidRelation& own = said(relation);
  return !backward(relation) && own.tail == EndKind::kPerson &&
         std::any_of(own.acts.begin(), own.acts.end(),
                     [](const Verb& verb) { return verb.base == "play in"; });
}

std::string Wording::ask_by_role(const std::string& x, const std::string& name) {
  std::string text = one_of({"who played " + name,
                             "who plays " + name,
                             "who was " + name,
                             "who is " + name,
                             "who played the part of " + name,
                             "who plays the role of " + name,
                             "who had the role of " + name,
                             "who portrayed " + name,
                             "who portrays " + name,
                             "who acted as " + name,
                             "who starred as " + name,
                             "who appeared as " + name,
                             "who voiced " + name,
                             "who gave " + name + " a voice",
                             "which actor played " + name,
                             "which actor is " + name,
                             "what actress was " + name,
                             "what is the name of the actor who played " + name,
                             "tell me the actor who plays " + name,
                             "the one playing " + name,
                             "by whom was " + name + " played"});
  // Of what is spoken of, the name of the part may be all that is said.
  if (x != kTopic || random_.below(3) == 0) text += one_of({" in ", " in ", " in ", " of "}) + x;
  return text;
}

}  // namespace kgwalk::listening
