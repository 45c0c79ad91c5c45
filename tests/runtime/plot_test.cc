#include "runtime/plot.h"

#include <gtest/gtest.h>

#include <limits>

#include "kgwalk/error.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Plot, DrawsOneLineASeriesWithNamesEscaped) {
  const Series a{"a < b", {0, 1, 2}, {1, 3, 2}}, b{"c", {0, 2}, {2, 2}};
  ChartOptions options;
  options.title = "loss & more";
  const std::string svg = line_chart_svg(options, std::vector<Series>{a, b});
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "<path "), 2u);
  EXPECT_TRUE(contains(svg, "a &lt; b") && contains(svg, "loss &amp; more"));
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
}

TEST(Plot, NaNLeavesAGap) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = line_chart_svg({}, std::vector<Series>{{"s", {0, 1, 2, 3, 4}, {1, 2, nan, 3, 4}}});
  const std::string path = svg.substr(svg.find("<path d=\""), 200);
  EXPECT_EQ(count(path.substr(0, path.find("\" fill")), "M"), 2u);
  EXPECT_FALSE(contains(svg, "nan"));
}

TEST(Plot, ExtremesDoNotBreakTheAxes) {
  EXPECT_TRUE(contains(line_chart_svg({}, {}), "no data"));
  const double huge = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(line_chart_svg({}, std::vector<Series>{{"s", {0}, {huge}}}), "no data"));
  for (const double value : {0.0, 5.0, -1e-300, 1e300}) {
    const std::string svg = line_chart_svg({}, std::vector<Series>{{"s", {1}, {value}}});
    EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf")) << value;
  }
  ChartOptions options;
  options.log_y = true;
  const std::string svg =
      line_chart_svg(options, std::vector<Series>{{"s", {0, 1, 2, 3}, {1e-6, 0, -1, 1e3}}});
  EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf"));
}

TEST(Plot, UnequalLengthsAreRefused) {
  EXPECT_THROW((void)line_chart_svg({}, std::vector<Series>{{"s", {0, 1}, {1}}}), ConfigError);
  EXPECT_THROW((void)heat_map_svg("m", std::vector<float>{1, 2, 3}, 2, 2, {}, {}), ConfigError);
}

TEST(Plot, AHeatMapHasOneCellAValue) {
  const std::vector<std::string> rows{"r0", "r1"};
  const std::string svg = heat_map_svg("attention", std::vector<float>{0, 1, 2, 3, 4, 5}, 2, 3, rows, {});
  EXPECT_EQ(count(svg, "<rect x="), 6u);
  EXPECT_TRUE(contains(svg, "#ffffff") && contains(svg, "#08306b")) << "the extremes have the extreme colors";
}

TEST(Plot, ALargeHeatMapMergesCellsAndLabels) {
  constexpr int kRows = 60, kColumns = 100;
  std::vector<float> values(kRows * kColumns, 0.0F);
  for (int c = 10; c < 20; ++c) values[7 * kColumns + static_cast<std::size_t>(c)] = 1;
  values[3] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::string> rows{"first", "near", " ", "far"};
  const std::string svg = heat_map_svg("attention", values, kRows, kColumns, rows, {});
  EXPECT_EQ(count(svg, "<path "), 2u) << "one for the ten cells, one for what is no number";
  EXPECT_TRUE(contains(svg, "h40v4h-40z")) << svg;
  EXPECT_TRUE(contains(svg, ">first<") && !contains(svg, ">near<") && contains(svg, ">far<"));
}

}  // namespace
}  // namespace kgwalk
