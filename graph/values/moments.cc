#include "graph/values/moments.h"

#include "graph/values/calendar.h"
#include "graph/values/scanner.h"

namespace kgwalk::graph {
namespace {

TypedValue moment(ValueKind kind, double from, double to) { return {.kind = kind, .from = from, .to = to}; }

TypedValue moved(TypedValue value, double ms) {
  value.from += ms;
  value.to += ms;
  return value;
}

std::optional<std::int64_t> take_year(Scanner& in) {
  const bool minus = in.take('-');
  std::size_t digits = 0;
  const auto year = in.take_digits(digits);
  if (!year || digits < 4) return std::nullopt;
  return minus ? -*year : *year;
}

std::optional<int> take_part(Scanner& in, char before) {
  return in.take(before) ? in.take_two() : std::nullopt;
}

// How far the zone behind a time is ahead of UTC, in milliseconds; 0 where none is written.
std::optional<double> take_zone(Scanner& in) {
  if (in.take('Z')) return 0.0;
  if (in.peek() != '+' && in.peek() != '-') return 0.0;
  const double sign = in.take('-') ? -1 : 1;
  if (sign > 0) in.take('+');
  const auto hours = in.take_two();
  const auto minutes = take_part(in, ':');
  if (!hours || !minutes || *minutes > 59 || *hours * 60 + *minutes > 14 * 60) return std::nullopt;
  return sign * (*hours * kHourMs + *minutes * kMinuteMs);
}

// The whole of `in` must be a zone or nothing.
std::optional<TypedValue> in_zone(std::optional<TypedValue> value, Scanner& in) {
  if (!value) return std::nullopt;
  const auto ahead = take_zone(in);
  if (!ahead || !in.done()) return std::nullopt;
  return moved(*value, -*ahead);
}

std::optional<TypedValue> take_day(Scanner& in) {
  const auto year = take_year(in);
  if (!year) return std::nullopt;
  const auto month = take_part(in, '-');
  const auto day = month ? take_part(in, '-') : std::nullopt;
  return day ? checked_day(*year, *month, *day) : std::nullopt;
}

// From midnight: hh:mm, hh:mm:ss or hh:mm:ss.f, each as long as what it tells. 24:00:00 ends a day.
std::optional<TypedValue> take_clock(Scanner& in) {
  const auto hour = in.take_two();
  const auto minute = hour ? take_part(in, ':') : std::nullopt;
  if (!minute || *minute > 59) return std::nullopt;
  double from = *hour * kHourMs + *minute * kMinuteMs, length = kMinuteMs;
  if (in.peek() == ':') {
    const auto second = take_part(in, ':');
    if (!second || *second > 59) return std::nullopt;
    from += *second * kSecondMs;
    length = kSecondMs;
  }
  if (length == kSecondMs && in.take('.')) {
    std::size_t digits = 0;
    double unit = kSecondMs;
    const auto fraction = in.take_digits(digits);
    if (!fraction) return std::nullopt;
    for (std::size_t i = 0; i < digits; ++i) unit /= 10;
    from += static_cast<double>(*fraction) * unit;
    length = 1;
  }
  if (from > kDayMs || (*hour == 24 && from != kDayMs)) return std::nullopt;
  return moment(ValueKind::kTime, from, from + length);
}

}  // namespace

std::optional<TypedValue> checked_year(std::int64_t year) {
  if (year > kMaxYear || year < -kMaxYear) return std::nullopt;
  return moment(ValueKind::kYear, ms_of_civil(year), ms_of_civil(year + 1));
}

std::optional<TypedValue> checked_month(std::int64_t year, int month) {
  if (year > kMaxYear || year < -kMaxYear || month < 1 || month > 12) return std::nullopt;
  return moment(ValueKind::kYearMonth, ms_of_civil(year, month), ms_of_civil(year, month + 1));
}

std::optional<TypedValue> checked_day(std::int64_t year, int month, int day) {
  if (!checked_month(year, month) || day < 1 || day > days_in_month(year, month)) return std::nullopt;
  const double from = ms_of_civil(year, month, day);
  return moment(ValueKind::kDate, from, from + kDayMs);
}

std::optional<TypedValue> iso_year(std::string_view text) {
  Scanner in(text);
  const auto year = take_year(in);
  return in_zone(year ? checked_year(*year) : std::nullopt, in);
}

std::optional<TypedValue> iso_month(std::string_view text) {
  Scanner in(text);
  const auto year = take_year(in);
  const auto month = year ? take_part(in, '-') : std::nullopt;
  return in_zone(month ? checked_month(*year, *month) : std::nullopt, in);
}

std::optional<TypedValue> iso_day(std::string_view text) {
  Scanner in(text);
  return in_zone(take_day(in), in);
}

std::optional<TypedValue> iso_day_time(std::string_view text) {
  Scanner in(text);
  const auto day = take_day(in);
  if (!day || !(in.take('T') || in.take(' '))) return std::nullopt;
  const auto clock = take_clock(in);
  if (!clock) return std::nullopt;
  return in_zone(moment(ValueKind::kDateTime, day->from + clock->from, day->from + clock->to), in);
}

std::optional<TypedValue> iso_time(std::string_view text) {
  Scanner in(text);
  return in_zone(take_clock(in), in);
}

}  // namespace kgwalk::graph
