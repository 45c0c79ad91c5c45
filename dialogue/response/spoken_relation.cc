#include "dialogue/response/spoken_relation.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace kgwalk::dialogue {
namespace {

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

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

RelationForm form_of(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 9> kPlaces{"by", "in",   "at",  "on", "with",
                                                           "to", "from", "for", "as"};
  static constexpr std::array<std::string_view, 20> kActive{
      "died",      "lived",        "worked",    "starred", "appeared", "played", "acted",
      "performed", "participated", "graduated", "studied", "served",   "moved",  "looked",
      "arrived",   "talked",       "competed",  "wrote",   "ran",      "fought"};
  static constexpr std::array<std::string_view, 12> kOdd{"wrote", "made", "won",  "led",    "sang",   "built",
                                                         "saw",   "ran",  "gave", "fought", "taught", "owns"};
  static constexpr std::array<std::string_view, 6> kOddParticiples{"born",  "written", "made",
                                                                   "known", "held",    "led"};
  const std::string &first = words.front(), &last = words.back();
  const bool past = first.size() > 3 && first.ends_with("ed");
  if (words.size() > 1 && (past || among(kOddParticiples, first)) && !among(kActive, first) &&
      among(kPlaces, last))
    return RelationForm::kParticiple;
  if (past || among(kOdd, first) || among(kActive, first)) return RelationForm::kVerb;
  return words.size() > 1 && last == "of" ? RelationForm::kNounOf : RelationForm::kNoun;
}

}  // namespace

SpokenRelation spoken_relation(std::string_view relation) {
  std::vector<std::string> words = split_relation(relation);
  if (words.size() > 1 && words.front() == "has") words.erase(words.begin());
  if (words.empty()) return {std::string(relation), RelationForm::kNoun};
  SpokenRelation result{"", form_of(words)};
  for (const std::string& word : words) result.words.append(result.words.empty() ? "" : " ").append(word);
  return result;
}

}  // namespace kgwalk::dialogue
