#include "planner/answering/hear_turn.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "planner/answering/heard.h"
#include "planner/answering/said_names.h"

namespace kgwalk {
namespace {

using listening::HeardForm;
using listening::HeardParts;
using listening::HeardUtterance;
using listening::SaidBefore;
using listening::SaidWord;

constexpr double kSureAlone = 0.5;     // of the likeliest form
constexpr std::size_t kBehindThe = 4;  // words in which "the" finds what it belongs to: "the year of Heat"

template <std::size_t N>
bool is_one_of(const std::string& word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_kind(const HeardParts& parts, std::size_t word) {
  return std::any_of(parts.types.begin(), parts.types.end(),
                     [&](const listening::HeardType& type) { return type.word == word; });
}

// Words that names and values stand over; "film" is the name of a kind.
std::vector<bool> named_words(const HeardParts& parts) {
  std::vector<bool> covered = words_of_names(parts);
  for (const listening::HeardType& type : parts.types) covered[type.word] = false;
  return covered;
}

// "The director of Heat", "the film Heat", not "the cast".
bool belongs_to_what_follows(const HeardParts& parts, const std::vector<bool>& covered, std::size_t the) {
  constexpr std::string_view kOf[] = {"of", "in", "by", "from", "for", "with", "between", "behind"};
  const std::size_t end = std::min(parts.said.words.size(), the + 1 + kBehindThe);
  for (std::size_t i = the + 1; i < end; ++i) {
    if (covered[i]) return true;
    if (is_one_of(parts.said.words[i].folded, kOf)) return i + 1 < parts.said.words.size();
  }
  return false;
}

// "Which star Brad Pitt" asks which of those; "which films star him" which films.
bool begins_anew(const HeardParts& parts) {
  constexpr std::string_view kAsks[] = {"who",  "what", "where", "when", "whose", "whom", "how",  "is",
                                        "are",  "was",  "were",  "do",   "does",  "did",  "has",  "have",
                                        "list", "name", "show",  "tell", "give",  "find", "count"};
  const std::vector<SaidWord>& words = parts.said.words;
  if (words.empty()) return false;
  const std::string& first = words.front().folded;
  if (first == "which") return is_kind(parts, 1) || (words.size() > 2 && is_kind(parts, 2));
  return is_one_of(first, kAsks) || is_kind(parts, 0) || (words.size() > 2 && is_kind(parts, 1));
}

bool is_surely_heard(const HeardUtterance& heard) {
  if (heard.forms.empty()) return false;
  const HeardForm& best = best_of(heard);
  return !best.unsaid && !asks_whether_any(best) && best.probability >= kSureAlone;
}

constexpr std::string_view kBeing[] = {"is", "are", "was", "were", "be"};

// "Are there films", "which are there": no place that was spoken of.
bool is_existential(const std::vector<SaidWord>& words, std::size_t i) {
  const auto is_verb = [&](std::size_t at) {
    return at < words.size() && is_one_of(words[at].folded, kBeing);
  };
  return words[i].folded == "there" && ((i > 0 && is_verb(i - 1)) || is_verb(i + 1));
}

// Whether a word of before stands at the place, which a name may still cover.
bool says_of_before(const std::vector<SaidWord>& words, std::size_t i) {
  constexpr std::string_view kBefore[] = {
      "it",    "its",   "he",   "she",   "his",  "her",     "hers",    "him",    "they",    "them",  "their",
      "those", "these", "this", "there", "then", "else",    "other",   "others", "another", "one",   "ones",
      "same",  "also",  "too",  "rest",  "more", "besides", "instead", "again",  "former",  "latter"};
  return is_one_of(words[i].folded, kBefore) && !is_existential(words, i);
}

}  // namespace

bool stands_alone(const HeardParts& parts) {
  const std::vector<SaidWord>& words = parts.said.words;
  const std::vector<bool> covered = named_words(parts);
  if (std::find(covered.begin(), covered.end(), true) == covered.end() || !begins_anew(parts)) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (covered[i]) continue;
    if (says_of_before(words, i)) return false;
    if (words[i].folded == "the" && !belongs_to_what_follows(parts, covered, i)) return false;
    // "Films that star X" is no "that" of before.
    const bool is_that = words[i].folded == "that";
    if (is_that && (i + 1 == words.size() || i < 2 || !words[i - 1].content)) return false;
  }
  return true;
}

HeardUtterance hear_turn(const listening::Listener& listener, std::string_view said,
                         const SaidBefore& before) {
  const std::vector<SaidWord> words = listening::read_said(said).words;
  const bool spoken = !before.focus.empty() || !before.relations.empty();
  bool of_before = false;
  for (std::size_t i = 0; i < words.size(); ++i) of_before = of_before || says_of_before(words, i);
  if (spoken && !of_before) {
    SaidBefore nothing;
    nothing.context = before.context;
    nothing.capitals = before.capitals;
    HeardUtterance alone = listener.hear(said, nothing);
    if (stands_alone(alone.parts) && is_surely_heard(alone)) return alone;
  }
  return listener.hear(said, before);
}

}  // namespace kgwalk
