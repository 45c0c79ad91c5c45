// Days of the proleptic Gregorian calendar, with a year 0 (ISO 8601).
#pragma once

#include <cstdint>

namespace kgwalk::graph {

inline constexpr double kSecondMs = 1000, kMinuteMs = 60 * kSecondMs, kHourMs = 60 * kMinuteMs,
                        kDayMs = 24 * kHourMs;

// Years that times are kept of: beyond, milliseconds in a double would no longer tell days apart.
inline constexpr std::int64_t kMaxYear = 100'000'000;

struct CivilDay {
  std::int64_t year;
  int month, day;  // from 1
};

[[nodiscard]] int days_in_month(std::int64_t year, int month) noexcept;  // month in 1..12
// Since 1970-01-01. The month may be 13: January of the year after.
[[nodiscard]] std::int64_t days_from_civil(std::int64_t year, int month, int day) noexcept;
[[nodiscard]] CivilDay civil_from_days(std::int64_t days) noexcept;
// The day in which the moment lies.
[[nodiscard]] CivilDay civil_of_ms(double ms) noexcept;
[[nodiscard]] double ms_of_civil(std::int64_t year, int month = 1, int day = 1) noexcept;

}  // namespace kgwalk::graph
