#include "runtime/text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/random.h"

namespace kgwalk {
namespace {

TEST(Text, FoldsCaseWidthAccentsAndSpaces) {
  EXPECT_EQ(fold_name("  Iron\t Man \n"), "iron man");
  EXPECT_EQ(fold_name("ZO\xC3\x8B"), "zo\xC3\xAB");        // precomposed capital
  EXPECT_EQ(fold_name("ZOE\xCC\x88"), "zo\xC3\xAB");       // letter and combining mark
  EXPECT_EQ(fold_name("\xEF\xBC\xA1\xEF\xBC\xA2"), "ab");  // full width
  EXPECT_EQ(fold_name("Stra\xC3\x9F"
                      "e"),
            "strasse");                                                // sharp s
  EXPECT_EQ(fold_name("\xEF\xAC\x81lm"), "film");                      // ligature
  EXPECT_EQ(fold_name("a\xC2\xA0\xE3\x80\x80 b\xE2\x80\xA8"), "a b");  // no-break, wide and line separator
  EXPECT_EQ(fold_name(""), "");
  EXPECT_NE(fold_name("resume"), fold_name("r\xC3\xA9sum\xC3\xA9")) << "accents are kept";
  EXPECT_THROW((void)fold_name("\xFF"), ConfigError);
}

std::string utf8(std::uint32_t c) {
  if (c < 0x80) return {static_cast<char>(c)};
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0)};
}

TEST(Text, FoldingTwiceChangesNothing) {
  for (std::uint32_t c = 1; c < 0x11000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string once = fold_name("a" + utf8(c) + "Z");
    ASSERT_EQ(fold_name(once), once) << std::hex << c;
  }
}

TEST(Text, ValidUtf8IsExactlyTheEncodingsOfScalars) {
  for (std::uint32_t c = 0; c < 0x110000; c += c < 0x900 ? 1 : 251) {
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    EXPECT_EQ(invalid_utf8_at("x" + utf8(c)).has_value(), surrogate) << std::hex << c;
  }
  const std::pair<const char*, std::size_t> bad[] = {{"ab\x80", 2},
                                                     {"\xC0\x80", 0},
                                                     {"\xC1\xBF", 0},
                                                     {"\xE0\x9F\xBF", 0},
                                                     {"\xF0\x8F\xBF\xBF", 0},
                                                     {"\xF4\x90\x80\x80", 0},
                                                     {"\xF5\x80\x80", 0},
                                                     {"a\xE2\x82", 1},
                                                     {"a\xF0\x9F\x98", 1},
                                                     {"\xC3(", 0},
                                                     {"\xE2\x82(", 0},
                                                     {"\xED\xA0\x80", 0},
                                                     {"ok\xE2\x82\xAC\xFF", 5}};
  for (const auto& [text, at] : bad) EXPECT_EQ(invalid_utf8_at(text), at) << text;
}

// The definition, without bands or cut-offs.
std::size_t plain_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

TEST(Text, EditDistanceEqualsItsDefinition) {
  Random random(2);
  const auto word = [&] {
    std::string w(random.below(9), 'a');
    for (char& c : w) c = static_cast<char>('a' + random.below(3));
    return w;
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = word(), b = word();
    const std::size_t exact = plain_distance(a, b);
    ASSERT_EQ(edit_distance(a, b), exact) << a << " " << b;
    const std::size_t limit = random.below(6);
    ASSERT_EQ(edit_distance(a, b, limit), std::min(exact, limit + 1)) << a << " " << b << " " << limit;
  }
}

TEST(Text, NearestNamesComeBestFirst) {
  const std::vector<std::string> names{"Iron Man", "Ironman", "Iron Maiden", "Batman",
                                       "\xFF",     "Irn Man", "IRON MAN"};
  EXPECT_EQ(nearest_names("iron man", names), (std::vector<std::string>{"Iron Man", "IRON MAN", "Ironman"}));
  EXPECT_EQ(nearest_names("Battman", names, 1), (std::vector<std::string>{"Batman"}));
  EXPECT_EQ(nearest_names("Incept", std::vector<std::string>{"Incest", "Inception", "Inception (soundtrack)",
                                                             "Vincent"}),
            (std::vector<std::string>{"Inception", "Incest", "Inception (soundtrack)"}));
  EXPECT_TRUE(nearest_names("completely different", names).empty());
  EXPECT_TRUE(nearest_names("x", names).empty()) << "nothing in common is not near";
  EXPECT_EQ(did_you_mean("batmn", names), " (did you mean 'Batman'?)");
  EXPECT_EQ(did_you_mean("completely different", names), "");
}

TEST(Text, CommasSeparateThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(-123456), "-123,456");
}

}  // namespace
}  // namespace kgwalk
