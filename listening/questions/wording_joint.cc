// Questions about what one did in two ways, and what two did together.
#include "listening/questions/english.h"
#include "listening/questions/wording.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {

using graph::RelationId;
using Lines = std::vector<std::string>;

namespace {

// What somebody did to something: "direct", "directed", "directed by"; "star in", "starred in", "with".
struct Deed {
  std::string base, past, passive;
};

std::vector<Deed> deeds_of(const SaidRelation& relation) {
  std::vector<Deed> deeds;
  for (const Done& verb : relation.done) deeds.push_back({verb.base, verb.past, verb.participle + " by"});
  for (const Verb& verb : relation.acts)
    if (!verb.is) deeds.push_back({verb.base, verb.past, ""});
  return deeds;
}

}  // namespace

std::string Wording::decade(std::int64_t from) {
  constexpr std::string_view kNames[] = {"twenties", "thirties",  "forties",  "fifties",
                                         "sixties",  "seventies", "eighties", "nineties"};
  const std::string digits = std::to_string(from);
  const std::int64_t place = (from - 1920) / 10;
  if (place < 0 || place >= static_cast<std::int64_t>(std::size(kNames)) || !happens(random_, 0.35))
    return digits + "s";
  return one_of({std::string(kNames[static_cast<std::size_t>(place)]), digits.substr(2) + "s",
                 "'" + digits.substr(2) + "s"});
}

std::string Wording::ask_two_of_one(RelationId first, RelationId second, const std::string& x,
                                    const std::string& t) {
  const std::vector<Deed> one = deeds_of(said(first)), other = deeds_of(said(second));
  const std::string n = noun(first), m = noun(second), many = plural_of(t);
  Lines out;
  if (!n.empty() && !m.empty())
    out = {"which " + many + " have " + x + " as " + n + " and " + m,
           "which " + t + " has " + x + " both as " + n + " and as " + m,
           "which " + many + " have " + x + " as both " + n + " and " + m,
           "in which " + many + " was " + x + " both " + n + " and " + m,
           "where was " + x + " the " + n + " and also the " + m,
           "name the " + many + " of which " + x + " is " + n + " and " + m};
  if (!one.empty() && !other.empty()) {
    const Deed &a = pick(one, random_), &b = pick(other, random_);
    out.insert(out.end(), {"which " + many + " did " + x + " both " + a.base + " and " + b.base,
                           "which " + many + " did " + x + " " + a.base + " and " + b.base,
                           "what did " + x + " " + a.base + " and also " + b.base,
                           many + " that " + x + " both " + a.past + " and " + b.past,
                           "which " + t + " was it that " + x + " " + a.past + " and " + b.past,
                           "list the " + many + " which " + x + " " + a.past + " and also " + b.past,
                           "has " + x + " " + a.past + " " + many + " that they also " + b.past});
    if (!a.passive.empty()) {
      out.insert(out.end(), {"which " + many + " " + a.passive + " " + x + " did they also " + b.base});
      if (!b.passive.empty())
        out.insert(out.end(),
                   {many + " " + a.passive.substr(0, a.passive.size() - 3) + " and " + b.passive + " " + x,
                    "which " + t + " was both " + a.passive.substr(0, a.passive.size() - 3) + " and " +
                        b.passive + " " + x});
    }
  }
  return out.empty() ? "" : pick(out, random_);
}

std::string Wording::ask_by_word(const std::string& word, const std::string& t, const std::string& clause,
                                 const std::string& with) {
  const std::string small = folded(word), many = plural_of(t);
  const bool noun = happens(random_, 0.5);
  const std::string one = noun ? small : small + " " + t,
                    several = noun ? plural_of(small) : small + " " + many;
  if (clause.empty())
    return one_of({"name " + with_article(one), "name some " + several, "list all " + several,
                   "which " + several + " do you know", "show me " + several,
                   "what " + several + " are there", "do you know " + with_article(one), "any " + several,
                   "give me " + with_article(one), "find me some " + several, "what is " + with_article(one),
                   several});
  Lines out = {"name " + with_article(one) + " that " + clause,
               "which " + one + " " + clause,
               "what " + one + " " + clause,
               "find " + with_article(one) + " which " + clause,
               "is there " + with_article(one) + " that " + clause,
               "any " + one + " that " + clause};
  if (!with.empty())
    out.insert(out.end(), {several + " with " + with, "name " + with_article(one) + " with " + with,
                           "which " + several + " are with " + with, with_article(one) + " by " + with,
                           "show me " + several + " with " + with, with + " in " + with_article(one)});
  return pick(out, random_);
}

std::string Wording::ask_whether_same(RelationId relation, const std::string& x, const std::string& y) {
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation);
  Lines out;
  if (!n.empty())
    out = {"do " + x + " and " + y + " have the same " + n,
           "have " + x + " and " + y + " the same " + n,
           "is the " + n + " of " + x + " the same as that of " + y,
           "do " + x + " and " + y + " share their " + n,
           "are the " + plural_of(n) + " of " + x + " and " + y + " the same",
           "does " + x + " have the same " + n + " as " + y,
           "are " + x + " and " + y + " both from one " + n,
           "are " + x + " and " + y + " of the same " + n,
           "are " + x + " and " + y + " in the same " + n,
           "is " + x + " in the same " + n + " as " + y,
           x + " and " + y + " have the same " + n + ", right",
           "do both " + x + " and " + y + " have one " + n + " in common"};
  for (const Done& verb : own.done)
    out.insert(out.end(), {"were " + x + " and " + y + " " + verb.participle + " by the same " +
                               (own.tail == EndKind::kPerson ? "person" : "one"),
                           "were both " + x + " and " + y + " " + verb.participle + " by the same",
                           "did one and the same person " + verb.base + " " + x + " and " + y});
  for (const Verb& verb : own.does)
    if (verb.is && !verb.preposition.empty()) {
      const std::string one = own.tail == EndKind::kPlace ? "one and the same place" : "one and the same";
      out.insert(out.end(), {"were " + x + " and " + y + " both " + verb.rest + " " + one,
                             "was " + y + " " + verb.rest + " " + one + " as " + x});
    }
  return out.empty() ? "" : pick(out, random_);
}

std::string Wording::ask_whether_met(RelationId first, RelationId second, const std::string& x,
                                     const std::string& y, const std::string& t) {
  const std::string a = with_article(t), many = plural_of(t);
  Lines out = {"have " + x + " and " + y + " worked together",
               "did " + x + " and " + y + " ever work together",
               "did " + x + " work with " + y,
               "has " + x + " ever worked with " + y,
               "were " + x + " and " + y + " together in " + a,
               "did " + x + " and " + y + " make " + a + " together",
               "have " + x + " and " + y + " ever done " + a + " together",
               "are " + x + " and " + y + " in the same " + t,
               "were " + x + " and " + y + " both part of one " + t,
               "has " + x + " collaborated with " + y,
               "is there " + a + " with both " + x + " and " + y,
               "is there " + a + " with " + x + " and " + y,
               "are there " + many + " with " + x + " and " + y,
               "did " + x + " ever appear alongside " + y,
               "has " + x + " done " + a + " with " + y,
               "was " + x + " ever in " + a + " with " + y,
               x + " and " + y + " have worked together, right",
               "do you know " + a + " that " + x + " and " + y + " made together"};
  for (const Deed& deed : deeds_of(said(first)))
    out.insert(out.end(), {"did " + x + " and " + y + " " + deed.base + " " + a + " together",
                           "is there anything that " + x + " and " + y + " " + deed.past + " together"});
  if (first == second)
    for (const Verb& verb : said(first).acts)
      if (!verb.is && !verb.preposition.empty())
        out.insert(out.end(), {"did " + x + " " + verb.bare + " together with " + y,
                               "did " + x + " and " + y + " " + verb.bare + " together"});
  return pick(out, random_);
}

}  // namespace kgwalk::listening
