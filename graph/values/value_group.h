// Which values have a common measure: those of one group.
#pragma once

#include <cstdint>

#include "kgwalk/typed_values.h"

namespace kgwalk::graph {

inline constexpr std::uint8_t kNoGroup = 0, kBooleans = 1, kTimes = 2, kTimesOfDay = 3,
                              kNumbers = 4;  // and dimensions

[[nodiscard]] std::uint8_t group_of(const TypedValue& value) noexcept;

// A whole number that can be a year, as that year; nullopt for others.
[[nodiscard]] std::optional<TypedValue> as_year(const TypedValue& number) noexcept;
[[nodiscard]] TypedValue as_number(const TypedValue& year) noexcept;  // of kYear

// Whether two values of one group are so.
[[nodiscard]] constexpr bool holds(const TypedValue& a, Comparison test, const TypedValue& b) noexcept {
  // A moment without length (a number) ends where it begins; an interval before b's first moment.
  const bool point = a.from == a.to && b.from == b.to;
  switch (test) {
    case Comparison::kLess:
      return point ? a.from < b.from : a.to <= b.from;
    case Comparison::kAtMost:
      return a.to <= b.to;
    case Comparison::kEqual:
      return a.from >= b.from && a.to <= b.to;
    case Comparison::kNotEqual:
      return point ? a.from != b.from : a.to <= b.from || a.from >= b.to;
    case Comparison::kAtLeast:
      return a.from >= b.from;
    case Comparison::kGreater:
      return point ? a.from > b.from : a.from >= b.to;
  }
  return false;
}

}  // namespace kgwalk::graph
