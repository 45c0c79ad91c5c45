#include "planner/answering/said_sentences.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace kgwalk {
namespace {

using listening::HeardParts;
using listening::is_question_word;
using listening::SaidWord;

constexpr std::size_t kShortest = 2;  // letters of a word before a full stop: "J." and "Dr." end nothing
constexpr std::size_t kMostSentences = 6;

// Words inside a name, all but its first.
std::vector<bool> inside_names(const HeardParts& parts) {
  std::vector<bool> inside(parts.said.words.size(), false);
  for (const std::uint32_t m : parts.named)
    for (std::size_t i = parts.mentions[m].first; i < parts.mentions[m].last; ++i) inside[i] = true;
  return inside;
}

std::string part(const std::string& text, std::size_t begin, std::size_t end) {
  const std::size_t first = text.find_first_not_of(" \t\r\n", begin);
  if (first == std::string::npos || first >= end) return "";
  const std::size_t last = text.find_last_not_of(" \t\r\n,", end - 1);
  return text.substr(first, last - first + 1);
}

bool is_pronoun(std::string_view word) {
  constexpr std::string_view kWords[] = {"it",  "its", "he",   "his",   "him",
                                         "she", "her", "they", "their", "them"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

bool ends_sentence(const std::vector<SaidWord>& words, std::size_t i, const std::vector<bool>& inside) {
  const std::string& mark = words[i].folded;
  if (words[i].is_word || i == 0 || i + 1 >= words.size() || inside[i]) return false;
  if (!words[i + 1].is_word) return false;
  if (mark == "?" || mark == "!") return true;
  const SaidWord& before = words[i - 1];
  return mark == "." && before.is_word && before.end - before.begin > kShortest && words[i + 1].capital &&
         words[i].end < words[i + 1].begin;
}

// Of a pronoun where one stands, and whether it owns what is asked for: "its".
struct Pronoun {
  std::string_view word;
  bool owns = false;
};

// "How long is it?" - "and Heat?": the name in place of the pronoun. "What is the capital?" - "of France":
// what was not named is added.
std::string with_named(const std::string& said, std::string_view name) {
  constexpr Pronoun kPronouns[] = {{"it"},   {"he"},        {"she"},       {"him"},       {"they"},
                                   {"them"}, {"its", true}, {"his", true}, {"her", true}, {"their", true}};
  const listening::SaidText text = listening::read_said(said);
  for (const listening::SaidWord& word : text.words)
    for (const Pronoun& pronoun : kPronouns)
      if (word.folded == pronoun.word) {
        std::string whole = said;
        whole.replace(word.begin, word.end - word.begin, std::string(name) + (pronoun.owns ? "'s" : ""));
        return whole;
      }
  return said.substr(0, said.find_last_not_of(" .!?") + 1).append(" of ").append(name);
}

}  // namespace

bool asks_which(std::string_view sentence) {
  constexpr std::string_view kWords[] = {"which", "ones", "one", "who",    "what",  "and",
                                         "are",   "they", "is",  "it",     "those", "them",
                                         "list",  "name", "the", "titles", "names"};
  const listening::SaidText said = listening::read_said(sentence);
  std::size_t words = 0;
  bool asks = false;
  for (const SaidWord& word : said.words) {
    if (!word.is_word) continue;
    if (++words > 4 || std::find(std::begin(kWords), std::end(kWords), word.folded) == std::end(kWords))
      return false;
    asks = asks || word.folded == "which" || word.folded == "who" || word.folded == "list" ||
           word.folded == "name";
  }
  return asks;
}

std::vector<std::string> sentences_of(const HeardParts& parts) {
  const std::vector<SaidWord>& words = parts.said.words;
  const std::vector<bool> inside = inside_names(parts);
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < words.size() && out.size() + 1 < kMostSentences; ++i)
    if (ends_sentence(words, i, inside)) {
      out.push_back(part(parts.said.text, begin, words[i].end));
      begin = words[i].end;
    }
  if (out.empty()) return {parts.said.text};
  out.push_back(part(parts.said.text, begin, parts.said.text.size()));
  std::erase(out, "");
  return out;
}

std::optional<TwoQuestions> two_questions(const HeardParts& parts) {
  const std::vector<SaidWord>& words = parts.said.words;
  const std::vector<bool> inside = inside_names(parts);
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    const std::string& joint = words[i].folded;
    if (inside[i] || (joint != "and" && joint != ",")) continue;
    // "and in which year"
    const std::size_t next = words[i + 1].is_word && words[i + 1].folded.size() == 2 ? i + 2 : i + 1;
    if (next + 1 >= words.size() || !is_question_word(words[next].folded) || inside[next]) continue;
    std::string first = part(parts.said.text, 0, words[i].begin),
                second = part(parts.said.text, words[i + 1].begin, parts.said.text.size());
    if (first.empty() || second.empty()) return std::nullopt;
    const bool refers =
        std::any_of(words.begin() + static_cast<std::ptrdiff_t>(next), words.end(), [&](const SaidWord& w) {
          return !inside[static_cast<std::size_t>(&w - words.data())] && is_pronoun(w.folded);
        });
    return TwoQuestions{first + "?", second, refers};
  }
  return std::nullopt;
}

std::optional<TwoQuestions> two_attributes(const HeardParts& parts) {
  constexpr std::size_t kLongest = 3;  // words of an attribute, "the release year"
  const std::vector<SaidWord>& words = parts.said.words;
  const std::vector<bool> inside = inside_names(parts);
  const auto is_plain = [&](std::size_t i) { return i < words.size() && words[i].is_word && !inside[i]; };
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (inside[i] || words[i].folded != "and" || !is_plain(i - 1) || !words[i - 1].content) continue;
    std::size_t begin = i - 1, end = i + 1;
    while (begin > 0 && i - begin < kLongest && is_plain(begin - 1) &&
           (words[begin - 1].content || words[begin - 1].folded == "the"))
      --begin;
    while (is_plain(end) && !words[end].content && end - i <= 2) ++end;  // "also the"
    if (!is_plain(end)) continue;
    while (is_plain(end) && words[end].content && end - i <= kLongest) ++end;
    const auto joined = [&](std::size_t before, std::size_t behind) {
      const std::string first = part(parts.said.text, 0, before),
                        second = part(parts.said.text, behind, parts.said.text.size());
      return first.empty() ? second : second.empty() ? first : first + " " + second;
    };
    return TwoQuestions{
        joined(words[i - 1].end, end < words.size() ? words[end].begin : parts.said.text.size()),
        joined(words[begin].begin, words[i + 1].begin), false};
  }
  return std::nullopt;
}

std::string with_name(const std::string& said, const std::string& name, std::string_view instead) {
  if (name.empty()) return with_named(said, instead);
  std::string text = said;
  const std::size_t at = text.find(name);
  if (at != std::string::npos) text.replace(at, name.size(), instead);
  return text;
}

}  // namespace kgwalk
