#include "listening/questions/english.h"

#include <algorithm>
#include <cctype>

#include "runtime/english.h"

namespace kgwalk::listening {
namespace {

bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

template <std::size_t n>
bool is_one_of(std::string_view word, const std::string_view (&words)[n]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Changes the word that bears the number: the last one before "of", "in", "for" and the like.
template <class Change>
std::string changed_head(std::string_view noun, Change change) {
  constexpr std::string_view kAfter[] = {" of ", " in ", " for ", " to ", " at ", " by ", " from "};
  std::size_t end = noun.size();
  for (const std::string_view mark : kAfter) end = std::min(end, noun.find(mark, 1));
  std::size_t space = noun.substr(0, end).rfind(' ');
  const std::string_view last = noun.substr(space == std::string_view::npos ? 0 : space + 1);
  const bool participle = last == "held" || last == "won" || (last.size() > 4 && last.ends_with("ed"));
  if (end == noun.size() && space != std::string_view::npos && participle) {
    end = space;  // "position held"
    space = noun.substr(0, end).rfind(' ');
  }
  const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
  return std::string(noun.substr(0, begin)) + change(noun.substr(begin, end - begin)) +
         std::string(noun.substr(end));
}

bool is_ascii_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string plural_of(std::string_view noun) { return changed_head(noun, kgwalk::plural_word); }
std::string singular_of(std::string_view noun) { return changed_head(noun, kgwalk::singular_word); }

std::string with_article(std::string_view noun) {
  constexpr std::string_view kSoundsOtherwise[] = {"university", "unit", "unique", "european", "union",
                                                   "one",        "user", "uk",     "us"};
  constexpr std::string_view kSilent[] = {"hour", "honor", "honour", "heir"};
  const std::string_view first = noun.substr(0, noun.find(' '));
  const bool vowel = !noun.empty() && is_vowel(static_cast<char>(std::tolower(noun[0])));
  const bool an = (vowel && !is_one_of(first, kSoundsOtherwise)) || is_one_of(first, kSilent);
  return (an ? "an " : "a ") + std::string(noun);
}

std::string owner_of(std::string_view name) { return std::string(name) + "'s"; }

std::string capitalized(std::string_view text) {
  std::string result(text);
  if (!result.empty() && is_ascii_letter(result[0]))
    result[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result[0])));
  return result;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string join_words(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::optional<std::string> number_in_words(std::string_view digits) {
  constexpr std::string_view kWords[] = {"two",   "three", "four", "five",   "six",   "seven",
                                         "eight", "nine",  "ten",  "eleven", "twelve"};
  for (std::size_t i = 0; i < std::size(kWords); ++i)
    if (digits == std::to_string(i + 2)) return std::string(kWords[i]);
  return std::nullopt;
}

std::string ordinal_of(std::int64_t number) {
  const std::int64_t last = number % 10, teens = number % 100;
  const bool teen = teens > 10 && teens < 20;
  return std::to_string(number) + (teen || last == 0 || last > 3 ? "th"
                                   : last == 1                   ? "st"
                                   : last == 2                   ? "nd"
                                                                 : "rd");
}

std::string with_typo(std::string_view text, Random& random) {
  std::string result(text);
  if (text.size() < 4) return result;
  const std::size_t at = 1 + random.below(text.size() - 2);
  const double kind = random.uniform();
  const char other = std::string_view("aeioustrn")[random.below(9)];
  if (!is_ascii_letter(text[at]) || !is_ascii_letter(text[at + 1])) return result;
  if (kind < 0.35)
    result.erase(at, 1);
  else if (kind < 0.6)
    std::swap(result[at], result[at + 1]);
  else if (kind < 0.8)
    result.insert(at, 1, text[at]);
  else
    result[at] = other;
  return result;
}

std::string were(const std::string& past) {
  return past.starts_with("was ") ? "were " + past.substr(4) : past;
}

}  // namespace kgwalk::listening
