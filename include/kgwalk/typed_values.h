// What entities stand for as values: numbers with their units, years, dates, times, truth values and texts;
// how values compare, in which order the values of a relation stand, and how people write them.
//
// Example:
//   #include "kgwalk/store.h"
//
//   using namespace kgwalk::graph;
//   const KnowledgeGraph graph = Store::open("kg.db", Store::Mode::kReadOnly).load_graph();
//   const TypedValues values(graph);
//   const auto released = graph.find_relation("release year");
//   if (released && values.ends(*released).tails == ValueKind::kYear)
//     for (const RankedValue& each : values.ranked(*released))  // the earliest first
//       std::cout << values.shown(each.value) << '\n';
//   const auto later = compare(year_value(2006), Comparison::kGreater, *parse_value("1 June 2005"));
//   std::cout << *later << ' ' << shown(*parse_value("180 cm")) << '\n';  // 1 180 cm
//
// A literal (GraphDetails::id() begins with a quotation mark) is the value that its datatype says; one that
// breaks its datatype ("31 February" as a date) is a text. A plain name ("2005" in a table of names), or a
// literal without datatype, is read as people write values, and only where it is the tail of a relation
// nearly all of whose distinct tails read as values of one kind: the film "1917" stays a name. Whole numbers
// are years through a relation whose words say a time ("release year", "founded") and nearly all of whose
// tails are plausible years.
//
// A time is the half-open interval that it names, in UTC where no zone is given, in the proleptic Gregorian
// calendar with a year 0 (ISO 8601, XML Schema 1.1: -0043 is 44 BC). So 2005 is neither before nor after
// 2005-06-01.
//
// "1,234" is a thousand and more, "1,5" one and a half; a single comma is a decimal one unless three digits
// follow. Texts kept beside the graph (kgwalk/values.h) are no entities and not told of here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kgwalk/choice.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

enum class ValueKind : std::uint8_t {
  kThing,  // no value
  kText,
  kBoolean,
  kNumber,
  kYear,
  kYearMonth,
  kDate,
  kDateTime,
  kTime,  // of a day
};
constexpr auto choice_names(ValueKind) {
  return choices_in_order<ValueKind>("thing", "text", "boolean", "number", "year", "year-month", "date",
                                     "date-time", "time");
}
// Year, year and month, date, date and time: these compare with each other.
[[nodiscard]] constexpr bool is_time(ValueKind kind) noexcept {
  return kind >= ValueKind::kYear && kind <= ValueKind::kDateTime;
}

// A number of the table of units; 0: none. Units of one dimension compare: 180 cm and 1.72 m, not 180 cm and
// 80 kg.
using UnitId = std::uint8_t;
// By symbol, name in the singular or plural, or IRI of DBpedia's datatypes and QUDT: "cm", "kilometres",
// "US$".
[[nodiscard]] std::optional<UnitId> find_unit(std::string_view text);
[[nodiscard]] std::string_view unit_symbol(UnitId unit) noexcept;  // "cm"; empty for 0

struct TypedValue {
  ValueKind kind = ValueKind::kThing;
  UnitId unit = 0;  // of numbers, as written
  // Numbers: both are it, in the base unit of its dimension (meters, kilograms, seconds, kelvins). Times:
  // [from, to) in milliseconds since 1970-01-01T00:00Z, of kTime since midnight. Truth values: 0 or 1.
  double from = 0, to = 0;
  std::string text = {};  // of kText
  friend bool operator==(const TypedValue&, const TypedValue&) = default;
};

// ConfigError for a month, day, hour, minute or second that there is none of, or a year beyond a hundred
// million.
[[nodiscard]] TypedValue number_value(double number, UnitId unit = 0);  // in `unit`, not in its base
[[nodiscard]] TypedValue year_value(std::int64_t year);
[[nodiscard]] TypedValue year_month_value(std::int64_t year, int month);
[[nodiscard]] TypedValue date_value(std::int64_t year, int month, int day);
[[nodiscard]] TypedValue text_value(std::string_view text);

// As people write: "1,234.5", "1.72 m", "2005-06-01", "14 March 1902", "March 14, 1902", "June 2005", "44
// BC", "21:15". Bare digits are a number, which compare() takes as a year beside a time. nullopt for anything
// else.
[[nodiscard]] std::optional<TypedValue> parse_value(std::string_view text);
// A literal as N-Triples writes it. kText where its datatype is none of ours or is broken; kThing for no
// literal.
[[nodiscard]] TypedValue value_of_literal(std::string_view literal);

enum class Comparison : std::uint8_t { kLess, kAtMost, kEqual, kNotEqual, kAtLeast, kGreater };
constexpr auto choice_names(Comparison) {
  return choices_in_order<Comparison>("<", "<=", "=", "!=", ">=", ">");
}
// Whether `a TEST b` holds; nullopt where they have no common value (a number and a date, meters and
// kilograms). A whole number beside a time is a year. Of times, a < b: a ends before b begins; a <= b: it
// ends before b does or with it; a = b: it lies within b ("of 2005"); a != b: they do not overlap. Texts are
// equal or not, no more.
[[nodiscard]] std::optional<bool> compare(const TypedValue& a, Comparison test, const TypedValue& b) noexcept;

// As people write it: "124,000,000", "4806", "14 March 1902", "44 BC", "1.72 m", "21:15". Four digits and
// years have no comma.
[[nodiscard]] std::string shown(const TypedValue& value);

// What stands at the ends of a relation: the kind of most distinct tails (heads), kThing where most are
// things.
struct RelationEnds {
  ValueKind heads = ValueKind::kThing, tails = ValueKind::kThing;
};

// A value of a relation in its order.
struct RankedValue {
  double key;      // TypedValue::from
  EntityId value;  // the tail
  friend auto operator<=>(const RankedValue&, const RankedValue&) = default;
};

// The values of one graph, which it borrows. Immutable; thread-safe: what is sorted is sorted once, at its
// first use.
class TypedValues {
 public:
  // Reads every name that may be a value: about a second for a million edges.
  explicit TypedValues(const KnowledgeGraph& graph);
  TypedValues(TypedValues&&) noexcept;
  TypedValues& operator=(TypedValues&&) noexcept;
  ~TypedValues();

  [[nodiscard]] const KnowledgeGraph& graph() const noexcept;

  // What the entity is by itself: a whole number is a year where every relation that has it as a value reads
  // years.
  [[nodiscard]] TypedValue value(EntityId entity) const;
  [[nodiscard]] ValueKind kind(EntityId entity) const noexcept;
  // The same as the relation reads its tail: whole numbers as years or not, plain names as values or not.
  [[nodiscard]] TypedValue value(RelationId relation, EntityId tail) const;

  [[nodiscard]] RelationEnds ends(RelationId relation) const noexcept;
  // Which values compare with each other: 0 for things and texts, else the same number for values that do.
  [[nodiscard]] std::uint8_t group(RelationId relation, EntityId tail) const noexcept;
  // The group that most distinct tails of the relation belong to; 0 where it has no values that can be
  // ordered.
  [[nodiscard]] std::uint8_t group(RelationId relation) const noexcept;

  // The distinct tails in that group, or in another one, by key, then by id. The first call sorts those of
  // all relations.
  [[nodiscard]] std::span<const RankedValue> ranked(RelationId relation) const;
  [[nodiscard]] std::span<const RankedValue> ranked(RelationId relation, std::uint8_t group) const;

  // As people write it; a thing's name, a text in full.
  [[nodiscard]] std::string shown(EntityId entity) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::graph
