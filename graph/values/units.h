// The table of units of measurement: which are of one dimension, and how many base units each is.
#pragma once

#include <span>
#include <string_view>

#include "kgwalk/typed_values.h"

namespace kgwalk::graph {

enum class Dimension : std::uint8_t {
  kNone,
  kLength,
  kMass,
  kDuration,
  kArea,
  kVolume,
  kTemperature,
  kSpeed,
  kPower,
  kEnergy,
  kData,
  kShare,  // percent
  kAngle,
  kFrequency,
  kPressure,
  kDensity,
  kDollars,  // currencies have no common measure: each is a dimension of its own
  kEuros,
  kPounds,
  kYen,
  kRupees,
  kFrancs,
  kYuan,
  kEnd,
};

struct Unit {
  std::string_view symbol;
  Dimension dimension;
  double factor;           // base units in one
  double offset;           // added after multiplying: degrees Celsius are kelvins + 273.15
  std::string_view names;  // further spellings, in the singular, in small letters, between bars
  bool leads = false;      // the symbol stands before the number
};

// [0] is none.
[[nodiscard]] std::span<const Unit> all_units() noexcept;
[[nodiscard]] inline const Unit& unit_of(UnitId unit) noexcept { return all_units()[unit]; }

}  // namespace kgwalk::graph
