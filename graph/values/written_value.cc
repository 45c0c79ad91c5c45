// Values as people write them.
#include <array>
#include <cctype>
#include <charconv>
#include <string>

#include "graph/values/moments.h"
#include "graph/values/scanner.h"
#include "graph/values/units.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::graph {
namespace {

// 1 to 12 by its name, its first three letters or "Sept"; 0 for other words.
int month_named(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                        "may",       "june",     "july",     "august",
                                                        "september", "october",  "november", "december"};
  std::string small;
  for (const char c : word)
    if (c != '.') small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (std::size_t i = 0; i < kMonths.size(); ++i)
    if (small == kMonths[i] || small == kMonths[i].substr(0, 3)) return static_cast<int>(i + 1);
  return small == "sept" ? 9 : 0;
}

// "1902", "44 BC", "AD 79", as the year of its calendar: 44 BC is -43.
std::optional<std::int64_t> take_year(Scanner& in) {
  const bool ad = in.take("AD ");
  std::size_t digits = 0;
  const auto year = in.take_digits(digits);
  if (!year || digits > 9) return std::nullopt;
  if (in.take(" BCE") || in.take(" BC")) return ad || *year == 0 ? std::nullopt : std::optional(1 - *year);
  if (!in.take(" AD")) in.take(" CE");
  return year;
}

// What stands behind a month: ", 1902", " 1902" and nothing more.
std::optional<std::int64_t> last_year(Scanner& in) {
  in.take(',');
  if (!in.take_blanks()) return std::nullopt;
  const auto year = take_year(in);
  return in.done() ? year : std::nullopt;
}

// "14 March 1902", "14th of March 1902", "14. March 1902".
std::optional<TypedValue> day_first(std::string_view text) {
  Scanner in(text);
  std::size_t digits = 0;
  const auto day = in.take_digits(digits);
  if (!day || digits > 2) return std::nullopt;
  for (const std::string_view ending : {"st", "nd", "rd", "th", "."})
    if (in.take(ending)) break;
  if (!in.take_blanks()) return std::nullopt;
  in.take("of ");
  const int month = month_named(in.take_word());
  const auto year = month > 0 ? last_year(in) : std::nullopt;
  return year ? checked_day(*year, month, static_cast<int>(*day)) : std::nullopt;
}

// "March 14, 1902", "March 1902".
std::optional<TypedValue> month_first(std::string_view text) {
  Scanner in(text);
  const int month = month_named(in.take_word());
  if (month == 0) return std::nullopt;
  if (Scanner rest = in; const auto year = last_year(rest)) return checked_month(*year, month);
  std::size_t digits = 0;
  if (!in.take_blanks()) return std::nullopt;
  const auto day = in.take_digits(digits);
  if (!day || digits > 2) return std::nullopt;
  for (const std::string_view ending : {"st", "nd", "rd", "th"})
    if (in.take(ending)) break;
  const auto year = last_year(in);
  return year ? checked_day(*year, month, static_cast<int>(*day)) : std::nullopt;
}

// "44 BC", "AD 79": with its era, since bare digits are a number.
std::optional<TypedValue> year_with_era(std::string_view text) {
  Scanner in(text);
  const auto year = take_year(in);
  const bool era = text.ends_with("BC") || text.ends_with("BCE") || text.ends_with(" AD") ||
                   text.ends_with(" CE") || text.starts_with("AD ");
  return year && in.done() && era ? checked_year(*year) : std::nullopt;
}

std::optional<TypedValue> written_time(std::string_view text) {
  const std::size_t hyphen = text.find('-', 1);
  if (hyphen != std::string_view::npos && Scanner::digit(text.back()))
    if (const auto month = iso_month(text)) return month;
  for (const auto read : {iso_day, iso_day_time, iso_time, day_first, month_first, year_with_era})
    if (const auto value = read(text)) return value;
  return std::nullopt;
}

constexpr std::array<std::string_view, 4> kGroupMarks = {",", " ", "\u00a0", "\u202f"};

// Whether `in` goes on with a mark and exactly three digits.
bool group_follows(Scanner in, std::string_view mark) {
  std::size_t digits = 0;
  return in.take(mark) && in.take_digits(digits) && digits == 3;
}

// The digits of a number with point and exponent, without what groups them; false where none begins here.
bool take_number(Scanner& in, std::string& number) {
  const auto take_digits = [&] {
    const std::size_t before = number.size();
    while (Scanner::digit(in.peek())) {
      number += in.peek();
      in.take(in.peek());
    }
    return number.size() - before;
  };
  if (in.take('-') || in.take("\u2212")) number += '-';
  const std::size_t begin = number.size(), leading = take_digits();
  if (leading > 0 && leading <= 3 && number[begin] != '0')
    for (const std::string_view mark : kGroupMarks)
      while (group_follows(in, mark)) {
        in.take(mark);
        take_digits();
      }
  Scanner rest = in;
  if ((rest.take('.') || rest.take(',')) && Scanner::digit(rest.peek())) {
    in = rest;
    number += '.';
    take_digits();
  }
  return number.size() > begin;
}

// "million" behind a number; 1 where there is none.
double take_scale(Scanner& in) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kScales = {
      {{"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}}};
  Scanner rest = in;
  rest.take_blanks();
  for (const auto& [word, scale] : kScales)
    if (rest.take(word)) {
      in = rest;
      return scale;
    }
  return 1;
}

std::optional<TypedValue> written_number(std::string_view text) {
  Scanner in(text);
  std::optional<UnitId> unit;
  for (UnitId id = 1; id < all_units().size() && !unit; ++id)
    if (unit_of(id).leads && in.take(unit_of(id).symbol)) unit = id;
  in.take('+');
  std::string digits;
  if (!take_number(in, digits)) return std::nullopt;
  if (!unit && (in.peek() == 'e' || in.peek() == 'E')) {
    digits.append(in.rest());
    in = Scanner("");
  }
  const double scale = take_scale(in);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (in.done()) return number_value(number * scale, unit.value_or(0));
  in.take_blanks();
  const auto behind = unit ? std::nullopt : find_unit(in.rest());
  return behind ? std::optional(number_value(number * scale, *behind)) : std::nullopt;
}

}  // namespace

std::optional<TypedValue> parse_value(std::string_view text) {
  const auto is_digit = [](char c) { return Scanner::digit(c); };
  bool any = false;
  for (const char c : text) any = any || is_digit(c);
  if (!any || text.size() > 60) return std::nullopt;  // no value is longer
  if (const auto time = written_time(text)) return time;
  return written_number(text);
}

}  // namespace kgwalk::graph
