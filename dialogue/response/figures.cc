#include "dialogue/response/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace kgwalk::dialogue {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};

struct NumberWord {
  std::string_view word;
  int value;
};
constexpr NumberWord kNumberWords[] = {
    {"zero", 0},     {"two", 2},        {"three", 3},     {"four", 4},        {"five", 5},
    {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},        {"ten", 10},
    {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14},   {"fifteen", 15},
    {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19},   {"twenty", 20},
    {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},      {"seventy", 70},
    {"eighty", 80},  {"ninety", 90},    {"hundred", 100}, {"thousand", 1000}, {"million", 1000000},
    {"dozen", 12},   {"twice", 2},      {"double", 2},    {"couple", 2},      {"first", 1},
    {"second", 2},   {"third", 3},      {"fourth", 4},    {"fifth", 5},       {"sixth", 6},
    {"seventh", 7},  {"eighth", 8},     {"ninth", 9},     {"tenth", 10},      {"billion", 1000000000},
    {"half", -1},    {"quarter", -1},   {"once", -1}};

struct Token {
  std::string text;  // small letters, or digits without commas and what letters stick to them
  bool digits = false, large = false;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0;
}

// A comma or a point between digits belongs to the number.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    Token token{.text = {},
                .digits = is_digit(text[at]),
                .large = std::isupper(static_cast<unsigned char>(text[at])) != 0};
    for (; at < text.size(); ++at) {
      const char c = text[at];
      const bool inner = (c == ',' || c == '.') && token.digits && is_digit(text[at - 1]) &&
                         at + 1 < text.size() && is_digit(text[at + 1]);
      if (!is_word(c) && !inner) break;
      if (c != ',') token.text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    out.push_back(std::move(token));
  }
  return out;
}

std::optional<int> number_in(const std::vector<Token>& tokens, std::size_t at) {
  if (at >= tokens.size() || !tokens[at].digits) return std::nullopt;
  const std::string& text = tokens[at].text;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const bool ordinal = rest == "st" || rest == "nd" || rest == "rd" || rest == "th";
  return error == std::errc() && (rest.empty() || ordinal) ? std::optional(value) : std::nullopt;
}

bool is_day(std::optional<int> number) { return number && *number >= 1 && *number <= 31; }
bool is_year(std::optional<int> number) { return number && *number >= 1000 && *number <= 2999; }

// 1 to 12. "may" is a month where it is written large or stands at a number.
std::optional<int> month_in(const std::vector<Token>& tokens, std::size_t at) {
  if (at >= tokens.size() || tokens[at].digits) return std::nullopt;
  const std::string& word = tokens[at].text;
  for (std::size_t m = 0; m < kMonths.size(); ++m) {
    const bool shortened = word.size() >= 3 && word.size() <= 4 && kMonths[m].starts_with(word);
    if (word != kMonths[m] && !shortened) continue;
    const bool by_number = number_in(tokens, at + 1) || (at > 0 && number_in(tokens, at - 1));
    if (by_number || (word == kMonths[m] && tokens[at].large && (word != "may" || at > 0)))
      return static_cast<int>(m) + 1;
  }
  return std::nullopt;
}

// "2010-07-16" becomes three tokens of 4, 2 and 2 digits.
bool is_iso(const std::vector<Token>& tokens, std::size_t at) {
  if (at + 2 >= tokens.size()) return false;
  return tokens[at].digits && tokens[at].text.size() == 4 && tokens[at + 1].digits &&
         tokens[at + 1].text.size() == 2 && is_day(number_in(tokens, at + 2)) &&
         tokens[at + 2].text.size() == 2 && number_in(tokens, at + 1) <= 12;
}

// A date that has its month at `at`; `taken` are the tokens that belong to it.
DateTold date_at(const std::vector<Token>& tokens, std::size_t at, int month, std::vector<bool>& taken) {
  DateTold date{.month = month};
  const auto take = [&](std::optional<int>& part, std::size_t place) {
    part = number_in(tokens, place);
    taken[place] = true;
  };
  taken[at] = true;
  const std::size_t before = at > 0 && tokens[at - 1].text == "of" ? at - 2 : at - 1;
  std::size_t next = at + 1;
  if (at > 0 && before < tokens.size() && is_day(number_in(tokens, before)) && !taken[before]) {
    take(date.day, before);
  } else if (is_day(number_in(tokens, next))) {
    take(date.day, next++);
  }
  if (next < tokens.size() && tokens[next].text == "of") ++next;
  if (is_year(number_in(tokens, next))) take(date.year, next);
  return date;
}

bool agrees(const DateTold& said, const DateTold& known) {
  const auto part = [](const std::optional<int>& a, const std::optional<int>& b) { return !a || a == b; };
  return part(said.year, known.year) && part(said.month, known.month) && part(said.day, known.day);
}

std::string text_of_date(const DateTold& date) {
  const auto part = [](std::optional<int> number) {
    return number ? std::to_string(*number) : std::string("?");
  };
  return fmt::format("{}-{}-{}", part(date.year), part(date.month), part(date.day));
}

const NumberWord* number_word(std::string_view word) {
  const auto found = std::find_if(std::begin(kNumberWords), std::end(kNumberWords),
                                  [&](const NumberWord& one) { return one.word == word; });
  return found == std::end(kNumberWords) ? nullptr : &*found;
}

template <class List, class Value>
bool holds(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

Figures figures_of(std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text);
  std::vector<bool> taken(tokens.size(), false);
  Figures out;
  for (std::size_t at = 0; at < tokens.size(); ++at)
    if (is_iso(tokens, at)) {
      out.dates.push_back({number_in(tokens, at), number_in(tokens, at + 1), number_in(tokens, at + 2)});
      taken[at] = taken[at + 1] = taken[at + 2] = true;
    }
  for (std::size_t at = 0; at < tokens.size(); ++at)
    if (const auto month = month_in(tokens, at); month && !taken[at])
      out.dates.push_back(date_at(tokens, at, *month, taken));
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (taken[at]) continue;
    if (tokens[at].digits) out.numbers.push_back(tokens[at].text);
    if (!tokens[at].digits && number_word(tokens[at].text) != nullptr) out.words.push_back(tokens[at].text);
  }
  return out;
}

std::string figure_made_up(std::string_view said, std::string_view known, std::size_t counted) {
  const Figures told = figures_of(said);
  Figures given = figures_of(known);
  for (const DateTold& date : given.dates)
    if (date.year) given.numbers.push_back(std::to_string(*date.year));
  if (counted > 0) given.numbers.push_back(std::to_string(counted));
  for (const DateTold& date : told.dates)
    if (std::none_of(given.dates.begin(), given.dates.end(),
                     [&](const DateTold& one) { return agrees(date, one); }))
      return text_of_date(date);
  for (const std::string& number : told.numbers)
    if (!holds(given.numbers, number)) return number;
  for (const std::string& word : told.words) {
    const int value = number_word(word)->value;
    if (!holds(given.words, word) && (value < 0 || !holds(given.numbers, std::to_string(value)))) return word;
  }
  return "";
}

}  // namespace kgwalk::dialogue
