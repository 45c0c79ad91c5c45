// Questions whether something is so.
#include "listening/questions/english.h"
#include "listening/questions/wording.h"

namespace kgwalk::listening {

using graph::RelationId;

std::string Wording::ask_whether(RelationId relation, const std::string& x, const std::string& y) {
  const auto of_bank = bank_.find(relation);
  if (of_bank != bank_.end() && !of_bank->second.verify.empty() && happens(random_, shares_.bank))
    return filled(pick(of_bank->second.verify, random_), x, y);
  if (happens(random_, 0.25))
    if (std::string told = ask_by_telling(relation, x, y); !told.empty()) return told;
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation);
  Lines out;
  if (!n.empty())
    out = {"is " + y + " the " + n + " of " + x,
           "was " + y + " the " + n + " of " + x,
           "is " + y + " " + with_article(n) + " of " + x,
           "does " + x + " have " + y + " as " + n,
           "does " + x + " have the " + n + " " + y,
           "is the " + n + " of " + x + " " + y,
           "is " + owner_of(x) + " " + n + " " + y,
           "did " + x + " have the " + n + " " + y,
           "is " + y + " " + n + " of " + x,
           y + " is the " + n + " of " + x};
  for (const Done& verb : own.done)
    out.insert(out.end(),
               {"did " + y + " " + verb.base + " " + x, "was " + x + " " + verb.participle + " by " + y,
                "is " + x + " " + verb.participle + " by " + y});
  for (const Verb& verb : own.does) {
    if (verb.is)
      out.insert(out.end(), {"was " + x + " " + verb.rest + " " + y, "is " + x + " " + verb.rest + " " + y});
    else
      out.insert(out.end(),
                 {"did " + x + " " + verb.base + " " + y, "does " + x + " " + verb.base + " " + y});
  }
  if (is_taken_part_in(own))
    out.insert(out.end(), {"is " + y + " in " + x, "was " + y + " in " + x, "is " + y + " in " + x + " too",
                           "is " + y + " in " + x, "was " + y + " in " + x, y + " is in " + x,
                           "is " + y + " also in " + x, "is " + y + " one of those in " + x});
  for (const Verb& verb : own.acts)
    out.insert(out.end(),
               {did(verb, y) + " " + x, (verb.is ? "is " : "does ") + y + " " + verb.rest + " " + x});
  return pick(out, random_);
}

std::string Wording::ask_whether_within(RelationId relation, const std::string& x, const std::string& y) {
  const SaidRelation& own = said(relation);
  const bool stands =
      own.tail == EndKind::kPlace || (own.tail == EndKind::kOrganization && own.head == EndKind::kPerson);
  if (!stands && !is_taken_part_in(own)) return "";
  const std::string &what = stands ? x : y, &in = stands ? y : x;
  return one_of({"is " + what + " in " + in, "is " + what + " in " + in, "was " + what + " in " + in,
                 "is " + what + " also in " + in, "is " + what + " in " + in + " too",
                 what + " is in " + in + ", right", "isn't " + what + " in " + in,
                 "was " + what + " ever in " + in, "is " + what + " a part of " + in,
                 "does " + in + " have " + what, "did " + what + " have anything to do with " + in});
}

std::string Wording::ask_any(RelationId relation, const std::string& x) {
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation);
  Lines out;
  if (!n.empty())
    out = {"does " + x + " have " + with_article(n), "does " + x + " have any " + plural_of(n),
           "has " + x + " any " + plural_of(n),      "does " + x + " have " + plural_of(n),
           "has " + x + " " + with_article(n),       "is there " + with_article(n) + " of " + x};
  for (const Verb& verb : own.does)
    if (verb.is && !verb.preposition.empty() && verb.preposition != "in" && verb.preposition != "of")
      out.insert(out.end(), 3, "is " + x + " " + verb.bare);
  for (const Verb& verb : own.does)  // "did X die"
    if (!verb.is && !verb.preposition.empty() && !verb.bare.empty())
      out.insert(out.end(), {"did " + x + " " + verb.bare, "does " + x + " " + verb.bare});
  return out.empty() ? "" : pick(out, random_);
}

std::string Wording::ask_flag(RelationId relation, const std::string& x) {
  Lines words = draws_.lexicon().relation(relation).words;
  const bool has = words.front() == "has";
  if (words.size() > 1 && (has || words.front() == "is")) words.erase(words.begin());
  const std::string what = join_words(words);
  if (has)
    return one_of({"does " + x + " have " + what, "has " + x + " " + what, x + " has " + what + ", right"});
  return one_of({"is " + x + " " + what, "is " + x + " " + what, x + " is " + what + ", correct",
                 "was " + x + " " + what, x + " is " + what + ", right",
                 "is " + x + " " + with_article(what)});
}

// "Y directed X, right?"
std::string Wording::ask_by_telling(RelationId relation, const std::string& x, const std::string& y) {
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation);
  Lines told;
  if (!n.empty())
    told = {y + " is the " + n + " of " + x, y + " was the " + n + " of " + x,
            owner_of(x) + " " + n + " is " + y, "the " + n + " of " + x + " is " + y};
  for (const Done& verb : own.done)
    told.insert(told.end(), {y + " " + verb.past + " " + x, y + " " + verb.past + " " + x,
                             x + " was " + verb.participle + " by " + y});
  for (const Verb& verb : own.does) told.push_back(x + " " + verb.past + " " + y);
  for (const Verb& verb : own.acts) told.push_back(y + " " + verb.past + " " + x);
  if (is_taken_part_in(own)) told.insert(told.end(), 2, y + " was in " + x);
  if (told.empty()) return "";
  const std::string statement = pick(told, random_);
  if (happens(random_, 0.45))
    return one_of({"is it true that ", "is it right that ", "am i right that ", "would you say that ",
                   "can it be that ", "do you know whether ", "tell me if ", "so ", "it is true that ",
                   "i wonder if "}) +
           statement;
  return one_of({"", "", "", "i think ", "i heard that ", "i heard ", "i believe ", "they say "}) +
         statement +
         one_of({", right", ", is that right", ", correct", ", is that correct", ", true or false", ", no",
                 ", is it true", ", isn't that so", ", is that so", ", didn't he", ", did she", ", wasn't it",
                 ", yes or no", " true or false", " right", " right", " correct", " no"});
}

}  // namespace kgwalk::listening
