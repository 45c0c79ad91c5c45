// Values in a text: numbers, dates, years, decades and ranges of them.
#include <algorithm>
#include <charconv>
#include <string>

#include "listening/candidates/candidates.h"

namespace kgwalk::listening {
namespace {

constexpr std::size_t kLongestValue = 5;  // words
constexpr std::uint64_t kMostCenturies = 21;

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<graph::TypedValue> parsed(const SaidText& said, std::size_t first, std::size_t last) {
  const std::size_t begin = said.words[first].begin, end = said.words[last - 1].end;
  const std::string text = said.text.substr(begin, end - begin);
  const auto value = graph::parse_value(text);
  if (!value || value->kind == graph::ValueKind::kText || value->kind == graph::ValueKind::kBoolean)
    return std::nullopt;
  // Four digits alone are a year as people say them.
  if (text.size() == 4 && is_digits(text) && value->kind == graph::ValueKind::kNumber)
    return graph::year_value(std::strtol(text.c_str(), nullptr, 10));
  return value;
}

HeardValue value_at(const SaidText& said, std::size_t first, std::size_t last,
                    const graph::TypedValue& value) {
  HeardValue heard{.first = first, .last = last, .value = value};
  if (value.kind == graph::ValueKind::kNumber && value.unit != 0)
    for (std::size_t end = last - 1; end > first && !heard.bare; --end) heard.bare = parsed(said, first, end);
  return heard;
}

HeardValue years(std::size_t first, std::size_t last, long from, long to) {
  return {.first = first, .last = last, .value = graph::year_value(from), .upper = graph::year_value(to)};
}

// "the 1990s", "1990's", "the '90s", "the nineties"; "the 16th century"
std::optional<HeardValue> period_at(const SaidText& said, std::size_t first) {
  constexpr std::string_view kDecades[] = {"twenties", "thirties",  "forties",  "fifties",
                                           "sixties",  "seventies", "eighties", "nineties"};
  constexpr long kFirst = 1920;
  const std::string_view word = said.words[first].folded;
  std::size_t last = first + 1;
  long year = 0;
  const auto* const named = std::find(std::begin(kDecades), std::end(kDecades), word);
  if (named != std::end(kDecades)) year = kFirst + 10 * (named - std::begin(kDecades));
  std::string_view digits = word.ends_with('s') ? word.substr(0, word.size() - 1) : std::string_view();
  if (last + 1 < said.words.size() && !said.words[last].is_word && said.words[last + 1].folded == "s") {
    digits = word;
    if (word.size() == 4) last += 2;
  }
  if (is_digits(digits) && digits.ends_with('0')) {
    const long number = std::strtol(std::string(digits).c_str(), nullptr, 10);
    if (digits.size() == 4) year = number;
    if (digits.size() == 2 && number >= kFirst % 100) year = kFirst - kFirst % 100 + number;
  }
  if (year > 0) return years(first, last, year, year + 9);
  const auto century = ordinal_in_digits(word);
  if (!century || *century == 0 || *century > kMostCenturies || last == said.words.size() ||
      said.words[last].folded != "century")
    return std::nullopt;
  const long end = 100 * static_cast<long>(*century);
  return years(first, last + 1, end - 99, end);
}

// "At least five", "two or more", "since 1990": the value itself counts too.
bool is_inclusive(const SaidText& said, std::size_t first, std::size_t last) {
  if (said.is_behind(first, {"since"})) return true;
  if (said.is_behind(first, {"least", "most"})) return said.is_behind(first - 1, {"at"});
  if (last + 1 >= said.words.size() || said.words[last].folded != "or") return false;
  constexpr std::string_view kMore[] = {"more",    "less", "fewer", "later",
                                        "earlier", "over", "above", "after"};
  return std::find(std::begin(kMore), std::end(kMore), said.words[last + 1].folded) != std::end(kMore);
}

// A number that is written as a word is one where a comparison stands before it ("more than two") or what a
// relation counts behind it ("five cylinders").
std::optional<graph::TypedValue> number_in_words(const SaidText& said, std::size_t at,
                                                 const IsCounted& is_counted) {
  const auto number = number_word(said.words[at].folded);
  if (!number) return std::nullopt;
  const bool meant =
      said.is_behind(at, {"than", "least", "over", "under", "exactly", "above", "below", "only"}) ||
      (said.is_behind(at, {"most"}) && said.is_behind(at - 1, {"at"})) ||
      (at + 1 < said.words.size() && said.words[at + 1].content && is_counted &&
       is_counted(said.words[at + 1].folded));
  return meant ? std::optional(graph::number_value(static_cast<double>(*number))) : std::nullopt;
}

// "between 1990 and 2000", "from 1990 to 2000": both are one range.
void join_ranges(const SaidText& said, std::vector<HeardValue>& values) {
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    HeardValue& a = values[i];
    const HeardValue& b = values[i + 1];
    if (a.first == 0 || b.first != a.last + 1) continue;
    const std::string &before = said.words[a.first - 1].folded, &between = said.words[a.last].folded;
    if ((before == "between" && between == "and") || (before == "from" && between == "to")) {
      a.upper = b.value;
      a.last = b.last;
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }
}

std::optional<graph::UnitId> unit_behind(const SaidText& said, std::size_t at) {
  if (at == said.words.size() || said.words[at].folded.size() < 2) return std::nullopt;
  const auto unit = graph::find_unit(said.words[at].folded);
  return unit && *unit != 0 ? unit : std::nullopt;
}

// The longest one that begins at the word.
std::optional<HeardValue> value_from(const SaidText& said, std::size_t at, const IsCounted& is_counted) {
  if (const auto period = period_at(said, at)) return period;
  const std::string& word = said.words[at].folded;
  // A name of a month alone, or a word, is no value.
  const bool digit = std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  for (std::size_t n = std::min(kLongestValue, said.words.size() - at); n > (digit ? 0U : 1U); --n)
    if (const auto value = parsed(said, at, at + n)) return value_at(said, at, at + n, *value);
  if (const auto place = ordinal_in_digits(word))
    return HeardValue{.first = at,
                      .last = at + 1,
                      .value = graph::number_value(static_cast<double>(*place)),
                      .ordinal = true};
  if (const auto number = number_in_words(said, at, is_counted)) {
    HeardValue heard{.first = at, .last = at + 1, .value = *number};
    if (const auto unit = unit_behind(said, at + 1)) {  // "two hours"
      heard.bare = heard.value;
      heard.value = graph::number_value(number->from, *unit);
      ++heard.last;
    }
    return heard;
  }
  return std::nullopt;
}

}  // namespace

std::vector<HeardValue> values_said(const SaidText& said, const IsCounted& is_counted) {
  std::vector<HeardValue> values;
  for (std::size_t i = 0; i < said.words.size();) {
    if (auto value = value_from(said, i, is_counted)) {
      i = value->last;
      values.push_back(std::move(*value));
    } else {
      ++i;
    }
  }
  for (HeardValue& value : values) value.inclusive = is_inclusive(said, value.first, value.last);
  join_ranges(said, values);
  return values;
}

}  // namespace kgwalk::listening
