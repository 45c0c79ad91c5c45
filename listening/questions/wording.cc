#include "listening/questions/wording.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/wording_text.h"
#include "listening/questions/english.h"
#include "listening/questions/topic_words.h"
#include "listening/words/word_lists.h"

namespace kgwalk::listening {
namespace {

using graph::RelationId;
using Lines = std::vector<std::string>;

Lines kind_nouns(EndKind kind) {
  switch (kind) {
    case EndKind::kPerson:
      return {"person", "person", "guy", "man", "woman", "one"};
    case EndKind::kPlace:
      return {"place", "location"};
    case EndKind::kOrganization:
      return {"organization", "company", "group"};
    case EndKind::kWork:
      return {"work", "title"};
    case EndKind::kDate:
      return {"year", "date"};
    case EndKind::kNumber:
      return {"number"};
    default:
      return {"thing"};
  }
}

constexpr double kSmall = 0.6;  // of words for what many things are said to have, the share without a capital

// "who's", "whats": as it is typed in a hurry.
std::string contracted(std::string question) {
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"who is ", "who's "}, {"what is ", "what's "}, {"where is ", "where's "}, {"when is ", "when's "},
      {"who is ", "whos "},  {"what is ", "whats "},  {"how is ", "how's "},     {"what are ", "what're "}};
  for (const auto& [whole, brief] : kShort)
    if (question.starts_with(whole)) return std::string(brief) + question.substr(whole.size());
  return question;
}

}  // namespace

Wording::Wording(const GraphDraws& draws, const WordingShares& shares, Random& random)
    : draws_(draws), shares_(shares), random_(random) {
  for (std::size_t i = 0; i < draws_.lexicon().num_entries(); ++i)
    said_.push_back(said_relation(draws_.lexicon().entry(i)));
  read_bank();
  read_asked();
}

std::vector<RelationId> Wording::asked_relations() const {
  std::vector<RelationId> asked = draws_.relations();
  for (const RelationId r : draws_.lexicon().from_types()) asked.push_back(draws_.graph().inverse(r));
  return asked;
}

void Wording::read_bank() {
  std::map<std::string, RelationId> by_key;
  for (const RelationId r : asked_relations())
    by_key.emplace(dialogue::relation_key(draws_.graph().relation_name(r)), r);
  for (const dialogue::Family& family : dialogue::builtin_bank().families)
    for (const std::string& named : family.relations) {
      const bool inverse = named.starts_with('~');
      const auto found = by_key.find(dialogue::relation_key(inverse ? named.substr(1) : named));
      if (found != by_key.end()) add_to_bank(family, found->second, inverse);
    }
}

// Wordings of families are those of all their relations.
void Wording::read_asked() {
  std::map<const Family*, std::vector<RelationId>> of_family;
  for (const RelationId r : asked_relations())
    if (const Family* family = draws_.lexicon().relation(r).family) of_family[family].push_back(r);
  for (const dialogue::Family& asked : asked_wordings().families)
    for (const std::string& named : asked.relations) {
      const Family* family = family_of(split_words(named));
      for (const dialogue::Wording& wording : asked.wordings)
        if (!wording.backward && wording.form != dialogue::Form::kVerify)
          asked_[family].push_back(wording.text);
      if (const auto found = of_family.find(family); found != of_family.end())
        for (const RelationId r : found->second) add_to_bank(asked, r, false);
    }
}

void Wording::add_to_bank(const dialogue::Family& family, RelationId relation, bool inverse) {
  for (const dialogue::Wording& wording : family.wordings) {
    const bool back = wording.backward != inverse;
    BankLines& lines = bank_[back ? draws_.graph().inverse(relation) : relation];
    if (wording.form == dialogue::Form::kOne) lines.one.push_back(wording.text);
    if (wording.form == dialogue::Form::kList) lines.list.push_back(wording.text);
    if (wording.form == dialogue::Form::kVerify) lines.verify.push_back(wording.text);
  }
}

bool Wording::is_well_known(RelationId relation) const {
  const RelationWords& words = draws_.lexicon().relation(relation);
  return words.family != nullptr || bank_.contains(relation) ||
         dialogue::measure_of(words.words, words.tail == EndKind::kDate) != nullptr;
}

std::string Wording::one_of(const Lines& wordings) { return pick(wordings, random_); }

std::string Wording::name(graph::EntityId entity) {
  const std::string given(draws_.graph().entity_name(entity));
  std::string text = happens(random_, 0.93) ? dialogue::plain_name(given) : given;
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos && comma > 3 && happens(random_, 0.3)) text.resize(comma);
  Lines parts = split_words(text);
  const double slip = random_.uniform(), shortened = shares_.typos / 3;
  if (slip < shortened && parts.size() >= 3) {
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(random_.below(parts.size())));
    text = join_words(parts);
  } else if (slip < shares_.typos && text.size() > 5) {
    text = with_typo(text, random_);
  } else if (slip < shares_.typos + shares_.lower_case / 2 ||
             (draws_.lexicon().is_general(entity) && happens(random_, kSmall))) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  }
  if (text.starts_with("The ") && happens(random_, 0.3)) text.erase(0, 4);
  return text;
}

std::string Wording::noun(RelationId relation) {
  const SaidRelation& own = said(relation);
  if (!own.nouns.empty() && (own.label.empty() || happens(random_, 0.45))) return pick(own.nouns, random_);
  return happens(random_, 0.7) ? singular_of(own.label) : own.label;
}

std::string Wording::set_noun(const EntitySet& set, RelationId relation) {
  const std::vector<std::uint32_t> types = draws_.common_types(set);
  if (!types.empty() && happens(random_, 0.75))
    return join_words(draws_.lexicon().types()[pick(types, random_)].words);
  const SaidRelation& own = said(relation);
  const Lines usual = set.empty() || !happens(random_, backward(relation) ? 0.9 : 0.3)
                          ? Lines()
                          : usual_nouns(pick(set, random_));
  if (!usual.empty()) return pick(usual, random_);
  const Lines& nouns = backward(relation) ? own.head_nouns : own.nouns;
  if (!nouns.empty() && happens(random_, backward(relation) ? 0.7 : 0.4)) return pick(nouns, random_);
  const EndKind kind = backward(relation) ? own.head : own.tail;
  const Lines words = kind_nouns(kind);
  return happens(random_, 0.1) && kind != EndKind::kPerson ? std::string("thing") : pick(words, random_);
}

Lines Wording::usual_nouns(graph::EntityId entity) const {
  std::map<std::string, int> votes;
  for (const RelationId relation : draws_.relations_of(entity))
    if (!backward(relation))
      for (const std::string& noun : said(relation).head_nouns) ++votes[noun];
  int most = 0;
  for (const auto& [noun, count] : votes) most = std::max(most, count);
  Lines nouns;
  for (const auto& [noun, count] : votes)
    if (count == most) nouns.push_back(noun);
  return nouns;
}

Lines Wording::nouns_of(graph::EntityId entity) const {
  Lines nouns = usual_nouns(entity);
  for (const std::uint32_t type : draws_.lexicon().types_of(entity))
    nouns.push_back(join_words(draws_.lexicon().types()[type].words));
  for (const RelationId relation : draws_.relations_of(entity)) {
    const Lines& more = said(relation).nouns;
    if (backward(relation)) nouns.insert(nouns.end(), more.begin(), more.end());
  }
  std::sort(nouns.begin(), nouns.end());
  nouns.erase(std::unique(nouns.begin(), nouns.end()), nouns.end());
  std::erase_if(nouns, [](const std::string& noun) { return plural_of(noun) == noun || noun == "thing"; });
  return nouns;
}

void Wording::add_forward_phrases(const SaidRelation& own, const std::string& x, const std::string& n,
                                  const std::string& t, Lines& out) const {
  if (!n.empty()) {
    out.insert(out.end(), 4, "the " + n + " of " + x);
    out.insert(out.end(), {owner_of(x) + " " + n, n + " of " + x});
    if (!x.starts_with(kTopic)) out.push_back("the " + x + " " + n);
  }
  const bool person = own.tail == EndKind::kPerson;
  const std::string the = "the " + t, that = person ? " who " : " that ";
  // People seldom say "the person".
  static const Lines kSomebody = {"the one who ",   "the guy who ",    "the man who ",
                                  "the woman who ", "the person who ", "the people who "};
  for (const auto& [participle, past, base] : own.done) {
    out.insert(out.end(),
               {the + that + past + " " + x, the + " that " + past + " " + x, "whoever " + past + " " + x});
    if (person) out.push_back(pick(kSomebody, random_) + past + " " + x);
  }
  for (const Verb& verb : own.acts)
    out.insert(out.end(), {the + that + verb.past + " " + x, the + " that " + verb.past + " " + x});
  for (const Verb& verb : own.does) {
    out.push_back(the + " " + x + " " + verb.past);
    if (own.tail == EndKind::kPlace && verb.preposition == "in")
      out.push_back("the place where " + x + " " + (verb.is ? "was " + verb.bare : verb.past));
  }
}

void Wording::add_backward_phrases(const SaidRelation& own, const std::string& x, const std::string& n,
                                   const std::string& ts, bool several, Lines& out) const {
  const std::string the = "the " + ts + " ", that = own.head == EndKind::kPerson ? "who " : "that ";
  if (!n.empty()) {
    out.insert(out.end(), 3, the + "whose " + n + " is " + x);
    out.insert(out.end(),
               {ts + " with " + x + " as " + n, the + "with " + n + " " + x,
                the + that + (several ? "have " : "has ") + x + " as " + (several ? "their " : "its ") + n,
                the + "having " + n + " as " + x});
    if (!x.starts_with(kTopic)) out.push_back(x + " " + ts);
  }
  out.insert(out.end(), {"the " + ts + " of " + x, owner_of(x) + " " + ts});
  for (const auto& [participle, past, base] : own.done)
    out.insert(out.end(), {the + participle + " by " + x, the + participle + " by " + x,
                           the + "that " + x + " " + past, ts + " by " + x});
  for (const Verb& verb : own.does) {
    out.push_back(the + that + (several && verb.is ? "were " + verb.rest : verb.past) + " " + x);
    out.push_back(the + that + (several ? (verb.is ? "are " + verb.rest : verb.base) : verb.third) + " " + x);
    if (verb.is && !verb.rest.starts_with("a ")) out.insert(out.end(), 2, the + verb.rest + " " + x);
  }
  for (const Verb& verb : own.acts) out.push_back(the + x + " " + verb.past);
}

std::string Wording::phrase(RelationId relation, const std::string& x, const EntitySet& reached,
                            std::optional<bool> number, const std::string& given) {
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation), t = given.empty() ? set_noun(reached, relation) : given;
  Lines out;
  if (backward(relation)) {
    const bool several = number ? *number : happens(random_, reached.size() > 1 ? 0.7 : 0.15);
    add_backward_phrases(own, x, n, several ? plural_of(t) : t, several, out);
  } else {
    add_forward_phrases(own, x, n, t, out);
  }
  return pick(out, random_);
}

std::string Wording::clause(RelationId relation, const std::string& x, bool several) {
  const SaidRelation& own = said(relation);
  const std::string n = noun(relation);
  if (happens(random_, 0.05)) several = !several;  // people do not always agree
  const std::string is = several ? "are " : "is ", was = several ? "were " : "was ",
                    has = several ? "have " : "has ";
  Lines out;
  if (!backward(relation)) {
    const std::string nn = several && !n.empty() ? plural_of(n) : n;
    if (!n.empty()) {
      out.insert(out.end(), 3, is + "the " + nn + " of " + x);
      out.insert(out.end(), {is + nn + " of " + x, is + owner_of(x) + " " + nn});
    }
    for (const auto& [participle, past, base] : own.done) out.insert(out.end(), 2, past + " " + x);
    for (const Verb& verb : own.acts) out.insert(out.end(), 2, verb.past + " " + x);
    for (const Verb& verb : own.does) out.push_back(x + " " + verb.past);
    return pick(out, random_);
  }
  if (!n.empty())
    out = {has + x + " as " + n, has + n + " " + x, has + n + " as " + x, has + "the " + n + " " + x,
           has + x + " as " + (several ? "their " : "its ") + n};
  for (const auto& [participle, past, base] : own.done)
    out.insert(out.end(), {was + participle + " by " + x, is + participle + " by " + x,
                           was + participle + " by " + x, x + " " + past, "did " + x + " " + base});
  for (const Verb& verb : own.does)
    out.insert(out.end(), {verb.is ? was + verb.rest + " " + x : verb.past + " " + x,
                           verb.is ? was + verb.rest + " " + x : verb.past + " " + x,
                           (verb.is   ? is + verb.rest
                            : several ? verb.base
                                      : verb.third) +
                               " " + x});
  for (const Verb& verb : own.acts) out.insert(out.end(), {x + " " + verb.past, did(verb, x)});
  if (is_taken_part_in(own))
    out.insert(out.end(),
               {has + x + (several ? " in them" : " in it"), x + " was in", x + " is in", "feature " + x});
  return pick(out, random_);
}

// With words around it that ask nothing: "can you tell me", ", please".
std::string Wording::led_in(std::string question) {
  const double which = random_.uniform();
  if (which < shares_.asides) return pick(asides().front, random_) + " " + question;
  if (which > 1 - shares_.asides / 2) {
    const std::string& behind = pick(asides().behind, random_);
    return question + (behind.starts_with(',') ? "" : " ") + behind;
  }
  return question;
}

// With words in it that ask nothing: "which currency do people use in X". None inside a name.
void Wording::add_inside(std::vector<std::string>& words, const std::vector<std::string>& kept) {
  const auto in_name = [&](std::size_t i) {
    return std::find(kept.begin(), kept.end(), words[i]) != kept.end();
  };
  for (double left = 2; left > 0 && words.size() > 2 && happens(random_, shares_.asides); --left) {
    const std::size_t at = 1 + random_.below(words.size());
    if (at < words.size() && in_name(at - 1) && in_name(at)) continue;
    const Lines inside = split_words(pick(asides().inside, random_));
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), inside.begin(), inside.end());
  }
}

std::string Wording::typed(std::string question, const Lines& names) {
  Lines kept;
  for (const std::string& name : names)
    for (std::string& word : split_words(name)) kept.push_back(std::move(word));
  constexpr std::string_view kOftenLeftOut[] = {"the", "of", "is", "are", "was", "did", "does", "which"};
  Lines out;
  for (std::string& word : split_words(question)) {
    const double slip = random_.uniform();
    const bool named = std::find(kept.begin(), kept.end(), word) != kept.end();
    const bool light =
        std::find(std::begin(kOftenLeftOut), std::end(kOftenLeftOut), word) != std::end(kOftenLeftOut);
    if (light && slip < shares_.typos / 2 && !out.empty()) continue;
    out.push_back(!named && word.size() > 4 && slip < 0.3 * shares_.typos ? with_typo(word, random_)
                                                                          : std::move(word));
  }
  add_inside(out, kept);
  question = join_words(out);
  if (happens(random_, shares_.lower_case)) question = contracted(std::move(question));
  question = led_in(std::move(question));
  if (!happens(random_, shares_.lower_case)) question = capitalized(question);
  return question + one_of({"?", "?", "?", " ?", "", "."});
}

}  // namespace kgwalk::listening
