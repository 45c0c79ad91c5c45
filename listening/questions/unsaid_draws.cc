// Questions that the graph has no answer to: of a relation that it lacks, or that what is asked about lacks,
// or of a name that it does not have.
#include <algorithm>

#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"
#include "listening/questions/made_up.h"
#include "listening/words/said_text.h"
#include "listening/words/word_lists.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;
using Lines = std::vector<std::string>;

constexpr int kTriesUnsaid = 20;
constexpr double kCompound = 0.25;    // of rare nouns, the share behind a word of what the thing has
constexpr double kAsPeopleAsk = 0.6;  // of families that a thing lacks, the share in wordings of asked.txt

// Words of relations that tell nothing of what is asked: the place of birth is not the place of death.
bool is_general(std::string_view word) {
  constexpr std::string_view kGeneral[] = {"of", "the",  "in",     "by",    "a",    "and",  "for",
                                           "at", "on",   "is",     "has",   "was",  "date", "year",
                                           "to", "time", "number", "place", "name", "type", "location"};
  return std::find(std::begin(kGeneral), std::end(kGeneral), word) != std::end(kGeneral);
}

bool have_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& word) {
    return !is_general(word) && std::find(b.begin(), b.end(), word) != b.end();
  });
}

// A word of a name of several words, which is no name by itself: "stadium", "breed".
std::string common_word(std::string_view name, Random& random) {
  const std::vector<std::string> words = split_words(std::string(name));
  const std::string word = words.size() < 2 ? "" : folded(pick(words, random));
  const bool letters = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return word.size() < 4 || !letters || is_function_word(word) ? "" : word;
}

// Whether what leads to the one may be asked for as what leads to the other: a place is never asked for as a
// date.
bool may_be_one(EndKind a, EndKind b) {
  const auto is_plain = [](EndKind kind) {
    return kind == EndKind::kOrganization || kind == EndKind::kWork || kind == EndKind::kThing;
  };
  return a == b || a == EndKind::kUnknown || b == EndKind::kUnknown || (is_plain(a) && is_plain(b));
}

// The verb without its "be" or "was": "born in", "came from".
Lines bare_verb(const std::string& verb) {
  Lines words = split_words(verb);
  if (words.size() > 1 && (words.front() == "be" || words.front() == "was")) words.erase(words.begin());
  return words;
}

// The words that ask for something, without those of the name.
Lines asking_words(const std::string& text, const std::string& name) {
  std::string left = folded(text);
  const std::string own = folded(name);
  if (const std::size_t at = left.find(own); at != std::string::npos) left.erase(at, own.size());
  Lines words;
  for (const SaidWord& word : read_said(left).words)
    if (word.is_word) words.push_back(word.folded);
  return words;
}

// Whether all that these words say is said of the family too, and anything at all.
bool asks_by(const Family& family, const Lines& words) {
  std::vector<char> met(words.size(), 0);
  for (std::size_t i = 0; i < words.size(); ++i) met[i] = family.said.contains(words[i]) ? 1 : 0;
  for (const auto* verbs : {&family.does, &family.acts})
    for (const auto& [base, past] : *verbs)
      for (const std::string* verb : {&base, &past}) {
        const Lines bare = bare_verb(*verb);
        const auto at = std::search(words.begin(), words.end(), bare.begin(), bare.end());
        if (at != words.end()) std::fill_n(met.begin() + (at - words.begin()), bare.size(), 1);
      }
  bool any = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (met[i] == 0 && !is_function_word(words[i])) return false;
    any = any || (met[i] != 0 && !is_general(words[i]));
  }
  return any;
}

}  // namespace

// Whether anything that the entity has may be asked for by the family's words.
bool FormDraws::may_say(EntityId entity, const Family& family) const {
  if (lexicon_.profession_of(entity) == &family) return true;
  for (const RelationId relation : draws_.told_of(entity)) {
    const RelationWords& own = lexicon_.relation(relation);
    if (own.family == &family || (own.family != nullptr && have_common(own.family->nouns, family.nouns)))
      return true;
    if (!may_be_one(own.tail, family.tail)) continue;
    if (std::any_of(own.words.begin(), own.words.end(),
                    [&](const std::string& word) { return !is_general(word) && family.said.contains(word); }))
      return true;
  }
  return false;
}

// Whether the question may be meant for what the entity has: one comes from where one was born, whatever the
// words are of.
bool FormDraws::may_answer(EntityId entity, const std::string& text, const std::string& name,
                           EndKind asked) const {
  const Lines words = asking_words(text, name);
  const Family* const profession = lexicon_.profession_of(entity);
  if (profession != nullptr && may_be_one(profession->tail, asked) && asks_by(*profession, words))
    return true;
  const std::vector<RelationId> relations = draws_.told_of(entity);
  return std::any_of(relations.begin(), relations.end(), [&](RelationId relation) {
    const RelationWords& own = lexicon_.relation(relation);
    const EndKind leads_to = lexicon_.is_inverse(relation) ? own.head : own.tail;
    return own.family != nullptr && may_be_one(leads_to, asked) && asks_by(*own.family, words);
  });
}

FormDraws::Drawn FormDraws::draw_of_missing_family(EntityId entity) {
  const EndKind kind = lexicon_.kind_of(entity);
  for (int i = 0; i < kTriesUnsaid; ++i) {
    const Family& family = families()[random_.below(families().size())];
    const bool fits = family.head == EndKind::kUnknown || kind == EndKind::kUnknown || family.head == kind;
    if (!fits || family.nouns.empty() || may_say(entity, family)) continue;
    const std::string x = said(entity), noun = pick(family.nouns, random_);
    if (std::string text = wording_.ask_of_family(family, x);
        !text.empty() && happens(random_, kAsPeopleAsk)) {
      if (may_answer(entity, text, x, family.tail)) continue;
      return unsaid(std::move(text), {entity});
    }
    Lines out = {"what is the " + noun + " of " + x, "tell me the " + noun + " of " + x,
                 owner_of(x) + " " + noun, "do you know the " + noun + " of " + x,
                 "what is " + owner_of(x) + " " + noun};
    if (family.tail == EndKind::kPerson) out.push_back("who is the " + noun + " of " + x);
    for (const auto& [participle, past] : family.done)
      out.insert(out.end(), {"who " + past + " " + x, "by whom was " + x + " " + participle});
    std::string text = pick(out, random_);
    if (!may_answer(entity, text, x, family.tail)) return unsaid(std::move(text), {entity});
  }
  return std::nullopt;
}

FormDraws::Drawn FormDraws::draw_of_missing_measure(EntityId entity) {
  for (int i = 0; i < kTriesUnsaid; ++i) {
    const dialogue::MeasureWords& words =
        dialogue::measure_table()[random_.below(dialogue::measure_table().size())];
    if (words.asks.empty()) continue;
    const std::vector<RelationId> own = draws_.relations_of(entity);
    if (std::any_of(own.begin(), own.end(), [&](RelationId r) {
          const RelationWords& has = lexicon_.relation(r);
          if (dialogue::measure_of(has.words, words.time) == &words) return true;
          const bool may_measure =
              has.tail == EndKind::kDate || has.tail == EndKind::kNumber || has.tail == EndKind::kUnknown;
          return may_measure && std::any_of(words.nouns.begin(), words.nouns.end(), [&](const auto& noun) {
                   return have_common(split_words(noun), has.words);
                 });
        }))
      continue;
    const std::string x = said(entity);
    std::string text = pick(words.asks, random_);
    if (const std::size_t at = text.find("{x's}"); at != std::string::npos) text.replace(at, 5, owner_of(x));
    if (const std::size_t at = text.find("{x}"); at != std::string::npos) text.replace(at, 3, x);
    if (text.find('{') == std::string::npos) return unsaid(std::move(text), {entity});
  }
  return std::nullopt;
}

FormDraws::Drawn FormDraws::draw_of_missing_relation(EntityId entity) {
  const EndKind kind = lexicon_.kind_of(entity);
  for (int i = 0; i < kTriesUnsaid; ++i) {
    const graph::Triple fact = draws_.fact(random_);
    const bool back = happens(random_, 0.3) && !draws_.is_value(fact.tail);
    const RelationId relation = back ? graph_.inverse(fact.relation) : fact.relation;
    const EntityId from = back ? fact.tail : fact.head;
    const RelationWords& words = lexicon_.relation(relation);
    if (lexicon_.kind_of(from) != kind || draws_.num_tails(entity, relation) > 0 ||
        draws_.num_tails(entity, graph_.inverse(relation)) > 0)
      continue;
    if (words.family != nullptr && may_say(entity, *words.family)) continue;
    const std::vector<RelationId> own = draws_.told_of(entity);
    if (std::any_of(own.begin(), own.end(),
                    [&](RelationId r) { return have_common(lexicon_.relation(r).words, words.words); }))
      continue;
    const auto reached = draws_.tails(from, relation);
    if (!reached || reached->empty()) continue;
    const std::string x = said(entity);
    std::string text = wording_.ask(relation, x, *reached, "");
    if (!may_answer(entity, text, x, back ? words.head : words.tail))
      return unsaid(std::move(text), {entity});
  }
  return std::nullopt;
}

// What people ask of things and graphs rarely have. No list has all of it: words out of names and words that
// no language has teach that it is the place in the question which makes a word ask for something.
std::string FormDraws::rare_word(const Lines& known) {
  const double which = random_.uniform();
  if (which < 0.4) return pick(known, random_);
  const std::string word =
      which < 0.75 ? common_word(graph_.entity_name(draws_.entity(random_)), random_) : "";
  return word.empty() ? made_up_word(random_) : word;
}

// Whether a relation of the entity has one of the words, by its name or its family.
bool FormDraws::has_said(EntityId entity, const std::vector<std::string>& words) const {
  const std::vector<RelationId> relations = draws_.told_of(entity);
  return std::any_of(relations.begin(), relations.end(), [&](RelationId relation) {
    const RelationWords& own = lexicon_.relation(relation);
    const bool of_family =
        own.family != nullptr && std::any_of(words.begin(), words.end(), [&](const std::string& word) {
          return !is_general(word) && own.family->said.contains(word);
        });
    return of_family || have_common(own.words, words);
  });
}

// A word by which people ask for something that the entity has; or empty.
std::string FormDraws::word_of_own(EntityId entity) {
  const std::vector<RelationId> relations = draws_.relations_of(entity);
  if (relations.empty()) return "";
  const RelationWords& own = lexicon_.relation(pick(relations, random_));
  const Lines words = own.family != nullptr && !own.family->nouns.empty()
                          ? split_words(pick(own.family->nouns, random_))
                          : own.words;
  const std::string word = words.empty() ? "" : pick(words, random_);
  return is_function_word(word) ? "" : word;
}

FormDraws::Drawn FormDraws::draw_of_rare_attribute(EntityId entity) {
  const Attributes& rare = rare_attributes();
  const std::string x = said(entity);
  const double which = random_.uniform();
  std::string what = rare_word(which < 0.5 ? rare.nouns : which < 0.75 ? rare.counted : rare.verbs);
  if (folded(graph_.entity_name(entity)).find(what) != std::string::npos) return std::nullopt;
  if (has_said(entity, split_words(what))) return std::nullopt;
  Lines out;
  // "Star sign": what X starred in says nothing of it.
  if (which < 0.5 && happens(random_, kCompound))
    if (const std::string own = word_of_own(entity); !own.empty()) what = own + " " + what;
  if (which >= 0.75 && happens(random_, 0.4)) {
    // "Is X left handed": no word says what could be so.
    const std::string more = happens(random_, 0.5) ? " " + rare_word(rare.counted) : "";
    if (happens(random_, 0.4)) what = rare_word(rare.nouns);
    return unsaid(wording_.one_of({"is ", "was ", "is ", "isn't ", "has ", "can "}) + x + " " +
                      wording_.one_of({"", "", "very ", "a ", "ever "}) + what + more,
                  {entity});
  }
  if (happens(random_, 0.3))
    return unsaid(wording_.ask_around(what, x, wording_.one_of({"who", "what", "where"}),
                                      wording_.one_of({"one", "thing", "place", "person"})),
                  {entity});
  if (which < 0.5)
    out = {"what is the " + what + " of " + x,
           "what is " + owner_of(x) + " " + what,
           "which " + what + " does " + x + " have",
           "tell me the " + what + " of " + x,
           owner_of(x) + " " + what,
           "does " + x + " have " + with_article(what),
           "give me " + owner_of(x) + " " + what,
           "do you know " + owner_of(x) + " " + what,
           "how is the " + what + " of " + x,
           "which " + what + " is " + x + " in",
           "what " + what + " did " + x + " come from",
           "in which " + what + " was " + x,
           "what " + what + " was " + x,
           "who is the " + what + " of " + x,
           "who is " + owner_of(x) + " " + what,
           "where is the " + what + " of " + x,
           "the " + what + " in " + x,
           "what was " + owner_of(x) + " first " + what,
           "which " + what + " belongs to " + x,
           "who was the " + what + " in " + x,
           "what kind of " + what + " does " + x + " have",
           "is there a " + what + " in " + x,
           "when was the " + what + " of " + x,
           "what is the name of the " + what + " in " + x,
           "list the " + plural_of(what) + " of " + x,
           "what are the " + plural_of(what) + " of " + x};
  else if (which < 0.75)
    out = {"how many " + what + " does " + x + " have",
           "how many " + what + " are there in " + x,
           "how many " + what + " did " + x + " need",
           "what is the number of " + what + " of " + x,
           "how many " + what + " has " + x,
           "count the " + what + " of " + x,
           "how many " + what + " were used for " + x,
           "how many " + what + " did it take to make " + x};
  else
    out = {"what does " + x + " " + what,     "what did " + x + " " + what,
           "how much does " + x + " " + what, "how often did " + x + " " + what,
           "does " + x + " " + what,          "why does " + x + " " + what,
           "did " + x + " " + what,           "who did " + x + " " + what,
           "where did " + x + " " + what,     "when did " + x + " " + what,
           "which one did " + x + " " + what};
  return unsaid(pick(out, random_), {entity});
}

FormDraws::Drawn FormDraws::draw_of_written_unsaid(EntityId entity) {
  const EndKind kind = lexicon_.kind_of(entity);
  for (int i = 0; i < kTriesUnsaid; ++i) {
    const UnsaidWording& wording = pick(unsaid_wordings(), random_);
    if (wording.kind != EndKind::kUnknown && kind != EndKind::kUnknown && wording.kind != kind) continue;
    Lines content;
    for (const std::string& word : split_words(wording.text))
      if (!word.starts_with('{') && !is_function_word(word)) content.push_back(word);
    if (!has_said(entity, content)) return unsaid(Wording::filled(wording.text, said(entity), ""), {entity});
  }
  return std::nullopt;
}

FormDraws::Drawn FormDraws::draw_of_unknown_name() {
  auto drawn = draw_one(false);
  if (!drawn || drawn->names.empty()) return std::nullopt;
  const std::string& name = drawn->names.front();
  const std::size_t at = drawn->question.text.find(name);
  if (at == std::string::npos || name.empty()) return std::nullopt;
  // A name that the graph has may stand in it.
  std::string other = made_up_name(random_);
  if (happens(random_, 0.25)) other += " " + wording_.name(draws_.entity(random_));
  drawn->question.text.replace(at, name.size(), other);
  names_ = {other};
  return unsaid(drawn->question.text, {});
}

DrawnForm FormDraws::unsaid(std::string text, std::vector<EntityId> named) {
  DrawnForm drawn = made(std::move(text), "not said", false, {}, {}, {}, std::move(named));
  drawn.question.unsaid = true;
  return drawn;
}

FormDraws::Drawn FormDraws::draw_unsaid(std::optional<EntityId> about) {
  about_ = about;
  names_.clear();
  const graph::Triple fact = draws_.fact(random_);
  const EntityId entity = about.value_or(fact.head);
  const double which = random_.uniform();
  if (!about && which < 0.2) return draw_of_unknown_name();
  if (which < 0.34) return draw_of_written_unsaid(entity);
  if (which < 0.46) return draw_of_rare_attribute(entity);
  if (which < 0.72) return draw_of_missing_family(entity);
  return which < 0.82 ? draw_of_missing_measure(entity) : draw_of_missing_relation(entity);
}

}  // namespace kgwalk::listening
