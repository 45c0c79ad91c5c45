#include "listening/questions/verbs.h"

#include <algorithm>

#include "dialogue/telling/measures.h"
#include "listening/questions/english.h"

namespace kgwalk::listening {
namespace {

constexpr std::string_view kPrepositions[] = {"in",   "at",    "for", "of", "with", "to",   "by",
                                              "from", "under", "as",  "on", "into", "near", "about"};
// Names of relations in one word that are verbs, not nouns in the plural.
constexpr std::string_view kVerbs[] = {
    "supervises", "manages",  "teaches",  "owns",     "borders", "likes",   "loves",   "knows",    "follows",
    "contains",   "uses",     "speaks",   "employs",  "eats",    "hates",   "leads",   "runs",     "serves",
    "makes",      "produces", "sells",    "reads",    "writes",  "visits",  "attends", "studies",  "wants",
    "needs",      "supports", "covers",   "includes", "trains",  "defeats", "beats",   "replaces", "joins",
    "wears",      "drives",   "hosts",    "directs",  "invents", "paints",  "buys",    "advises",  "treats",
    "causes",     "affects",  "requires", "drinks",   "helps",   "mentions"};
constexpr std::pair<std::string_view, std::string_view> kPasts[] = {
    {"make", "made"}, {"sell", "sold"},    {"lead", "led"},    {"run", "ran"},   {"write", "wrote"},
    {"read", "read"}, {"teach", "taught"}, {"eat", "ate"},     {"know", "knew"}, {"speak", "spoke"},
    {"have", "had"},  {"come", "came"},    {"go", "went"},     {"take", "took"}, {"drive", "drove"},
    {"wear", "wore"}, {"buy", "bought"},   {"drink", "drank"}, {"beat", "beat"}, {"belong", "belonged"},
    {"fly", "flew"},  {"grow", "grew"},    {"sit", "sat"},     {"win", "won"},   {"fight", "fought"}};
constexpr std::string_view kParticiples[] = {"made", "held",  "sold",  "built", "known", "born",   "found",
                                             "led",  "won",   "shot",  "set",   "sung",  "taught", "bought",
                                             "worn", "shown", "taken", "put",   "cut",   "fought", "buried"};

template <std::size_t n>
bool is_one_of_words(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool ends_in_consonant_and_y(std::string_view word) {
  return word.size() > 1 && word.back() == 'y' &&
         std::string_view("aeiou").find(word[word.size() - 2]) == std::string_view::npos;
}

std::string past_of(const std::string& base) {
  for (const auto& [now, before] : kPasts)
    if (base == now) return std::string(before);
  if (base.ends_with('e')) return base + "d";
  if (ends_in_consonant_and_y(base)) return base.substr(0, base.size() - 1) + "ied";
  return base + "ed";
}

// "wrote" to "write", "produced" to "produce".
std::string base_of_past(const std::string& past) {
  constexpr std::pair<std::string_view, std::string_view> kOdd[] = {
      {"made", "make"},  {"wrote", "write"},    {"built", "build"},  {"drew", "draw"},  {"sang", "sing"},
      {"found", "find"}, {"led", "lead"},       {"won", "win"},      {"bred", "breed"}, {"ran", "run"},
      {"sold", "sell"},  {"created", "create"}, {"scored", "score"}, {"held", "hold"},  {"taught", "teach"}};
  std::vector<std::string> words = split_words(past);
  std::string& word =
      words.front().ends_with("ed") || words.size() == 1 || words.back() == "up" || words.back() == "saint"
          ? words.front()
          : words.back();
  const auto odd =
      std::find_if(std::begin(kOdd), std::end(kOdd), [&](const auto& o) { return o.first == word; });
  if (odd != std::end(kOdd)) {
    word = odd->second;
  } else if (word.ends_with("ed") && word.size() > 4) {
    word.resize(word.size() - 2);
    const char last = word.back(), before = word[word.size() - 2];
    const bool silent = std::string_view("cvzg").find(last) != std::string_view::npos ||
                        (last == 's' && before != 's') || word.ends_with("at") || word.ends_with("ut") ||
                        word.ends_with("ur");
    if (last == before && std::string_view("nmpt").find(last) != std::string_view::npos)
      word.pop_back();
    else if (silent)
      word += 'e';
  }
  return join_words(words);
}

// "reports" to "report", "teaches" to "teach".
std::string base_of(const std::string& third) {
  for (const std::string_view end : {"ches", "shes", "sses", "xes"})
    if (third.ends_with(end)) return third.substr(0, third.size() - 2);
  if (third.ends_with("ies") && third.size() > 4) return third.substr(0, third.size() - 3) + "y";
  return third.substr(0, third.size() - 1);
}

bool is_participle(std::string_view word) {
  return (word.size() > 3 && (word.ends_with("ed") || word.ends_with("en"))) ||
         is_one_of_words(word, kParticiples);
}

Done done_of(const std::string& participle, const std::string& past) {
  return {participle, past, base_of_past(past)};
}

void add_does(const std::string& base, const std::string& past, SaidRelation& out) {
  out.does.push_back(verb_of(base, past));
}

// Takes a name that is no noun; false where it is one.
bool take_verb(const std::vector<std::string>& words, SaidRelation& out) {
  const std::string first = words.front();
  if (words.size() == 1) {
    if (!is_one_of_words(first, kVerbs)) return false;
    add_does(base_of(first), past_of(base_of(first)), out);
    return true;
  }
  if (!is_one_of_words(words.back(), kPrepositions)) return false;
  const std::string rest = join_words(std::span(words).subspan(1)), label = join_words(words);
  if (is_participle(first) && words.back() == "by")
    out.done.push_back(done_of(join_words(std::span(words).first(words.size() - 1)),
                               join_words(std::span(words).first(words.size() - 1))));
  else if (is_participle(first))
    add_does("be " + label, "was " + label, out);
  else if (first.ends_with('s') && !first.ends_with("ss") && first.size() > 3 && words.size() == 2)
    add_does(base_of(first) + " " + rest, past_of(base_of(first)) + " " + rest, out);
  else if (words.back() == "of")
    add_does("be " + with_article(label), "was " + with_article(label), out);
  else
    add_does("be " + label, "was " + label, out);
  return true;
}

}  // namespace

std::string third_person(std::string_view base) {
  const std::size_t space = std::min(base.find(' '), base.size());
  const std::string_view verb = base.substr(0, space), rest = base.substr(space);
  if (verb == "be") return "is" + std::string(rest);
  if (verb == "have") return "has" + std::string(rest);
  for (const std::string_view end : {"ch", "sh", "ss", "x", "o"})
    if (verb.ends_with(end)) return std::string(verb) + "es" + std::string(rest);
  if (ends_in_consonant_and_y(verb))
    return std::string(verb.substr(0, verb.size() - 1)) + "ies" + std::string(rest);
  return std::string(verb) + "s" + std::string(rest);
}

std::string did(const Verb& verb, const std::string& x) {
  return (verb.is ? "was " : "did ") + x + " " + verb.rest;
}

Verb verb_of(const std::string& base, const std::string& past) {
  Verb verb{base, past, third_person(base), base.starts_with("be "), base, {}, {}};
  if (verb.is) verb.rest = base.substr(3);
  verb.bare = verb.rest;
  const std::size_t space = verb.rest.rfind(' ');
  if (space == std::string::npos || !is_one_of_words(verb.rest.substr(space + 1), kPrepositions)) return verb;
  verb.preposition = verb.rest.substr(space + 1);
  verb.bare.resize(space);
  return verb;
}

bool is_taken_part_in(const SaidRelation& relation) {
  return std::any_of(relation.acts.begin(), relation.acts.end(),
                     [](const Verb& verb) { return verb.preposition == "in"; });
}

SaidRelation said_relation(const RelationWords& words) {
  SaidRelation out;
  std::vector<std::string> label = words.words;
  while (label.size() > 1 && (label.front() == "has" || label.front() == "is")) label.erase(label.begin());
  out.tail = words.tail;
  const bool value = words.tail == EndKind::kDate || words.tail == EndKind::kNumber;
  const bool verbal = is_participle(label.front()) || is_one_of_words(label.back(), kPrepositions);
  if (const dialogue::MeasureWords* measure =
          value ? dialogue::measure_of(words.words, words.tail == EndKind::kDate) : nullptr)
    out.nouns = measure->nouns;
  if (const Family* family = words.family; family != nullptr) {
    if (out.nouns.empty()) out.nouns = family->nouns;
    out.head = family->head;
    out.head_nouns = family->head_nouns;
    out.loose = family->loose;
    const bool fits = !value || family->tail == EndKind::kDate || family->tail == EndKind::kNumber;
    for (const auto& [participle, past] : family->done)
      if (fits) out.done.push_back(done_of(participle, past));
    const bool located = label.front() == "located" || label.front() == "situated";
    if (is_home(words)) {
      out.does = {verb_of("live in", "lived in"), verb_of("live in", "lived in"),
                  verb_of("reside in", "resided in"), verb_of("be based in", "was based in")};
      out.head = EndKind::kPerson;
      out.head_nouns = {"person"};
    }
    for (const auto& [base, past] : family->does)
      if (fits && !is_home(words) && !(located && base == "take place in"))
        out.does.push_back(verb_of(base, past));
    for (const auto& [base, past] : family->acts)
      if (fits) out.acts.push_back(verb_of(base, past));
    if (!verbal || out.nouns.empty()) out.label = join_words(label);
    return out;
  }
  if (value ? !verbal || out.nouns.empty() : !take_verb(label, out)) out.label = join_words(label);
  return out;
}

}  // namespace kgwalk::listening
