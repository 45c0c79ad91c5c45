// Questions for others than what was named.
#include "listening/questions/english.h"
#include "listening/questions/wording.h"

namespace kgwalk::listening {

using graph::RelationId;

std::string Wording::ask_more(RelationId relation, const std::string& x, const EntitySet& reached) {
  const SaidRelation& own = said(relation);
  const std::string ts = plural_of(set_noun(reached, relation)),
                    wh = own.head == EndKind::kPerson ? "who" : "what";
  if (!backward(relation)) {
    const std::string n = noun(relation);
    return n.empty() ? wh + " else"
                     : one_of({"which other " + plural_of(n) + " does " + x + " have",
                               "what other " + plural_of(n) + " has " + x, "any other " + n + " of " + x});
  }
  Lines out = {"what other " + ts + " does " + x + " have", "other " + ts + " of " + x,
               "which other " + ts + " are by " + x};
  for (const Done& verb : own.done)
    out.insert(out.end(),
               {wh + " else did " + x + " " + verb.base, wh + " else has " + x + " " + verb.participle,
                "which other " + ts + " did " + x + " " + verb.base,
                "what other " + ts + " has " + x + " " + verb.participle,
                "did " + x + " " + verb.base + " other " + ts, "what more did " + x + " " + verb.base});
  for (const Verb& verb : own.acts)
    out.insert(out.end(), {wh + " else " + did(verb, x), "what other " + ts + " " + did(verb, x)});
  if (is_taken_part_in(own))
    out.insert(out.end(), {wh + " else is " + x + " in", wh + " else was " + x + " in",
                           wh + " else has " + x + " been in", "what other " + ts + " is " + x + " in",
                           "what other " + ts + " has " + x + " been in"});
  return pick(out, random_);
}

std::string Wording::ask_same(RelationId relation, const std::string& x, const EntitySet& reached) {
  const std::string n = noun(relation);
  if (n.empty()) return "";
  const std::string ts = plural_of(set_noun(reached, draws_.graph().inverse(relation)));
  if (backward(relation)) return "who or what else is " + n + " of the same " + singular_of(ts) + " as " + x;
  return one_of({"which " + ts + " have the same " + n + " as " + x,
                 "what else has the same " + n + " as " + x, ts + " with the same " + n + " as " + x,
                 "more " + ts + " of the same " + n + " as " + x, x + ": what else is there of the same " + n,
                 "list the " + ts + " with the same " + n + " as " + x,
                 "which other " + ts + " share their " + n + " with " + x});
}

std::string Wording::ask_others(RelationId relation, const std::string& x, const std::string& inner,
                                const EntitySet& reached) {
  if (backward(relation)) return "";
  const SaidRelation& own = said(relation);
  const std::string ts = plural_of(set_noun(reached, draws_.graph().inverse(relation)));
  const std::string who = own.tail == EndKind::kPerson ? "they" : "it";
  Lines out = {"what other " + ts + " are there by " + inner,
               "other " + ts + " of " + inner,
               "what else is by " + inner,
               "are there more " + ts + " by " + inner,
               "name another of the " + ts + " by " + inner,
               "another " + singular_of(ts) + " by " + inner,
               "more " + ts + " from " + inner,
               "anything else by " + inner,
               "what more is there by " + inner,
               "give me another " + singular_of(ts) + " of " + inner,
               ts + " by " + inner,
               "does " + inner + " have other " + ts,
               "which " + ts + " are also by " + inner,
               "what else has " + inner + " done",
               "what else has " + inner + " made"};
  for (const Done& verb : own.done)
    out.insert(
        out.end(),
        {"what else did " + inner + " " + verb.base, "what other " + ts + " did " + inner + " " + verb.base,
         "which other " + ts + " were " + verb.participle + " by " + inner,
         "which " + ts + " were also " + verb.participle + " by " + inner,
         "what other " + ts + " has " + inner + " " + verb.participle,
         "whoever " + verb.past + " " + x + ", what else did " + who + " " + verb.base,
         "name other " + ts + " " + verb.participle + " by whoever " + verb.past + " " + x,
         inner + ": what else was " + verb.participle + " by " + (who == "they" ? "them" : "it")});
  for (const Verb& verb : own.acts)
    out.insert(out.end(), {"what else did " + inner + " " + verb.base,
                           "what other " + ts + " has " + inner + " been in"});
  return pick(out, random_);
}

}  // namespace kgwalk::listening
