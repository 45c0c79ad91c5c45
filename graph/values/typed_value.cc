// Making, comparing and showing single values.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "graph/values/calendar.h"
#include "graph/values/moments.h"
#include "graph/values/units.h"
#include "graph/values/value_group.h"
#include "kgwalk/error.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::graph {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

TypedValue or_error(std::optional<TypedValue> value, const std::string& what) {
  if (!value) throw ConfigError("there is no " + what);
  return *value;
}

std::string year_text(std::int64_t year) {
  return year > 0 ? std::to_string(year) : std::to_string(1 - year) + " BC";
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string clock_text(double ms_of_day, double length) {
  const auto seconds = static_cast<std::int64_t>(ms_of_day / kSecondMs);
  std::string text =
      two_digits(static_cast<int>(seconds / 3600)) + ':' + two_digits(static_cast<int>(seconds / 60 % 60));
  const bool has_seconds = length < kMinuteMs && seconds % 60 != 0;
  return has_seconds ? text + ':' + two_digits(static_cast<int>(seconds % 60)) : text;
}

std::string day_text(const CivilDay& day) {
  return std::to_string(day.day) + ' ' + std::string(kMonths[static_cast<std::size_t>(day.month - 1)]) + ' ' +
         year_text(day.year);
}

std::string month_text(const CivilDay& day) {
  return std::string(kMonths[static_cast<std::size_t>(day.month - 1)]) + ' ' + year_text(day.year);
}

// Commas between groups of three from five digits on: years and heights of mountains are written without.
std::string with_groups(std::string digits) {
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(digits.find('.'), digits.size());
  if (end - begin < 5) return digits;
  for (std::size_t at = end - 3; at > begin && at < end; at -= 3) digits.insert(at, ",");
  return digits;
}

std::string plain_number(double value) {
  std::array<char, 400> text{};
  const bool huge = std::abs(value) >= 1e18 || (value != 0 && std::abs(value) < 1e-6);
  const auto result =
      huge ? std::to_chars(text.data(), text.data() + text.size(), value)
           : std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  std::string digits(text.data(), result.ptr);
  return huge ? digits : with_groups(std::move(digits));
}

// What was multiplied into the base unit comes back with dust in its last digits.
double without_dust(double value) {
  std::array<char, 40> text{};
  const auto result =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 14);
  double clean = value;
  std::from_chars(text.data(), result.ptr, clean);
  return clean;
}

std::string number_text(const TypedValue& value) {
  if (value.unit == 0) return plain_number(value.from);
  const Unit& unit = unit_of(value.unit);
  const std::string digits = plain_number(without_dust((value.from - unit.offset) / unit.factor));
  if (unit.leads) return std::string(unit.symbol) + digits;
  return digits + (unit.symbol == "%" || unit.symbol == "°" ? "" : " ") + std::string(unit.symbol);
}

}  // namespace

TypedValue number_value(double number, UnitId unit) {
  const double base = number * unit_of(unit).factor + unit_of(unit).offset;
  return {.kind = ValueKind::kNumber, .unit = unit, .from = base, .to = base};
}

TypedValue year_value(std::int64_t year) {
  return or_error(checked_year(year), "year " + std::to_string(year));
}

TypedValue year_month_value(std::int64_t year, int month) {
  return or_error(checked_month(year, month),
                  "month " + std::to_string(month) + " of " + std::to_string(year));
}

TypedValue date_value(std::int64_t year, int month, int day) {
  return or_error(checked_day(year, month, day), "day " + std::to_string(day) + " of month " +
                                                     std::to_string(month) + " of " + std::to_string(year));
}

TypedValue text_value(std::string_view text) { return {.kind = ValueKind::kText, .text = std::string(text)}; }

std::uint8_t group_of(const TypedValue& value) noexcept {
  if (is_time(value.kind)) return kTimes;
  switch (value.kind) {
    case ValueKind::kBoolean:
      return kBooleans;
    case ValueKind::kTime:
      return kTimesOfDay;
    case ValueKind::kNumber:
      return static_cast<std::uint8_t>(kNumbers + static_cast<std::uint8_t>(unit_of(value.unit).dimension));
    default:
      return kNoGroup;
  }
}

std::optional<TypedValue> as_year(const TypedValue& number) noexcept {
  const bool whole =
      number.kind == ValueKind::kNumber && number.unit == 0 && std::trunc(number.from) == number.from;
  if (!whole || std::abs(number.from) > static_cast<double>(kMaxYear)) return std::nullopt;
  return checked_year(static_cast<std::int64_t>(number.from));
}

TypedValue as_number(const TypedValue& year) noexcept {
  const auto number = static_cast<double>(civil_of_ms(year.from).year);
  return {.kind = ValueKind::kNumber, .from = number, .to = number};
}

std::optional<bool> compare(const TypedValue& a, Comparison test, const TypedValue& b) noexcept {
  if (a.kind == ValueKind::kText && b.kind == ValueKind::kText) {
    if (test == Comparison::kEqual) return a.text == b.text;
    if (test == Comparison::kNotEqual) return a.text != b.text;
    return std::nullopt;
  }
  const std::uint8_t group = group_of(a), other = group_of(b);
  if (group == kNoGroup || other == kNoGroup) return std::nullopt;
  if (group == other) return holds(a, test, b);
  if (group == kTimes)
    if (const auto year = as_year(b)) return holds(a, test, *year);
  if (other == kTimes)
    if (const auto year = as_year(a)) return holds(*year, test, b);
  return std::nullopt;
}

std::string shown(const TypedValue& value) {
  switch (value.kind) {
    case ValueKind::kThing:
      return {};
    case ValueKind::kText:
      return value.text;
    case ValueKind::kBoolean:
      return value.from != 0 ? "yes" : "no";
    case ValueKind::kNumber:
      return number_text(value);
    case ValueKind::kYear:
      return year_text(civil_of_ms(value.from).year);
    case ValueKind::kYearMonth:
      return month_text(civil_of_ms(value.from));
    case ValueKind::kDate:
      return day_text(civil_of_ms(value.from));
    case ValueKind::kDateTime:
      return day_text(civil_of_ms(value.from)) + ", " +
             clock_text(value.from - std::floor(value.from / kDayMs) * kDayMs, value.to - value.from);
    case ValueKind::kTime:
      return clock_text(value.from, value.to - value.from);
  }
  return {};
}

}  // namespace kgwalk::graph
