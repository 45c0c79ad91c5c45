#include "graph/values/calendar.h"

#include <cmath>

namespace kgwalk::graph {
namespace {

constexpr std::int64_t kDaysOfEra = 146097;  // 400 years

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept {
  return (a - (a < 0 ? b - 1 : 0)) / b;
}

}  // namespace

int days_in_month(std::int64_t year, int month) noexcept {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// Years begin in March here, so that the leap day is the last (H. Hinnant, chrono-compatible low-level date
// algorithms).
std::int64_t days_from_civil(std::int64_t year, int month, int day) noexcept {
  if (month == 13) {
    ++year;
    month = 1;
  }
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = floor_div(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysOfEra + day_of_era - 719468;
}

CivilDay civil_from_days(std::int64_t days) noexcept {
  days += 719468;
  const std::int64_t era = floor_div(days, kDaysOfEra);
  const std::int64_t day_of_era = days - era * kDaysOfEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (kDaysOfEra - 1)) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t moved_month = (5 * day_of_year + 2) / 153;
  const int day = static_cast<int>(day_of_year - (153 * moved_month + 2) / 5 + 1);
  const int month = static_cast<int>(moved_month < 10 ? moved_month + 3 : moved_month - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

CivilDay civil_of_ms(double ms) noexcept {
  return civil_from_days(static_cast<std::int64_t>(std::floor(ms / kDayMs)));
}

double ms_of_civil(std::int64_t year, int month, int day) noexcept {
  return static_cast<double>(days_from_civil(year, month, day)) * kDayMs;
}

}  // namespace kgwalk::graph
