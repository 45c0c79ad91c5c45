// Questions in which one word says what is asked, whatever stands around it.
#include "listening/questions/english.h"
#include "listening/questions/wording.h"

namespace kgwalk::listening {

using graph::RelationId;

std::string Wording::ask_around(const std::string& w, const std::string& x, const std::string& wh,
                                const std::string& t) {
  const std::string owner = owner_of(x), a = with_article(w);
  return one_of({"what " + w + " " + x,
                 wh + " " + w + " " + x,
                 "which " + t + " " + w + " " + x,
                 x + " " + w,
                 "what is the " + w + " of " + x,
                 owner + " " + w,
                 wh + " did " + x + " " + w,
                 wh + " is " + x + " " + w,
                 wh + " is " + w + " in " + x,
                 "which " + w + " is of " + x,
                 w + " of " + x,
                 w + " for " + x,
                 x + " and " + w,
                 "whose " + w + " is in " + x,
                 "whose " + w + " has " + x,
                 "what about the " + w + " in " + x,
                 wh + " gave " + x + " " + a,
                 wh + " had the " + w + " for " + x,
                 wh + " is behind the " + w + " of " + x,
                 wh + " made the " + w + " in " + x,
                 wh + " took " + x + " to the " + w,
                 wh + " put " + w + " into " + x,
                 wh + " brought " + w + " to " + x,
                 "which " + t + " got " + x + " for " + w,
                 "which " + t + " has the " + w + " of " + x,
                 "what can be said about " + w + " and " + x,
                 "anything about " + w + " for " + x + " here",
                 "how does " + x + " stand with " + w,
                 "in terms of " + w + ", what does " + x + " have",
                 "when it comes to " + w + ", what is " + x,
                 "tell me something on the " + w + " of " + x,
                 x + " has which " + w,
                 "what does " + x + " call its " + w,
                 "where does " + x + " have the " + w,
                 wh + " may " + x + " thank for " + w});
}

std::string Wording::ask_loosely(RelationId relation, const std::string& x, const EntitySet& reached) {
  const SaidRelation& own = said(relation);
  if (own.loose.empty()) return "";
  const EndKind kind = backward(relation) ? own.head : own.tail;
  const std::string wh = kind == EndKind::kPerson ? "who" : kind == EndKind::kPlace ? "where" : "what";
  return ask_around(pick(own.loose, random_), x, wh, set_noun(reached, relation));
}

}  // namespace kgwalk::listening
