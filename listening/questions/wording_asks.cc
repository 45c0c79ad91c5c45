// Whole questions of one relation.
#include <algorithm>

#include "dialogue/questions/wording_text.h"
#include "listening/questions/english.h"
#include "listening/questions/topic_words.h"
#include "listening/questions/wording.h"

namespace kgwalk::listening {
namespace {

using graph::RelationId;

std::string without_the(const std::string& phrase) {
  return phrase.starts_with("the ") ? phrase.substr(4) : phrase;
}

// "Work as": what somebody is by trade.
bool says_trade(const Verb& verb) { return verb.base == "work as"; }

bool says_location(const SaidRelation& own) {
  return own.tail == EndKind::kPlace && std::any_of(own.does.begin(), own.does.end(), [](const Verb& verb) {
           return verb.rest == "located in" || verb.rest == "based in" || verb.rest == "situated in";
         });
}

}  // namespace

std::string Wording::filled(std::string wording, const std::string& x, const std::string& y) {
  const std::string subject(x == kTopic ? kTopicSubject : std::string_view(x));
  dialogue::replace_all(wording, "{x's}", owner_of(x));
  dialogue::replace_all(wording, "{x}", x);
  dialogue::replace_all(wording, "{he}", subject);
  dialogue::replace_all(wording, "{y}", y);
  return wording;
}

void Wording::add_value(RelationId relation, const std::string& n, const std::string& x, Lines& out) {
  const RelationWords& words = draws_.lexicon().relation(relation);
  const bool time = words.tail == EndKind::kDate;
  if (time)
    out.insert(out.end(), {"when was the " + n + " of " + x, "what was " + owner_of(x) + " " + n});
  else if (const std::string many = plural_of(n); words.words.back() == many)
    out.insert(out.end(), 3, "how many " + many + " does " + x + " have");
  else if (n.starts_with("number of "))
    out.insert(out.end(), 3, "how many " + n.substr(10) + " does " + x + " have");
  else
    out.insert(out.end(), {"how much is the " + n + " of " + x, "how high is the " + n + " of " + x});
  const dialogue::MeasureWords* measure = dialogue::measure_of(words.words, time);
  if (measure == nullptr) return;
  for (const std::string& wording : measure->asks) out.insert(out.end(), 4, filled(wording, x, ""));
  for (const std::string& noun : measure->nouns)
    out.insert(out.end(), {"what is the " + noun + " of " + x, "what is " + owner_of(x) + " " + noun});
  for (const auto& [base, past] : measure->happened) {
    const bool is = base.starts_with("be ");
    const std::string rest = (is ? " was " : " did ") + x + " " + (is ? base.substr(3) : base);
    for (const char* when : {"when", "when", "in which year", "what year", "in what year", "on which date"})
      out.push_back(when + rest);
  }
}

void Wording::add_where(const SaidRelation& own, const std::string& n, const std::string& x,
                        const std::string& t, Lines& out) {
  if (!n.empty()) out.push_back("where is the " + n + " of " + x);
  if (!says_location(own)) return;
  out.insert(out.end(), {"where is " + x, "where is " + x + " located", "where can i find " + x,
                         "in which " + t + " is " + x, "in which " + t + " is " + x + " located"});
  if (!n.empty()) out.push_back("in which " + n + " is " + x);
}

void Wording::add_forward(RelationId relation, const std::string& n, const std::string& x,
                          const std::string& t, Lines& out) {
  const SaidRelation& own = said(relation);
  if (own.tail == EndKind::kDate || own.tail == EndKind::kNumber) return add_value(relation, n, x, out);
  if (own.tail == EndKind::kPerson && !n.empty())
    out.insert(out.end(), {"who was " + owner_of(x) + " " + n, "who is the " + n + " of " + x});
  if (own.tail == EndKind::kPlace) add_where(own, n, x, t, out);
  if (own.tail != EndKind::kUnknown && own.tail != EndKind::kThing && !n.empty())
    out.insert(
        out.end(),
        {"what is the name of the " + n + " of " + x, "what was the " + n + "'s name in " + x,
         "what is the name of " + owner_of(x) + " " + n, "what is " + owner_of(x) + " " + n + " called"});
  const bool person = own.tail == EndKind::kPerson || own.tail == EndKind::kUnknown;
  for (const Done& verb : own.done)
    out.insert(out.end(),
               {"who " + verb.past + " " + x, "who " + verb.past + " " + x,
                "by whom was " + x + " " + verb.participle, "which " + t + " " + verb.past + " " + x,
                x + " was " + verb.participle + " by which " + t, x + " was " + verb.participle + " by whom",
                "who was " + x + " " + verb.participle + " by", "who is " + x + " by",
                "which " + t + " is " + x + " by"});
  if (is_taken_part_in(own)) {
    const std::string who = person ? "who " : "what ";
    out.insert(out.end(), 4, who + "is in " + x);
    out.insert(out.end(), {who + "was in " + x, who + "all is in " + x, who + "are in " + x,
                           "which " + plural_of(t) + " are in " + x, "who can be seen in " + x});
  }
  for (const Verb& verb : own.acts)
    out.insert(out.end(), {(person ? "who " : "what ") + verb.past + " " + x,
                           (person ? "who " : "what ") + verb.third + " " + x,
                           "which " + t + " " + verb.past + " " + x});
  for (const Verb& verb : own.does) {
    const bool where = own.tail == EndKind::kPlace && happens(random_, 0.6);
    const bool from = verb.preposition == "from" || verb.preposition == "to";
    const std::string wh = where                          ? "where"
                           : own.tail == EndKind::kPerson ? "who"
                                                          : one_of({"what", "which " + t});
    const std::string& rest = where && !from ? verb.bare : verb.rest;
    const std::string was = one_of({" was ", " is "}), did = one_of({" did ", " does "});
    out.insert(out.end(), 2, wh + (verb.is ? was : did) + x + " " + rest);
    if (!verb.preposition.empty())
      out.push_back(verb.preposition + " which " + t + (verb.is ? was : did) + x + " " + verb.bare);
    if (says_trade(verb))
      out.insert(out.end(), {"what does " + x + " do", "what does " + x + " do", "what did " + x + " do",
                             "what does " + x + " do for a living", "what does " + x + " do for work"});
  }
}

void Wording::add_backward(RelationId relation, const std::string& n, const std::string& x,
                           const std::string& one, bool several, Lines& out) {
  const SaidRelation& own = said(relation);
  const std::string many = plural_of(one), t = several ? many : one;
  const std::string that = own.head == EndKind::kPerson ? " who " : " that ";
  for (int i = 0; i < 4; ++i) out.push_back("which " + t + " " + clause(relation, x, several));
  out.insert(out.end(), {"what " + t + " " + clause(relation, x, several),
                         "name the " + t + " which " + clause(relation, x, several),
                         "list the " + many + that + clause(relation, x, true)});
  out.insert(out.end(), {"which " + many + " does " + x + " have", "what " + many + " has " + x,
                         "what are " + owner_of(x) + " " + many, "list " + owner_of(x) + " " + many});
  if (!n.empty())
    out.insert(out.end(),
               {"whose " + n + " is " + x, "which " + one + "'s " + n + " is " + x,
                "which " + many + " have " + n + " as " + x, "name the " + one + " whose " + n + " is " + x,
                x + " is the " + n + " of which " + one, x + " is the " + n + " of what",
                "what " + one + " has the " + n + " " + x, "for which " + many + " is " + x + " the " + n});
  for (const Done& verb : own.done)
    out.insert(out.end(), {"what did " + x + " " + verb.base, "what " + many + " did " + x + " " + verb.base,
                           "which " + many + " were " + verb.participle + " by " + x,
                           "what has " + x + " " + verb.participle});
  for (const Verb& verb : own.does) {
    const bool person = own.head == EndKind::kPerson || (own.head == EndKind::kUnknown && !verb.is);
    const std::string who = person ? "who " : "what ";
    out.insert(out.end(), {who + verb.past + " " + x, who + verb.third + " " + x, who + verb.past + " " + x});
    if (says_trade(verb))
      for (int i = 0; i < 3; ++i)
        out.insert(out.end(), {"who is " + with_article(x), "who is the " + x,
                               "which " + one + " is " + with_article(x), "who works as " + with_article(x)});
  }
  for (const Verb& verb : own.acts)
    out.insert(out.end(), {"what " + did(verb, x), "which " + many + " " + did(verb, x)});
  if (is_taken_part_in(own))
    out.insert(out.end(), {"what was " + x + " in", "what is " + x + " in", "what has " + x + " been in",
                           "what was " + x + " in", "what is " + x + " in", "what has " + x + " been in",
                           many + " in which " + x + " is", "list the " + many + " " + x + " was in",
                           "which " + many + " was " + x + " in", "which " + many + " is " + x + " in",
                           "in which " + many + " can i see " + x, many + " with " + x,
                           "what " + many + " has " + x + " been in"});
}

std::string Wording::ask_by_bank(RelationId relation, const std::string& x, const EntitySet& reached) {
  const auto found = bank_.find(relation);
  if (found == bank_.end() || !happens(random_, shares_.bank)) return "";
  const bool list = !found->second.list.empty() && happens(random_, reached.size() > 1 ? 0.4 : 0.05);
  const Lines& lines = list ? found->second.list : found->second.one;
  return lines.empty() ? "" : filled(pick(lines, random_), x, "");
}

std::string Wording::ask_of_family(const Family& family, const std::string& x) {
  const auto found = asked_.find(&family);
  return found == asked_.end() || found->second.empty() ? "" : filled(pick(found->second, random_), x, "");
}

std::string Wording::ask(RelationId relation, const std::string& x, const EntitySet& reached,
                         const std::string& type) {
  const SaidRelation& own = said(relation);
  const bool several = happens(random_, reached.size() > 1 ? 0.6 : 0.15);
  const std::string n = noun(relation), np = phrase(relation, x, reached, several);
  const std::string t = type.empty() ? set_noun(reached, relation) : type;
  const std::string what = several && backward(relation) ? "what are " : "what is ";
  Lines out = {what + np, "name " + np, "tell me " + np};
  if (backward(relation)) {
    const std::string all = phrase(relation, x, reached, true);
    out.insert(out.end(), {"name one " + without_the(np), "name one of " + all, "one of " + all,
                           "any " + without_the(np), "can you name " + with_article(without_the(np)),
                           "give me one " + without_the(np), "list all " + all, "what are " + all,
                           "list down " + all, "what are some " + without_the(all), "give me all " + all,
                           "i am looking for " + np, "find " + np});
    add_backward(relation, n, x, t, several, out);
    return pick(out, random_);
  }
  const std::string wh = own.tail == EndKind::kPerson && happens(random_, 0.7) ? "who" : "what";
  const std::string ns = n.empty() ? n : plural_of(n);
  if (!n.empty())
    out.insert(
        out.end(),
        {several ? wh + " are the " + ns + " of " + x : wh + " is the " + n + " of " + x,
         "which " + (several ? ns : n) + " does " + x + " have", "what is " + owner_of(x) + " " + n,
         "name the " + n + " of " + x, (several ? "list the " + ns : "tell me the " + n) + " of " + x,
         "give me the " + n + " of " + x, "which " + t + " is the " + n + " of " + x, x + " has which " + n});
  if (!n.empty() && own.tail != EndKind::kPerson)
    out.insert(out.end(), {"what " + n + " is " + x, "which " + n + " is " + x});
  if (several && !n.empty())
    out.insert(out.end(), {"what are some " + ns + " of " + x, "all " + ns + " of " + x});
  add_forward(relation, n, x, t, out);
  return pick(out, random_);
}

std::string Wording::ask_by_noun(const std::string& noun, const std::string& x, bool counted) {
  const std::string many = plural_of(noun);
  if (counted)
    return one_of({"how many " + many + " does " + x + " have", "how many " + many + " are there by " + x,
                   "how many " + many + " has " + x, "how many " + many + " are of " + x,
                   "what is the number of " + many + " of " + x, "count the " + many + " by " + x});
  return one_of({"which " + many + " does " + x + " have", "what are the " + many + " of " + x,
                 owner_of(x) + " " + many, many + " by " + x, "list all " + many + " of " + x,
                 "name " + with_article(noun) + " by " + x, "which " + many + " are by " + x,
                 "what " + many + " has " + x, "tell me " + with_article(noun) + " of " + x,
                 "which " + many + " are there of " + x, many + " from " + x});
}

std::string Wording::ask_how_many(RelationId relation, const std::string& x, const EntitySet& reached,
                                  const std::string& type) {
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation), ns = n.empty() ? n : plural_of(n);
  const std::string t = plural_of(type.empty() ? set_noun(reached, relation) : type);
  const std::string lead =
      one_of({"how many", "how many", "how many", "how many", "count the", "count the number of",
              "what is the number of", "give me the number of", "give me a count of", "total number of",
              "what is the total number of", "count all the"});
  if (lead != "how many") {
    Lines out = {lead + " " + t + " which " + clause(relation, x, true)};
    if (!backward(relation) && !n.empty()) out.insert(out.end(), 2, lead + " " + ns + " of " + x);
    if (backward(relation)) out.push_back(lead + " " + without_the(phrase(relation, x, reached)));
    return pick(out, random_);
  }
  Lines out = {"how many " + t + " " + clause(relation, x, true),
               "how many " + t + " " + clause(relation, x, true)};
  if (backward(relation)) {
    out.insert(out.end(), {"how many " + t + " does " + x + " have", "how many " + t + " has " + x});
    if (is_taken_part_in(own))
      out.insert(out.end(), {"how many was " + x + " in", "how many has " + x + " been in"});
    for (const Done& verb : own.done)
      out.insert(out.end(),
                 {"how many " + t + " did " + x + " " + verb.base, "how many did " + x + " " + verb.base,
                  "how many has " + x + " " + verb.participle,
                  "how many " + t + " were " + verb.participle + " by " + x,
                  "how many " + t + " has " + x + " " + verb.participle});
    for (const Verb& verb : own.acts) out.push_back("how many " + t + " " + did(verb, x));
    if (!n.empty()) out.push_back("how many " + t + " have " + x + " as " + n);
    for (const Verb& verb : own.acts)
      if (!verb.preposition.empty() && !verb.is)
        out.insert(out.end(), {verb.preposition + " how many " + t + " did " + x + " " + verb.bare,
                               "how often did " + x + " " + verb.base + " " + with_article(singular_of(t))});
    if (is_taken_part_in(own))
      out.insert(out.end(), {"how many " + t + " is " + x + " in", "how many " + t + " was " + x + " in",
                             "how many " + t + " has " + x + " been in", "how many " + t + " are with " + x});
    return pick(out, random_);
  }
  if (!n.empty())
    out.insert(out.end(), {"how many " + ns + " does " + x + " have", "how many " + ns + " are there of " + x,
                           "how many " + ns + " did " + x + " have"});
  for (const Verb& verb : own.does)
    if (!verb.is && !ns.empty()) out.push_back("how many " + ns + " did " + x + " " + verb.base);
  if (is_taken_part_in(own))
    out.insert(out.end(), {"how many " + t + " are in " + x, "how many people are in " + x,
                           "how many " + ns + " are in " + x, "how many people are there in " + x});
  return pick(out, random_);
}

std::string Wording::has_so_many(RelationId relation, const EntitySet& reached, const std::string& how_many) {
  const SaidRelation& own = said(relation);
  if (!backward(relation)) {
    const std::string n = noun(relation);
    return n.empty() ? "" : "has " + how_many + " " + plural_of(n);
  }
  const std::string so_many = how_many + " " + plural_of(set_noun(reached, relation));
  Lines out;
  for (const Done& verb : own.done) out.push_back(verb.past + " " + so_many);
  for (const Verb& verb : own.acts) out.push_back(verb.past + " " + so_many);
  if (out.empty() || own.head == EndKind::kUnknown) out = {"has " + so_many};
  return pick(out, random_);
}

std::string Wording::ask_shortly(RelationId relation, const EntitySet& reached) {
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation);
  const bool several = happens(random_, reached.size() > 1 ? 0.5 : 0.0);
  Lines out;
  if (backward(relation)) {
    const std::string t = several ? plural_of(set_noun(reached, relation)) : set_noun(reached, relation);
    out = {"and the " + t, "which " + t, "what " + t};
    for (const Done& verb : own.done) out.push_back("what " + t + " " + verb.participle);
    return pick(out, random_);
  }
  if (!n.empty()) {
    const std::string ns = several ? plural_of(n) : n, who = own.tail == EndKind::kPerson ? "who" : "what";
    out = {ns,
           "the " + ns,
           "and the " + ns,
           "what about the " + ns,
           who + (several ? " are the " : " is the ") + ns,
           ns + " name",
           who + (several ? " were the " : " was the ") + ns,
           "name the " + ns,
           "tell me the " + ns,
           "name of the " + ns};
  }
  for (const Done& verb : own.done)
    out.insert(out.end(), {verb.participle + " by", "who " + verb.past, verb.participle + " by whom",
                           "and who " + verb.past + " it"});
  for (const Verb& verb : own.does)
    out.push_back(own.tail == EndKind::kPlace && verb.preposition == "in" ? "where " + verb.bare
                                                                          : verb.rest + " what");
  const dialogue::MeasureWords* measure =
      dialogue::measure_of(draws_.lexicon().relation(relation).words, own.tail == EndKind::kDate);
  if (measure != nullptr)
    for (const auto& [base, past] : measure->happened)
      out.insert(out.end(), {"when " + (base.starts_with("be ") ? base.substr(3) : base), "what year"});
  return pick(out, random_);
}

}  // namespace kgwalk::listening
