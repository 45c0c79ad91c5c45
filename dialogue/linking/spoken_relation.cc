#include "dialogue/linking/spoken_relation.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace kgwalk::dialogue {
namespace {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 4> kYes{"yes", "true", "1", "y"}, kNo{"no", "false", "0", "n"};

// "Country of nationality" to "country of nationality"; "TV role" stays.
std::string lowered(std::string word) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!word.empty() && upper(word[0]) && (word.size() == 1 || !upper(word[1])))
    word[0] = static_cast<char>(word[0] - 'A' + 'a');
  return word;
}

std::vector<std::string> split_relation(std::string_view relation) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(lowered(std::exchange(word, {})));
  };
  for (const char c : relation) {
    if (c == '_' || c == ' ' || c == '/' || c == '-' || c == '.') {
      end();
    } else {
      word += c;
    }
  }
  end();
  return words;
}

// What takes no object, so that nobody was "died".
constexpr std::array<std::string_view, 20> kActive{
    "died",      "lived",        "worked",    "starred", "appeared", "played", "acted",
    "performed", "participated", "graduated", "studied", "served",   "moved",  "looked",
    "arrived",   "talked",       "competed",  "wrote",   "ran",      "fought"};

// "employees", and not "class", "status", "analysis", "series".
bool is_plural(const std::string& word) {
  static constexpr std::array<std::string_view, 10> kOne{
      "series", "species", "headquarters", "news", "gas", "lens", "canvas", "corps", "alias", "tennis"};
  for (const std::string_view end : {"ss", "us", "is", "ics"})
    if (word.ends_with(end)) return false;
  return word.size() > 3 && word.ends_with('s') && !is_one_of(kOne, word);
}

// The noun that others stand beside: "languages" of "languages spoken", "top 3 producers", "kinds of rock".
bool is_plural_noun(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 7> kBehind{"of", "in", "at", "on", "for", "spoken", "won"};
  std::size_t end = 0;
  while (end < words.size() && !is_one_of(kBehind, words[end]) && !(end > 0 && words[end].ends_with("ed")))
    ++end;
  return end > 0 && is_plural(words[end - 1]);
}

// "flows through", "is part of", and verbs that stand alone. "plays" and "works" alone are as often nouns.
bool is_present(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 16> kBetween{
      "by",      "in",   "at",   "on",    "with", "to",      "from",  "for",
      "through", "into", "over", "under", "of",   "against", "about", "within"};
  static constexpr std::array<std::string_view, 24> kAlone{
      "borders",  "owns",     "contains", "includes", "adjoins",   "influences", "employs", "produces",
      "knows",    "likes",    "follows",  "loves",    "teaches",   "treats",     "affects", "requires",
      "supports", "precedes", "succeeds", "manages",  "publishes", "inhibits",   "speaks",  "belongs"};
  const std::string& first = words.front();
  if (words.size() == 1) return is_one_of(kAlone, first);
  if (!is_one_of(kBetween, words.back())) return false;
  if (first == "is") return true;
  if (words.size() != 2 || !first.ends_with('s') || first.ends_with("ss")) return false;
  return words.back() != "of" || first == "consists";  // "parts of" is a noun
}

constexpr std::array<std::string_view, 9> kPlaces{"by", "in", "at", "on", "with", "to", "from", "for", "as"};

RelationForm form_of(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 12> kOdd{"wrote", "made", "won",  "led",    "sang",   "built",
                                                         "saw",   "ran",  "gave", "fought", "taught", "owns"};
  static constexpr std::array<std::string_view, 6> kOddParticiples{"born",  "written", "made",
                                                                   "known", "held",    "led"};
  const std::string &first = words.front(), &last = words.back();
  const bool past = first.size() > 3 && first.ends_with("ed");
  if (words.size() > 1 && (past || is_one_of(kOddParticiples, first)) && !is_one_of(kActive, first) &&
      is_one_of(kPlaces, last))
    return RelationForm::kParticiple;
  if (is_present(words)) return RelationForm::kPresent;
  if (past || is_one_of(kOdd, first) || is_one_of(kActive, first)) return RelationForm::kVerb;
  if (words.size() > 1 && last == "of") return RelationForm::kNounOf;
  return is_plural_noun(words) ? RelationForm::kNouns : RelationForm::kNoun;
}

}  // namespace

std::optional<bool> yes_or_no(std::string_view value) {
  std::string lower(value);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (is_one_of(kYes, lower)) return true;
  if (is_one_of(kNo, lower)) return false;
  return std::nullopt;
}

std::string flag_predicate(std::string_view relation, std::string_view value) {
  const std::vector<std::string> words = split_relation(relation);
  const std::optional<bool> yes = yes_or_no(value);
  if (words.size() < 2 || !yes) return {};
  std::string text = words.front();
  if (text == "is" || text == "was")
    text += *yes ? "" : " not";
  else if (text == "has")
    text += *yes ? "" : " no";
  else if (text == "can")
    text = *yes ? "can" : "cannot";
  else
    return {};
  for (std::size_t i = 1; i < words.size(); ++i) text += ' ' + words[i];
  return text;
}

SpokenRelation spoken_relation(std::string_view relation) {
  std::vector<std::string> words = split_relation(relation);
  if (words.size() > 1 && words.front() == "has") words.erase(words.begin());
  if (words.empty()) return {std::string(relation), RelationForm::kNoun};
  SpokenRelation result{"", form_of(words)};
  for (const std::string& word : words) result.words.append(result.words.empty() ? "" : " ").append(word);
  return result;
}

bool ends_with_preposition(std::string_view words) {
  return is_one_of(kPlaces, words.substr(words.rfind(' ') + 1));
}

std::string plural_verb(const std::string& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  std::string verb = words.substr(0, end);
  if (verb == "is") return "are" + words.substr(end);
  if (verb.ends_with("ches") || verb.ends_with("shes") || verb.ends_with("sses") || verb.ends_with("xes"))
    verb.resize(verb.size() - 2);
  else if (verb.ends_with('s'))
    verb.pop_back();
  return verb + words.substr(end);
}

std::string happened(const SpokenRelation& relation, bool many) {
  if (relation.form != RelationForm::kVerb || relation.words.find(' ') != std::string::npos) return {};
  if (is_one_of(kActive, relation.words)) return relation.words;
  return (many ? "were " : "was ") + relation.words;
}

namespace {

std::string without_end(const std::string& words, std::string_view end) {
  return words.substr(0, words.size() - end.size());
}

// "written by" to "wrote"; empty where the verb is none of these.
std::string active_of(const std::string& participle) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOdd{{{"written", "wrote"},
                                                                                      {"sung", "sang"},
                                                                                      {"drawn", "drew"},
                                                                                      {"made", "made"},
                                                                                      {"built", "built"},
                                                                                      {"taught", "taught"},
                                                                                      {"held", "held"},
                                                                                      {"led", "led"},
                                                                                      {"won", "won"}}};
  for (const auto& [passive, active] : kOdd)
    if (participle == passive) return std::string(active);
  return participle.ends_with("ed") && participle.find(' ') == std::string::npos ? participle : "";
}

// A noun phrase that "of" may follow: neither "award won" nor "plays for".
bool is_plain_noun(const std::string& words) {
  static constexpr std::array<std::string_view, 13> kEnds{
      "won", "spoken", "by", "adjoins", "in", "at", "on", "to", "from", "for", "as", "with", "a"};
  const std::string last = words.substr(words.rfind(' ') + 1);
  return !last.ends_with("ed") && !is_one_of(kEnds, last) && !words.starts_with("is ");
}

}  // namespace

std::string relation_label(std::string_view relation) {
  const bool back = relation.starts_with('~');
  SpokenRelation spoken = spoken_relation(back ? relation.substr(1) : relation);
  std::string& words = spoken.words;
  if (words.starts_with("in ") && is_noun(spoken.form)) words.erase(0, 3);  // "in language"
  if (!back) return words;
  if (words.ends_with(" by")) {
    const std::string before = without_end(words, " by");
    if (is_noun(spoken.form)) return before + " for";  // "music by"
    if (std::string active = active_of(before); !active.empty()) return active;
  }
  if (spoken.form == RelationForm::kNounOf) return without_end(words, " of");
  if (is_noun(spoken.form) && is_plain_noun(words)) return words + " of";
  return "← " + words;
}

}  // namespace kgwalk::dialogue
