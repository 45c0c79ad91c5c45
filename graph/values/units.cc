#include "graph/values/units.h"

#include <array>
#include <cctype>
#include <string>
#include <unordered_map>

namespace kgwalk::graph {
namespace {

using enum Dimension;

// Names in -metre and -litre are found under -meter and -liter; plurals by their s. QUDT's local names
// (CentiM, KiloGM) stand among the names in small letters.
constexpr std::array kUnits = {
    Unit{"", kNone, 1, 0, ""},
    Unit{"m", kLength, 1, 0, "meter"},
    Unit{"mm", kLength, 1e-3, 0, "millimeter|millim"},
    Unit{"cm", kLength, 1e-2, 0, "centimeter|centim"},
    Unit{"km", kLength, 1e3, 0, "kilometer|kilom"},
    Unit{"in", kLength, 0.0254, 0, "inch|inches|inche|[in_i]"},
    Unit{"ft", kLength, 0.3048, 0, "foot|feet|[ft_i]"},
    Unit{"yd", kLength, 0.9144, 0, "yard|[yd_i]"},
    Unit{"mi", kLength, 1609.344, 0, "mile|[mi_i]"},
    Unit{"nmi", kLength, 1852, 0, "nautical mile|[nmi_i]"},
    Unit{"AU", kLength, 149597870700.0, 0, "astronomical unit"},
    Unit{"ly", kLength, 9460730472580800.0, 0, "light year|light-year|[ly]"},
    Unit{"kg", kMass, 1, 0, "kilogram|kilogm"},
    Unit{"g", kMass, 1e-3, 0, "gram|gm"},
    Unit{"mg", kMass, 1e-6, 0, "milligram|milligm"},
    Unit{"t", kMass, 1e3, 0, "tonne|metric ton"},
    Unit{"lb", kMass, 0.45359237, 0, "pound|lbs|[lb_av]"},
    Unit{"oz", kMass, 0.028349523125, 0, "ounce|[oz_av]"},
    Unit{"s", kDuration, 1, 0, "second|sec"},
    Unit{"ms", kDuration, 1e-3, 0, "millisecond|millisec"},
    Unit{"min", kDuration, 60, 0, "minute|mins"},
    Unit{"h", kDuration, 3600, 0, "hour|hr|hrs"},
    Unit{"d", kDuration, 86400, 0, "day"},
    Unit{"wk", kDuration, 604800, 0, "week"},
    Unit{"a", kDuration, 31556952, 0, "year|yr"},
    Unit{"m²", kArea, 1, 0, "square meter|m2|m^2|sq m"},
    Unit{"km²", kArea, 1e6, 0, "square kilometer|km2|km^2|sq km"},
    Unit{"cm²", kArea, 1e-4, 0, "square centimeter|cm2|cm^2"},
    Unit{"ha", kArea, 1e4, 0, "hectare|har"},
    Unit{"acre", kArea, 4046.8564224, 0, "ac"},
    Unit{"sq mi", kArea, 2589988.110336, 0, "square mile|mi2|mi²|mi^2"},
    Unit{"sq ft", kArea, 0.09290304, 0, "square foot|square feet|ft2|ft²|ft^2"},
    Unit{"m³", kVolume, 1, 0, "cubic meter|m3|m^3"},
    Unit{"km³", kVolume, 1e9, 0, "cubic kilometer|km3|km^3"},
    Unit{"cm³", kVolume, 1e-6, 0, "cubic centimeter|cm3|cm^3|cc"},
    Unit{"L", kVolume, 1e-3, 0, "liter|l"},
    Unit{"mL", kVolume, 1e-6, 0, "milliliter|ml"},
    Unit{"K", kTemperature, 1, 0, "kelvin"},
    Unit{"°C", kTemperature, 1, 273.15, "degree celsius|degrees celsius|celsius|cel|deg_c"},
    Unit{"°F", kTemperature, 5.0 / 9.0, 459.67 * 5.0 / 9.0,
         "degree fahrenheit|degrees fahrenheit|fahrenheit|[degf]|deg_f"},
    Unit{"m/s", kSpeed, 1, 0, "meter per second|meters per second"},
    Unit{"km/h", kSpeed, 1.0 / 3.6, 0, "kilometer per hour|kilometers per hour|kph|kmh"},
    Unit{"mph", kSpeed, 0.44704, 0, "mile per hour|miles per hour"},
    Unit{"kn", kSpeed, 1852.0 / 3600, 0, "knot|kt"},
    Unit{"W", kPower, 1, 0, "watt"},
    Unit{"kW", kPower, 1e3, 0, "kilowatt|kilow"},
    Unit{"MW", kPower, 1e6, 0, "megawatt|megaw"},
    Unit{"hp", kPower, 745.69987158227022, 0, "horsepower|horse power"},
    Unit{"J", kEnergy, 1, 0, "joule"},
    Unit{"kJ", kEnergy, 1e3, 0, "kilojoule|kiloj"},
    Unit{"kcal", kEnergy, 4184, 0, "kilocalorie"},
    Unit{"kWh", kEnergy, 3.6e6, 0, "kilowatt hour|kilowatt-hour"},
    Unit{"B", kData, 1, 0, "byte"},
    Unit{"kB", kData, 1e3, 0, "kilobyte|kb"},
    Unit{"MB", kData, 1e6, 0, "megabyte|mb"},
    Unit{"GB", kData, 1e9, 0, "gigabyte|gb"},
    Unit{"%", kShare, 1, 0, "percent|per cent"},
    Unit{"°", kAngle, 1, 0, "degree|deg"},
    Unit{"rad", kAngle, 57.295779513082320877, 0, "radian"},
    Unit{"Hz", kFrequency, 1, 0, "hertz"},
    Unit{"kHz", kFrequency, 1e3, 0, "kilohertz|kilohz"},
    Unit{"MHz", kFrequency, 1e6, 0, "megahertz|megahz"},
    Unit{"GHz", kFrequency, 1e9, 0, "gigahertz|gigahz"},
    Unit{"Pa", kPressure, 1, 0, "pascal"},
    Unit{"kPa", kPressure, 1e3, 0, "kilopascal|kilopa"},
    Unit{"bar", kPressure, 1e5, 0, ""},
    Unit{"kg/m³", kDensity, 1, 0, "kilogram per cubic meter|kg/m3"},
    Unit{"g/cm³", kDensity, 1e3, 0, "gram per cubic centimeter|g/cm3"},
    Unit{"inhabitants/km²", kDensity, 1e-6, 0, "inhabitants per square kilometer|/km2|/km²|per km2|per km²"},
    Unit{"$", kDollars, 1, 0, "us dollar|dollar|usd|us$", true},
    Unit{"€", kEuros, 1, 0, "euro|eur", true},
    Unit{"£", kPounds, 1, 0, "pound sterling|gbp", true},
    Unit{"¥", kYen, 1, 0, "japanese yen|yen|jpy", true},
    Unit{"₹", kRupees, 1, 0, "indian rupee|rupee|inr", true},
    Unit{"CHF", kFrancs, 1, 0, "swiss franc"},
    Unit{"CN¥", kYuan, 1, 0, "chinese yuan|renminbi|yuan|cny|rmb", true},
};

// "squareKilometre" -> "square kilometre"; symbols, which mix case on purpose, are looked up before.
std::string in_small_words(std::string_view text) {
  std::string words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool hump =
        i > 0 && std::isupper(c) != 0 && std::islower(static_cast<unsigned char>(text[i - 1])) != 0;
    if (hump) words += ' ';
    words += static_cast<char>(std::tolower(c));
  }
  for (const std::string_view british : {"metre", "litre"})
    for (std::size_t at; (at = words.find(british)) != std::string::npos;)
      std::swap(words[at + 3], words[at + 4]);
  return words;
}

struct UnitNames {
  std::unordered_map<std::string, UnitId> symbols, names;
  UnitNames() {
    for (UnitId id = 1; id < kUnits.size(); ++id) {
      symbols.try_emplace(std::string(kUnits[id].symbol), id);
      std::string_view rest = kUnits[id].names;
      while (!rest.empty()) {
        const std::size_t bar = rest.find('|');
        names.try_emplace(std::string(rest.substr(0, bar)), id);
        rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
      }
    }
  }
};

}  // namespace

std::span<const Unit> all_units() noexcept { return kUnits; }

std::optional<UnitId> find_unit(std::string_view text) {
  static const UnitNames known;
  const auto symbol = known.symbols.find(std::string(text));
  if (symbol != known.symbols.end()) return symbol->second;
  if (text.find("://") != std::string_view::npos) {
    const std::size_t cut = text.find_last_of("/#");
    if (cut + 1 < text.size()) return find_unit(text.substr(cut + 1));
    return std::nullopt;
  }
  std::string words = in_small_words(text);
  for (const std::string& each : {words, words.ends_with('s') ? words.substr(0, words.size() - 1) : words}) {
    // "CentiM" of QUDT has a hump that is no blank in the table.
    std::string joined;
    for (const char c : each)
      if (c != ' ') joined += c;
    for (const std::string& spelling : {each, joined})
      if (const auto name = known.names.find(spelling); name != known.names.end()) return name->second;
  }
  return std::nullopt;
}

std::string_view unit_symbol(UnitId unit) noexcept {
  return unit < kUnits.size() ? kUnits[unit].symbol : std::string_view();
}

}  // namespace kgwalk::graph
