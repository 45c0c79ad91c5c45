// Times as XML Schema and ISO 8601 write them, and the intervals that they name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kgwalk/typed_values.h"

namespace kgwalk::graph {

// A value of that kind whose parts are checked; nullopt for 31 February, hour 25, and years beyond kMaxYear.
[[nodiscard]] std::optional<TypedValue> checked_day(std::int64_t year, int month, int day);
[[nodiscard]] std::optional<TypedValue> checked_month(std::int64_t year, int month);
[[nodiscard]] std::optional<TypedValue> checked_year(std::int64_t year);

// [-]YYYY, [-]YYYY-MM, [-]YYYY-MM-DD, each with an optional zone; of date and time with `T` or a blank
// between. Years have four digits or more. The whole text, or nullopt.
[[nodiscard]] std::optional<TypedValue> iso_year(std::string_view text);
[[nodiscard]] std::optional<TypedValue> iso_month(std::string_view text);
[[nodiscard]] std::optional<TypedValue> iso_day(std::string_view text);
[[nodiscard]] std::optional<TypedValue> iso_day_time(std::string_view text);
[[nodiscard]] std::optional<TypedValue> iso_time(std::string_view text);

}  // namespace kgwalk::graph
