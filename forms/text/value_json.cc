#include "forms/text/value_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "graph/values/calendar.h"
#include "graph/values/moments.h"
#include "graph/values/units.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::forms {

using graph::TypedValue;
using graph::ValueKind;

namespace {

const std::vector<std::string> kKeys = {"number", "unit",      "year", "year-month",
                                        "date",   "date-time", "time", "text"};

[[noreturn]] void refuse(std::string_view where, const std::string& why) {
  throw ConfigError(std::string(where) + ": " + why);
}

std::string padded(std::int64_t number, int width) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%0*lld", width, static_cast<long long>(std::llabs(number)));
  return (number < 0 ? "-" : "") + std::string(text.data());
}

std::string clock_text(double ms) {
  const auto whole = static_cast<std::int64_t>(std::floor(ms / graph::kSecondMs));
  std::string text = padded(whole / 3600, 2) + ':' + padded(whole / 60 % 60, 2) + ':' + padded(whole % 60, 2);
  const auto rest = static_cast<std::int64_t>(ms - static_cast<double>(whole) * graph::kSecondMs);
  return rest == 0 ? text : text + '.' + padded(rest, 3);
}

TypedValue read_time(const std::string& key, const Json& json, std::string_view where) {
  if (!json.is_string()) refuse(where, "'" + key + "' is a text");
  const std::string text = json.get<std::string>();
  const auto value = key == "year-month"  ? graph::iso_month(text)
                     : key == "date"      ? graph::iso_day(text)
                     : key == "date-time" ? graph::iso_day_time(text)
                                          : graph::iso_time(text);
  if (!value) refuse(where, "'" + text + "' is no " + key);
  return *value;
}

TypedValue read_number(const Json& json, std::string_view where) {
  if (!json["number"].is_number()) refuse(where, "'number' is a number");
  graph::UnitId unit = 0;
  if (json.contains("unit")) {
    const auto known =
        json["unit"].is_string() ? graph::find_unit(json["unit"].get<std::string>()) : std::nullopt;
    if (!known) refuse(where, json["unit"].dump() + " is no unit that is known");
    unit = *known;
  }
  return graph::number_value(json["number"].get<double>(), unit);
}

TypedValue read_object(const Json& json, std::string_view where) {
  for (const auto& [key, value] : json.items())
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      refuse(where, "a value has no '" + key + "'" + did_you_mean(key, kKeys));
  if (json.contains("number") && json.size() == (json.contains("unit") ? 2U : 1U))
    return read_number(json, where);
  if (json.size() != 1 || json.contains("unit"))
    refuse(where,
           "a value is one of number (with a unit), year, "
           "year-month, date, date-time, time, text");
  const std::string key = json.begin().key();
  const Json& given = json.begin().value();
  if (key == "text") {
    if (!given.is_string()) refuse(where, "'text' is a text");
    return graph::text_value(given.get<std::string>());
  }
  if (key != "year") return read_time(key, given, where);
  const auto year = given.is_number_integer() ? graph::checked_year(given.get<std::int64_t>()) : std::nullopt;
  if (!year) refuse(where, given.dump() + " is no year");
  return *year;
}

}  // namespace

TypedValue value_of_json(const Json& json, std::string_view where) {
  if (json.is_number()) return graph::number_value(json.get<double>());
  if (json.is_boolean()) {
    const double truth = json.get<bool>() ? 1 : 0;
    return {.kind = ValueKind::kBoolean, .from = truth, .to = truth};
  }
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    const auto value = graph::parse_value(text);
    return value ? *value : graph::text_value(text);
  }
  if (!json.is_object() || json.empty()) refuse(where, "expected a value, not " + json.dump());
  return read_object(json, where);
}

std::string iso_text(const TypedValue& time) {
  if (time.kind == ValueKind::kTime) return clock_text(time.from);
  const graph::CivilDay day = graph::civil_of_ms(time.from);
  const std::string year = padded(day.year, 4);
  if (time.kind == ValueKind::kYear) return year;
  if (time.kind == ValueKind::kYearMonth) return year + '-' + padded(day.month, 2);
  const std::string date = year + '-' + padded(day.month, 2) + '-' + padded(day.day, 2);
  if (time.kind == ValueKind::kDate) return date;
  const double midnight = std::floor(time.from / graph::kDayMs) * graph::kDayMs;
  return date + 'T' + clock_text(time.from - midnight) + 'Z';
}

Json value_to_json(const TypedValue& value) {
  switch (value.kind) {
    case ValueKind::kThing:
      return nullptr;
    case ValueKind::kText:
      return {{"text", value.text}};
    case ValueKind::kBoolean:
      return value.from != 0;
    case ValueKind::kYear:
      return {{"year", graph::civil_of_ms(value.from).year}};
    case ValueKind::kNumber:
      break;
    default:
      return {{choice_name(value.kind), iso_text(value)}};
  }
  const graph::Unit& unit = graph::unit_of(value.unit);
  const double number = (value.from - unit.offset) / unit.factor;
  const bool whole = std::trunc(number) == number && std::abs(number) < 9e15;
  const Json written = whole ? Json(static_cast<std::int64_t>(number)) : Json(number);
  if (value.unit == 0) return written;
  return {{"number", written}, {"unit", std::string(unit.symbol)}};
}

}  // namespace kgwalk::forms
