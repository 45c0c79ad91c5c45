#include "forms/sparql/value_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "forms/text/value_json.h"
#include "graph/values/calendar.h"
#include "graph/values/literal.h"
#include "graph/values/value_group.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::forms {

using graph::TypedValue;
using graph::ValueKind;

namespace {

constexpr std::string_view kXsd = "http://www.w3.org/2001/XMLSchema#";

bool all_digits(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "12.5" and whole numbers: what xsd:decimal() reads as we do.
bool is_plain_decimal(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return all_digits(text) && text.size() < 16;
  const std::string_view part = text.substr(point + 1);
  return text.size() < 16 && all_digits(text.substr(0, point)) && all_digits(part) && part[0] != '-' &&
         part[0] != '+';
}

bool has_zone(std::string_view text) {
  const std::size_t at = text.find('T');
  return text.ends_with('Z') ||
         (at != std::string_view::npos && text.find_first_of("+-", at) != std::string_view::npos);
}

// The first moment of the unit of time that a value of this kind is long, in which `ms` lies.
double floor_to(ValueKind kind, double ms) {
  const graph::CivilDay day = graph::civil_of_ms(ms);
  switch (kind) {
    case ValueKind::kYear:
      return graph::ms_of_civil(day.year);
    case ValueKind::kYearMonth:
      return graph::ms_of_civil(day.year, day.month);
    case ValueKind::kDate:
      return graph::ms_of_civil(day.year, day.month, day.day);
    default:
      return std::floor(ms / graph::kSecondMs) * graph::kSecondMs;
  }
}

std::string moment_of(const std::string& text) {
  return "COALESCE(xsd:dateTime(CONCAT(" + text + ", \"T00:00:00\")), xsd:dateTime(CONCAT(" + text +
         ", \"-01-01T00:00:00\")), xsd:dateTime(CONCAT(" + text + ", \"-01T00:00:00\")), xsd:dateTime(" +
         text + "))";
}

}  // namespace

std::string sparql_number(double number) {
  std::array<char, 64> text{};
  const bool plain = number == 0 || (std::abs(number) >= 1e-6 && std::abs(number) < 1e15);
  const auto end =
      plain ? std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed)
            : std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific);
  return {text.data(), end.ptr};
}

ValueKeys::ValueKeys(const Relations& relations, std::uint8_t group, const graph::TypedValues& values,
                     const graph::RdfTerms& terms)
    : values_(values), terms_(terms), group_(group) {
  for (const RelationId relation : relations)
    for (const graph::RankedValue& each : values.ranked(relation, group))
      tails_.push_back({relation, each.value});
  std::stable_sort(tails_.begin(), tails_.end(),
                   [](const Tail& a, const Tail& b) { return a.value < b.value; });
  tails_.erase(std::unique(tails_.begin(), tails_.end(),
                           [](const Tail& a, const Tail& b) { return a.value == b.value; }),
               tails_.end());
  if (tails_.empty()) return;
  way_ = way_of(tails_.front());
  std::size_t zoned = 0;
  for (const Tail& tail : tails_) {
    if (way_of(tail) != way_) way_ = KeyWay::kTable;
    const ValueKind kind = values.value(tail.relation, tail.value).kind;
    if (std::find(kinds_.begin(), kinds_.end(), kind) == kinds_.end()) kinds_.push_back(kind);
    if (const auto literal = graph::split_literal(graph::details(values.graph()).id(tail.value)))
      zoned += has_zone(literal->text) ? 1 : 0;
  }
  // Moments with and without zone are in no order in SPARQL.
  is_zoned_ = zoned > 0;
  if (way_ == KeyWay::kTime && zoned > 0 && zoned < tails_.size()) way_ = KeyWay::kTable;
}

ValueKind ValueKeys::kind() const noexcept { return kinds_.empty() ? ValueKind::kThing : kinds_.front(); }

KeyWay ValueKeys::way_of(const Tail& tail) const {
  const graph::GraphDetails& details = graph::details(values_.graph());
  const TypedValue value = values_.value(tail.relation, tail.value);
  const std::string_view id = details.id(tail.value);
  const bool number = group_ == graph::kNumbers, time = group_ == graph::kTimes;
  if (!number && !time) return KeyWay::kTable;
  if (const auto literal = graph::split_literal(id)) {
    // As the datatype alone reads it: what the relation reads as a value is none to SPARQL.
    const auto typed = graph::value_of_datatype(literal->text, literal->datatype);
    if (!typed || !literal->datatype.starts_with(kXsd)) return KeyWay::kTable;
    if (typed->kind == ValueKind::kNumber) return typed->unit == 0 ? KeyWay::kNumber : KeyWay::kTable;
    // A year elsewhere: the facts of this relation spell it as a number.
    if (typed->kind == ValueKind::kYear && value.kind == ValueKind::kNumber) return KeyWay::kNumber;
    const bool whole_seconds = std::fmod(value.from, graph::kSecondMs) == 0;
    const bool zoned_day = has_zone(literal->text) && value.kind != ValueKind::kDateTime;
    return time && whole_seconds && !zoned_day ? KeyWay::kTime : KeyWay::kTable;
  }
  // Where the source gave ids, a label may be another entity's than a plain name.
  const std::string_view name = values_.graph().entity_name(tail.value);
  if (!id.empty() || details.has_ids()) return KeyWay::kTable;
  if (number || all_digits(name)) return is_plain_decimal(name) ? KeyWay::kLabel : KeyWay::kTable;
  const bool iso = value.kind != ValueKind::kDateTime && iso_text(value) == name;
  return iso ? KeyWay::kLabelTime : KeyWay::kTable;
}

std::string ValueKeys::bind(const std::string& value, const std::string& key) const {
  const std::string label = key + "l";
  switch (way_) {
    case KeyWay::kNumber:
      return "BIND(" + value + " AS " + key + ") FILTER(isNumeric(" + key + ")) ";
    case KeyWay::kTime:
      return "FILTER(DATATYPE(" + value + ") IN (xsd:date, xsd:dateTime, xsd:gYear, xsd:gYearMonth)) BIND(" +
             moment_of("STR(" + value + ")") + " AS " + key + ") FILTER(BOUND(" + key + ")) ";
    case KeyWay::kLabel:
      return value + " rdfs:label " + label + " . BIND(xsd:decimal(" + label + ") AS " + key +
             ") FILTER(BOUND(" + key + ")) ";
    case KeyWay::kLabelTime:
      return value + " rdfs:label " + label + " . BIND(" + moment_of("STR(" + label + ")") + " AS " + key +
             ") FILTER(BOUND(" + key + ")) ";
    case KeyWay::kTable:
      break;
  }
  std::string table = "VALUES (" + value + " " + key + ") {";
  for (const Tail& tail : tails_)
    table += " (" + terms_.entity(tail.value) + " " +
             sparql_number(values_.value(tail.relation, tail.value).from) + ")";
  return table + " } ";
}

std::string ValueKeys::filter(const std::string& value, const std::string& fresh,
                              const FittedCondition& condition) const {
  const std::string compared =
      way_ == KeyWay::kTable ? std::string() : comparison(fresh, condition.condition);
  // Numbers compare as they are: what is no number is in no order with one.
  if (way_ == KeyWay::kNumber && !compared.empty())
    return "FILTER(isNumeric(" + value + ") && (" + comparison(value, condition.condition) + ")) ";
  if (!compared.empty()) return bind(value, fresh) + "FILTER(" + compared + ") ";
  std::string table = "VALUES " + value + " {";
  for (const Tail& tail : tails_)
    if (condition.holds(values_.value(tail.relation, tail.value))) table += " " + terms_.entity(tail.value);
  return table + " } ";
}

// A moment as the keys are written. Years that are whole numbers begin at or behind it (`upper`: are those
// that do).
std::string ValueKeys::bound(double ms, bool upper) const {
  if (way_ == KeyWay::kNumber || way_ == KeyWay::kLabel) {
    const std::int64_t year = graph::civil_of_ms(ms).year;
    const bool begins = graph::ms_of_civil(year) == ms;
    return std::to_string(begins || upper ? year : year + 1);
  }
  std::string text = iso_text({.kind = ValueKind::kDateTime, .from = ms, .to = ms + graph::kSecondMs});
  if (!is_zoned_) text.pop_back();
  return "\"" + text + "\"^^xsd:dateTime";
}

// Whether values of all kinds that end before `ms` are those that begin before one moment.
bool ValueKeys::has_one_bound(double ms) const {
  return std::all_of(kinds_.begin(), kinds_.end(),
                     [&](ValueKind kind) { return floor_to(kind, ms) == floor_to(kinds_.front(), ms); });
}

// Empty where SPARQL has no comparison that is ours.
std::string ValueKeys::comparison(const std::string& key, const Condition& condition) const {
  if (group_ == graph::kTimes) return time_comparison(key, condition);
  const std::string value = sparql_number(condition.value.from);
  if (condition.upper)
    return key + " >= " + value + " && " + key + " <= " + sparql_number(condition.upper->from);
  return key + " " + choice_name(condition.test) + " " + value;
}

// A value ends before a moment where it begins before the unit of its kind in which the moment lies.
std::string ValueKeys::time_comparison(const std::string& key, const Condition& condition) const {
  const TypedValue& value = condition.value;
  const auto from = [&](double ms) { return key + " >= " + bound(ms, false); };
  const auto until = [&](double ms) {
    return has_one_bound(ms) ? key + " < " + bound(floor_to(kind(), ms), true) : std::string();
  };
  const auto both = [](const std::string& a, const char* op, const std::string& b) {
    return b.empty() ? std::string() : a + op + b;
  };
  if (condition.upper) return both(from(value.from), " && ", until(condition.upper->to));
  switch (condition.test) {
    case Comparison::kLess:
      return until(value.from);
    case Comparison::kAtMost:
      return until(value.to);
    case Comparison::kEqual:
      return both(from(value.from), " && ", until(value.to));
    case Comparison::kNotEqual:
      return both(from(value.to), " || ", until(value.from));
    case Comparison::kAtLeast:
      return from(value.from);
    case Comparison::kGreater:
      return from(value.to);
  }
  return {};
}

}  // namespace kgwalk::forms
