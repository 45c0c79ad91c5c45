#include "graph/ingest/formats/wikidata_values.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "graph/ingest/formats/iri_reference.h"
#include "graph/values/calendar.h"

namespace kgwalk::graph {
namespace {

struct WikidataUnit {
  std::string_view id, code;  // of UCUM, or of ISO 4217 where it is money
  bool is_money = false;
};

constexpr WikidataUnit kWikidataUnits[] = {
    {"Q11573", "m"},        {"Q174789", "mm"},       {"Q174728", "cm"},       {"Q828224", "km"},
    {"Q218593", "[in_i]"},  {"Q3710", "[ft_i]"},     {"Q482798", "[yd_i]"},   {"Q253276", "[mi_i]"},
    {"Q93318", "[nmi_i]"},  {"Q1811", "AU"},         {"Q531", "[ly]"},        {"Q11570", "kg"},
    {"Q41803", "g"},        {"Q3241121", "mg"},      {"Q191118", "t"},        {"Q100995", "[lb_av]"},
    {"Q48013", "[oz_av]"},  {"Q11574", "s"},         {"Q723733", "ms"},       {"Q7727", "min"},
    {"Q25235", "h"},        {"Q573", "d"},           {"Q23387", "wk"},        {"Q577", "a"},
    {"Q25343", "m2"},       {"Q712226", "km2"},      {"Q35852", "har"},       {"Q25517", "m3"},
    {"Q4243638", "km3"},    {"Q11582", "L"},         {"Q2332346", "mL"},      {"Q11579", "K"},
    {"Q25267", "Cel"},      {"Q42289", "[degF]"},    {"Q182429", "m/s"},      {"Q180154", "km/h"},
    {"Q25236", "W"},        {"Q3320608", "kW"},      {"Q6982035", "MW"},      {"Q25269", "J"},
    {"Q11229", "%"},        {"Q28390", "deg"},       {"Q33680", "rad"},       {"Q39369", "Hz"},
    {"Q2143992", "kHz"},    {"Q732707", "MHz"},      {"Q44395", "Pa"},        {"Q844211", "kg/m3"},
    {"Q13147228", "g/cm3"}, {"Q4917", "USD", true},  {"Q4916", "EUR", true},  {"Q25224", "GBP", true},
    {"Q8146", "JPY", true}, {"Q80524", "INR", true}, {"Q25344", "CHF", true}, {"Q39099", "CNY", true}};

constexpr std::string_view kXsdTypes = "http://www.w3.org/2001/XMLSchema#";

// How precise a time is.
enum TimePrecision { kMillennium = 6, kCentury = 7, kDecade = 8, kYearOnly = 9, kMonth = 10, kDayOnly = 11 };

std::string text_in(const JsonNode& value, std::string_view key) {
  const JsonNode* found = value.find(key);
  return found == nullptr ? std::string() : found->text;
}

std::string datatype_named(std::string_view name) { return std::string(kXsdTypes).append(name); }

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number < 0 ? -number : number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return (number < 0 ? "-" : "") + text;
}

struct WikidataTime {
  std::int64_t year = 0;  // 0 is 1 BC
  int month = 0, day = 0;
  std::string_view clock;
};

template <class Integer>
bool take_number(std::string_view& text, Integer& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// "+1952-03-11T00:00:00Z"; -0044 is 44 BC there: a year 0 is none of its.
std::optional<WikidataTime> time_in(std::string_view text) {
  WikidataTime time;
  const bool before_christ = text.starts_with('-');
  if (text.empty() || (!before_christ && text[0] != '+')) return std::nullopt;
  text.remove_prefix(1);
  const auto take = [&](auto& into, char mark) {
    if (!take_number(text, into) || !text.starts_with(mark)) return false;
    text.remove_prefix(1);
    return true;
  };
  if (!take(time.year, '-') || !take(time.month, '-') || !take(time.day, 'T')) return std::nullopt;
  if (before_christ) time.year = 1 - time.year;
  time.clock = text;
  const bool month_good = time.month >= 0 && time.month <= 12;
  const bool day_good =
      month_good && time.day >= 0 && (time.month == 0 || time.day <= days_in_month(time.year, time.month));
  return day_good ? std::optional(time) : std::nullopt;
}

// The day that the Gregorian calendar has where the Julian one has this.
CivilDay gregorian_day(const WikidataTime& julian) {
  const std::int64_t shift = (14 - julian.month) / 12, months = julian.month + 12 * shift - 3;
  const std::int64_t years = julian.year + 4800 - shift;
  const std::int64_t leap_days = years >= 0 ? years / 4 : (years - 3) / 4;
  const std::int64_t number = julian.day + (153 * months + 2) / 5 + 365 * years + leap_days - 32083;
  return civil_from_days(number - 2440588);  // the Julian day of 1970-01-01
}

std::string ordinal(std::int64_t number) {
  const std::int64_t last = number % 10, two = number % 100;
  const bool teen = two >= 11 && two <= 13;
  return std::to_string(number) + (teen || last == 0 || last > 3 ? "th"
                                   : last == 1                   ? "st"
                                   : last == 2                   ? "nd"
                                                                 : "rd");
}

// "1950s", "20th century", "13798000000 BC".
std::string rough_time(const WikidataTime& time, int precision) {
  const bool before_christ = time.year < 1;
  const std::int64_t year = before_christ ? 1 - time.year : time.year;
  std::string words = std::to_string(year);
  if (precision == kDecade) words = std::to_string(year / 10 * 10) + "s";
  if (precision == kCentury) words = ordinal((year + 99) / 100) + " century";
  if (precision == kMillennium) words = ordinal((year + 999) / 1000) + " millennium";
  return before_christ ? words + " BC" : words;
}

std::optional<WikidataValue> time_value(const JsonNode& value, std::string& why) {
  const std::string written = text_in(value, "time");
  const auto time = time_in(written);
  const JsonNode* given = value.find("precision");
  const int precision = given == nullptr || !given->is_number() ? kDayOnly : static_cast<int>(given->number);
  const bool whole =
      time && (precision < kMonth || time->month > 0) && (precision < kDayOnly || time->day > 0);
  if (!whole) return why = "'" + written.substr(0, 40) + "' is no time", std::nullopt;
  if (precision < kYearOnly) return WikidataValue{TermKind::kLiteral, rough_time(*time, precision)};
  const std::string year = padded(time->year, 4);
  if (precision == kYearOnly) return WikidataValue{TermKind::kLiteral, year, {}, datatype_named("gYear")};
  if (precision == kMonth)
    return WikidataValue{
        TermKind::kLiteral, year + "-" + padded(time->month, 2), {}, datatype_named("gYearMonth")};
  CivilDay day{time->year, time->month, time->day};
  if (text_in(value, "calendarmodel").ends_with("/Q1985786")) day = gregorian_day(*time);
  std::string text = padded(day.year, 4) + "-" + padded(day.month, 2) + "-" + padded(day.day, 2);
  if (precision == kDayOnly)
    return WikidataValue{TermKind::kLiteral, std::move(text), {}, datatype_named("date")};
  return WikidataValue{
      TermKind::kLiteral, text + "T" + std::string(time->clock), {}, datatype_named("dateTime")};
}

std::optional<WikidataValue> quantity_value(const JsonNode& value, std::string& why) {
  std::string amount = text_in(value, "amount");
  if (amount.starts_with('+')) amount.erase(0, 1);
  const bool number = !amount.empty() && amount.find_first_not_of("-.0123456789") == std::string::npos;
  if (!number) return why = "'" + amount.substr(0, 40) + "' is no amount", std::nullopt;
  std::string unit = text_in(value, "unit");
  unit.erase(0, unit.rfind('/') + 1);
  if (unit.empty() || unit == "1") {
    const char* type = amount.find('.') == std::string::npos ? "integer" : "decimal";
    return WikidataValue{TermKind::kLiteral, amount, {}, datatype_named(type)};
  }
  for (const WikidataUnit& known : kWikidataUnits)
    if (known.id == unit)
      return WikidataValue{TermKind::kLiteral,
                           amount + " " + std::string(known.code),
                           {},
                           known.is_money ? std::string() : "https://w3id.org/cdt/ucum"};
  return WikidataValue{TermKind::kLiteral, amount + " " + unit, {}, {}, true};
}

// As queries of Wikidata name it: spaces and what an IRI may not have are written with percent signs.
std::string commons_address(std::string_view file) {
  std::string iri = "http://commons.wikimedia.org/wiki/Special:FilePath/";
  constexpr const char* kHex = "0123456789ABCDEF";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && std::string_view("<>\"{}|\\^`%?#").find(c) == std::string_view::npos)
      iri += c;
    else
      ((iri += '%') += kHex[byte >> 4]) += kHex[byte & 15];
  }
  return iri;
}

std::optional<WikidataValue> entity_value(const JsonNode& value, std::string& why) {
  std::string id = text_in(value, "id");
  if (id.empty()) {  // of older dumps
    const std::string number = text_in(value, "numeric-id"), kind = text_in(value, "entity-type");
    if (!number.empty()) id = (kind == "property" ? "P" : "Q") + number;
  }
  if (id.empty()) return why = "an entity without an id", std::nullopt;
  return WikidataValue{TermKind::kIri, std::string(kWikidataEntity) + id};
}

std::optional<WikidataValue> place_value(const JsonNode& value, std::string& why) {
  const std::string latitude = text_in(value, "latitude"), longitude = text_in(value, "longitude");
  if (latitude.empty() || longitude.empty()) return why = "a place without coordinates", std::nullopt;
  std::string text = "Point(" + longitude + " " + latitude + ")";
  const std::string globe = text_in(value, "globe");
  if (!globe.empty() && !globe.ends_with("/Q2")) text = "<" + globe + "> " + text;  // not on Earth
  return WikidataValue{
      TermKind::kLiteral, std::move(text), {}, "http://www.opengis.net/ont/geosparql#wktLiteral"};
}

}  // namespace

std::optional<WikidataValue> wikidata_value(const JsonNode& datavalue, std::string_view datatype,
                                            std::string& why) {
  const std::string type = text_in(datavalue, "type");
  const JsonNode* value = datavalue.find("value");
  if (value == nullptr) return why = "a value is missing", std::nullopt;
  if (type == "wikibase-entityid") return entity_value(*value, why);
  if (type == "time") return time_value(*value, why);
  if (type == "quantity") return quantity_value(*value, why);
  if (type == "globecoordinate") return place_value(*value, why);
  if (type == "monolingualtext")
    return WikidataValue{TermKind::kLiteral, text_in(*value, "text"), text_in(*value, "language")};
  if (!value->is_string())
    return why = "a value of the unknown type '" + type.substr(0, 40) + "'", std::nullopt;
  if (datatype == "commonsMedia") return WikidataValue{TermKind::kIri, commons_address(value->text)};
  if (datatype == "url" && is_whole_iri(value->text)) return WikidataValue{TermKind::kIri, value->text};
  return WikidataValue{TermKind::kLiteral, value->text};
}

}  // namespace kgwalk::graph
