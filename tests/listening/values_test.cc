// Numbers, dates, periods and places in an order that a text says.
#include <gtest/gtest.h>

#include "listening/candidates/candidates.h"
#include "listening/words/order_words.h"

namespace kgwalk::listening {
namespace {

TEST(Values, AreHeardWithTheirWords) {
  const SaidText said = read_said("films of the 1980s or after 14 March 1902, longer than 2 km");
  const std::vector<HeardValue> values = values_said(said);
  ASSERT_EQ(values.size(), 3U);
  EXPECT_TRUE(values[0].upper.has_value());
  EXPECT_EQ(values[1].value.kind, graph::ValueKind::kDate);
  EXPECT_EQ(values[2].value.kind, graph::ValueKind::kNumber);
}

TEST(Values, CountThemselvesWhereWordsSaySo) {
  const auto inclusive = [](const char* text) { return values_said(read_said(text)).at(0).inclusive; };
  EXPECT_TRUE(inclusive("films since 1990"));
  EXPECT_TRUE(inclusive("at least 80 million"));
  EXPECT_TRUE(inclusive("at most two"));
  EXPECT_TRUE(inclusive("3 or more children"));
  EXPECT_FALSE(inclusive("more than 3 children"));
  EXPECT_FALSE(inclusive("after 1990"));
  EXPECT_TRUE(values_said(read_said("the two of them")).empty()) << "nothing is compared";
}

TEST(Ranks, AreSaidBesideSuperlatives) {
  const auto rank = [](const char* text) {
    const auto said = rank_said(read_said(text));
    return said ? std::pair(said->n, said->alone) : std::pair<std::uint64_t, bool>(1, false);
  };
  const auto several = [](std::uint64_t n) { return std::pair(n, false); };
  const auto only = [](std::uint64_t n) { return std::pair(n, true); };
  EXPECT_EQ(rank("the four youngest players"), several(4));
  EXPECT_EQ(rank("top-10 games"), several(10));
  EXPECT_EQ(rank("the first three presidents"), several(3));
  EXPECT_EQ(rank("the three most populous cities"), several(3));
  EXPECT_EQ(rank("the second highest mountain"), only(2));
  EXPECT_EQ(rank("the 3rd most expensive car"), only(3));
  EXPECT_EQ(rank("the highest mountain"), several(1));
  EXPECT_EQ(rank("who had two children first"), several(1)) << "nothing is ordered by it";
}

TEST(Values, PeriodsAreYearsFromTo) {
  const auto years = [](const char* text) {
    const std::vector<HeardValue> values = values_said(read_said(text));
    if (values.size() != 1 || !values.front().upper) return std::pair<std::string, std::string>();
    return std::pair(graph::shown(values.front().value), graph::shown(*values.front().upper));
  };
  const std::pair<std::string, std::string> nineties("1990", "1999");
  for (const char* text : {"films of the 1990s", "films of the nineties", "films of the 90s",
                           "films of the '90s", "films of the 1990's"})
    EXPECT_EQ(years(text), nineties) << text;
  EXPECT_EQ(years("painters of the 16th century"), std::pair(std::string("1501"), std::string("1600")));
  EXPECT_EQ(years("the thirties"), std::pair(std::string("1930"), std::string("1939")));
  EXPECT_TRUE(values_said(read_said("three films")).empty());
}

TEST(Values, OrdinalsAreNumbers) {
  const std::vector<HeardValue> values = values_said(read_said("who was the 16th president"));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_TRUE(values.front().ordinal);
  EXPECT_EQ(values.front().value.from, 16);
  EXPECT_TRUE(values_said(read_said("the best president")).empty());
}

TEST(Values, NumbersAreWordsOfWhatIsCounted) {
  const IsCounted counts = [](const std::string& noun) { return noun == "cylinders"; };
  const std::vector<HeardValue> values = values_said(read_said("three cars with six cylinders"), counts);
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values.front().value.from, 6);
}

TEST(OrderWords, ThoseOfMeasuresOrderByThem) {
  const OrderWord* hotter = order_word("hotter");
  ASSERT_NE(hotter, nullptr);
  EXPECT_TRUE(hotter->compares);
  EXPECT_TRUE(hotter->more);
  EXPECT_NE(std::find(hotter->relations.begin(), hotter->relations.end(), "temperature"),
            hotter->relations.end());
  const OrderWord* wettest = order_word("wettest");
  ASSERT_NE(wettest, nullptr);
  EXPECT_FALSE(wettest->compares);
  EXPECT_EQ(order_word("leading"), nullptr);
}

}  // namespace
}  // namespace kgwalk::listening
