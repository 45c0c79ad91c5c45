// Line charts and heat maps as self-contained SVG text: training curves, ablation curves, attention maps.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk {

struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;  // same length as x; NaN leaves a gap
};

struct ChartOptions {
  std::string title;
  std::string x_label;
  std::string y_label;
  int width = 720;
  int height = 420;
  bool log_y = false;
};

// Axes with round ticks, grid, legend, one color a series (readable for the color-blind). ConfigError when
// a series' lengths differ. An empty chart says "no data".
[[nodiscard]] std::string line_chart_svg(const ChartOptions& options, std::span<const Series> series);

// values: row-major [rows, columns]; labels may be empty. Above 4,096 values cells are small, in 25 colors
// and without their values as titles.
[[nodiscard]] std::string heat_map_svg(std::string_view title, std::span<const float> values, int rows,
                                       int columns, std::span<const std::string> row_labels,
                                       std::span<const std::string> column_labels);

// &, <, >, " and ' as entities, for svg and html.
[[nodiscard]] std::string escape_xml(std::string_view text);

}  // namespace kgwalk
