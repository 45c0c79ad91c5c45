// Single values: read, compared, shown.
#include <gtest/gtest.h>

#include "graph/values/calendar.h"
#include "graph/values/literal.h"
#include "kgwalk/error.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kXsd = "^^<http://www.w3.org/2001/XMLSchema#";

TypedValue literal(const std::string& text, const std::string& type) {
  return value_of_literal('"' + text + '"' + kXsd + type + ">");
}
TypedValue written(std::string_view text) { return parse_value(text).value_or(TypedValue{}); }

TEST(Calendar, HasTheDaysThatItHas) {
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil(2000, 3, 1), 11017);
  EXPECT_EQ(days_from_civil(1969, 12, 31), -1);
  EXPECT_EQ(days_from_civil(0, 1, 1), -719528);
  EXPECT_EQ(days_in_month(1900, 2), 28);
  EXPECT_EQ(days_in_month(2000, 2), 29);
}

TEST(Calendar, FindsEveryDayAgain) {
  for (std::int64_t day = -1'000'000; day < 1'000'000; day += 17) {
    const CivilDay civil = civil_from_days(day);
    ASSERT_EQ(days_from_civil(civil.year, civil.month, civil.day), day);
    ASSERT_LE(civil.day, days_in_month(civil.year, civil.month));
  }
}

TEST(Literal, IsReadByItsDatatype) {
  EXPECT_EQ(literal("42", "integer"), number_value(42));
  EXPECT_EQ(literal("-1.50", "decimal"), number_value(-1.5));
  EXPECT_EQ(literal("1.5e3", "double"), number_value(1500));
  EXPECT_EQ(literal("2005", "gYear"), year_value(2005));
  EXPECT_EQ(literal("2005-06", "gYearMonth"), year_month_value(2005, 6));
  EXPECT_EQ(literal("2005-06-01", "date"), date_value(2005, 6, 1));
  EXPECT_EQ(literal("true", "boolean").kind, ValueKind::kBoolean);
  EXPECT_EQ(literal("2005-06-01T21:15:00Z", "dateTime").from, date_value(2005, 6, 1).from + 21.25 * kHourMs);
  EXPECT_EQ(literal("2005-06-01T21:15:00+02:00", "dateTime").from,
            date_value(2005, 6, 1).from + 19.25 * kHourMs);
}

TEST(Literal, IsATextWhereItBreaksItsDatatype) {
  EXPECT_EQ(literal("2005-02-31", "date").kind, ValueKind::kText);
  EXPECT_EQ(literal("1,5", "decimal").kind, ValueKind::kText);
  EXPECT_EQ(literal("5.0", "integer").kind, ValueKind::kText);
  EXPECT_EQ(literal("2005-06-01T25:00:00", "dateTime").kind, ValueKind::kText);
  EXPECT_EQ(literal("NaN", "double").kind, ValueKind::kText);
  EXPECT_EQ(value_of_literal("\"2005\"@en"), text_value("2005"));
  EXPECT_EQ(value_of_literal("http://example.org/x").kind, ValueKind::kThing);
}

TEST(Literal, HasUnitsOfUcumDbpediaAndQudt) {
  EXPECT_EQ(value_of_literal("\"1.72 m\"^^<https://w3id.org/cdt/ucum>").from, 1.72);
  EXPECT_EQ(value_of_literal("\"172\"^^<http://dbpedia.org/datatype/centimetre>").from, 1.72);
  EXPECT_EQ(value_of_literal("\"3\"^^<http://dbpedia.org/datatype/squareKilometre>").from, 3e6);
  EXPECT_EQ(value_of_literal("\"2\"^^<http://qudt.org/vocab/unit/KiloGM>").from, 2);
  EXPECT_EQ(value_of_literal("\"20\"^^<http://dbpedia.org/datatype/degreeCelsius>").from, 293.15);
}

TEST(Literal, UndoesEscapes) {
  EXPECT_EQ(split_literal("\"a\\\"b\\n\\u00e9\"@fr")->text, "a\"b\n\u00e9");
  EXPECT_EQ(split_literal("\"a\\\"b\"@fr")->language, "fr");
  EXPECT_FALSE(split_literal("\"open"));
}

TEST(WrittenValue, IsReadAsPeopleWrite) {
  EXPECT_EQ(written("1,234,567.5"), number_value(1234567.5));
  EXPECT_EQ(written("1,5"), number_value(1.5));
  EXPECT_EQ(written("1.5"), number_value(1.5));
  EXPECT_EQ(written("1,500"), number_value(1500));
  EXPECT_EQ(written("0,123"), number_value(0.123));
  EXPECT_EQ(written("124 000 000"), number_value(124e6));
  EXPECT_EQ(written("1.41 billion"), number_value(1.41e9));
  EXPECT_EQ(written("180 cm"), number_value(180, *find_unit("cm")));
  EXPECT_EQ(written("5%"), number_value(5, *find_unit("%")));
  EXPECT_EQ(written("$5 million"), number_value(5e6, *find_unit("$")));
  EXPECT_EQ(written("14 March 1902"), date_value(1902, 3, 14));
  EXPECT_EQ(written("March 14, 1902"), date_value(1902, 3, 14));
  EXPECT_EQ(written("14th of Mar 1902"), date_value(1902, 3, 14));
  EXPECT_EQ(written("June 2005"), year_month_value(2005, 6));
  EXPECT_EQ(written("2005-06"), year_month_value(2005, 6));
  EXPECT_EQ(written("44 BC"), year_value(-43));
  EXPECT_EQ(written("15 March 44 BC"), date_value(-43, 3, 15));
  EXPECT_EQ(written("2005"), number_value(2005));
  EXPECT_EQ(written("21:15").kind, ValueKind::kTime);
}

TEST(WrittenValue, IsNoneWhereItReadsOtherwise) {
  for (const char* text :
       {"", "Inception", "31 February 2005", "2005-02-31", "12 Angry Men", "U2", "1.2.3", "7 Up", "Blink-182",
        "50 Cent", "1984 (novel)", "--5", "5 5", "-", "1e", "Apollo 13"})
    EXPECT_FALSE(parse_value(text)) << text;
}

TEST(Compare, TakesTimesAsIntervals) {
  const TypedValue y2005 = year_value(2005), june = date_value(2005, 6, 1);
  EXPECT_FALSE(*compare(june, Comparison::kGreater, y2005));
  EXPECT_FALSE(*compare(june, Comparison::kLess, y2005));
  EXPECT_TRUE(*compare(june, Comparison::kEqual, y2005));
  EXPECT_FALSE(*compare(y2005, Comparison::kEqual, june));
  EXPECT_TRUE(*compare(june, Comparison::kAtMost, y2005));
  EXPECT_TRUE(*compare(date_value(2006, 1, 1), Comparison::kGreater, y2005));
  EXPECT_TRUE(*compare(date_value(2004, 12, 31), Comparison::kLess, y2005));
  EXPECT_FALSE(*compare(june, Comparison::kNotEqual, y2005));
  EXPECT_TRUE(*compare(year_value(-43), Comparison::kLess, year_value(1)));
  EXPECT_TRUE(*compare(year_value(99999), Comparison::kGreater, june));
  EXPECT_TRUE(*compare(june, Comparison::kGreater, number_value(2004)));
}

TEST(Compare, NeedsACommonValue) {
  const UnitId cm = *find_unit("cm"), kg = *find_unit("kg"), m = *find_unit("metres");
  EXPECT_TRUE(*compare(number_value(180, cm), Comparison::kGreater, number_value(1.72, m)));
  EXPECT_FALSE(compare(number_value(180, cm), Comparison::kGreater, number_value(80, kg)));
  EXPECT_FALSE(compare(number_value(1.5), Comparison::kLess, year_value(2005)));
  EXPECT_FALSE(compare(text_value("a"), Comparison::kLess, text_value("b")));
  EXPECT_TRUE(*compare(text_value("a"), Comparison::kEqual, text_value("a")));
  EXPECT_FALSE(compare(TypedValue{}, Comparison::kEqual, TypedValue{}));
  EXPECT_FALSE(*compare(number_value(5), Comparison::kAtLeast, number_value(6)));
}

TEST(Shown, IsWhatPeopleWrite) {
  EXPECT_EQ(shown(number_value(124000000)), "124,000,000");
  EXPECT_EQ(shown(number_value(-12345.25)), "-12,345.25");
  EXPECT_EQ(shown(number_value(4806)), "4806");
  EXPECT_EQ(shown(year_value(10000)), "10000");
  EXPECT_EQ(shown(year_value(-43)), "44 BC");
  EXPECT_EQ(shown(year_value(0)), "1 BC");
  EXPECT_EQ(shown(date_value(1902, 3, 14)), "14 March 1902");
  EXPECT_EQ(shown(year_month_value(2005, 6)), "June 2005");
  EXPECT_EQ(shown(number_value(1.72, *find_unit("m"))), "1.72 m");
  EXPECT_EQ(shown(number_value(172, *find_unit("cm"))), "172 cm");
  EXPECT_EQ(shown(number_value(20, *find_unit("celsius"))), "20 \u00b0C");
  EXPECT_EQ(shown(number_value(5, *find_unit("usd"))), "$5");
  EXPECT_EQ(shown(written("21:15")), "21:15");
  EXPECT_EQ(shown(literal("2005-06-01T21:15:30Z", "dateTime")), "1 June 2005, 21:15:30");
  EXPECT_EQ(shown(text_value("as it is")), "as it is");
}

TEST(Value, IsRefusedWhereThereIsNone) {
  EXPECT_THROW((void)date_value(2005, 2, 31), ConfigError);
  EXPECT_THROW((void)year_month_value(2005, 13), ConfigError);
  EXPECT_THROW((void)year_value(1'000'000'000'000), ConfigError);
  EXPECT_NO_THROW((void)year_value(99999));
}

}  // namespace
}  // namespace kgwalk::graph
