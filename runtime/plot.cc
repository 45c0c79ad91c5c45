#include "runtime/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

// Okabe and Ito's colors, told apart by the color-blind.
constexpr std::array<const char*, 8> kColors{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000", "#999999"};
constexpr const char* kFont = "font-family=\"sans-serif\"";

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
  [[nodiscard]] double length() const { return high - low; }
};

// 1, 2 or 5 times a power of ten, so that about `count` ticks fit into the range.
double round_step(double length, int count) {
  const double raw = length / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

std::vector<double> linear_ticks(const Range& range) {
  const double step = round_step(range.length(), 6);
  std::vector<double> ticks;
  for (double i = std::ceil(range.low / step - 1e-9); i * step <= range.high + 1e-9 * step; ++i)
    ticks.push_back(i * step);
  return ticks;
}

// Ticks of a logarithmic axis whose values are exponents of ten.
std::vector<double> log_ticks(const Range& range) {
  if (range.length() < 1) return linear_ticks(range);
  const double step = std::max(1.0, std::ceil(range.length() / 6));
  std::vector<double> ticks;
  for (double e = std::ceil(range.low); e <= range.high; e += step) ticks.push_back(e);
  return ticks;
}

class Chart {
 public:
  Chart(const ChartOptions& options, std::span<const Series> series) : options_(options), series_(series) {
    for (const Series& s : series_) measure(s);
    widen(x_);
    widen(y_);
  }

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        options_.width, options_.height);
    text(options_.width / 2.0, 20, "middle", options_.title, 15);
    if (x_.empty()) {
      text(options_.width / 2.0, options_.height / 2.0, "middle", "no data", 14);
    } else {
      axes();
      for (std::size_t i = 0; i < series_.size(); ++i) line(series_[i], kColors[i % kColors.size()]);
      legend();
    }
    return out_ + "</svg>\n";
  }

 private:
  void measure(const Series& s) {
    if (s.x.size() != s.y.size())
      throw ConfigError("chart '" + options_.title + "': series '" + s.name + "' has " +
                        std::to_string(s.x.size()) + " x and " + std::to_string(s.y.size()) + " y values");
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      const auto y = value(s.y[i]);
      if (!y || !std::isfinite(s.x[i])) continue;
      x_.add(s.x[i]);
      y_.add(*y);
    }
  }
  // What is drawn for y: its logarithm on a logarithmic axis, nothing where it has none.
  [[nodiscard]] std::optional<double> value(double y) const {
    if (!std::isfinite(y) || (options_.log_y && y <= 0)) return std::nullopt;
    return options_.log_y ? std::log10(y) : y;
  }
  static void widen(Range& range) {
    if (range.empty() || range.length() > 1e-12 * std::max(std::abs(range.low), std::abs(range.high))) return;
    const double by = range.low == 0 ? 1 : std::abs(range.low) * 0.1;
    range = {range.low - by, range.high + by};
  }
  [[nodiscard]] double at_x(double x) const { return kLeft + (x - x_.low) / x_.length() * (right() - kLeft); }
  [[nodiscard]] double at_y(double y) const {
    return bottom() - (y - y_.low) / y_.length() * (bottom() - kTop);
  }
  [[nodiscard]] double right() const { return options_.width - 20.0; }
  [[nodiscard]] double bottom() const { return options_.height - 48.0; }

  void text(double x, double y, const char* anchor, std::string_view content, int size) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" {}>{}</text>\n",
                        x, y, anchor, size, kFont, escape_xml(content));
  }
  void segment(double x1, double y1, double x2, double y2, const char* color) {
    out_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1,
                        y1, x2, y2, color);
  }
  void axes() {
    for (const double x : linear_ticks(x_)) {
      segment(at_x(x), kTop, at_x(x), bottom(), "#e5e5e5");
      text(at_x(x), bottom() + 16, "middle", fmt::format("{:g}", x), 11);
    }
    for (const double y : options_.log_y ? log_ticks(y_) : linear_ticks(y_)) {
      segment(kLeft, at_y(y), right(), at_y(y), "#e5e5e5");
      text(kLeft - 6, at_y(y) + 4, "end", fmt::format("{:.4g}", options_.log_y ? std::pow(10, y) : y), 11);
    }
    segment(kLeft, bottom(), right(), bottom(), "#333333");
    segment(kLeft, kTop, kLeft, bottom(), "#333333");
    text((kLeft + right()) / 2, options_.height - 10.0, "middle", options_.x_label, 12);
    const double middle = (kTop + bottom()) / 2;
    out_ += fmt::format(
        "<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" font-size=\"12\" {1} transform=\"rotate(-90 14 "
        "{0:.1f})\">{2}"
        "</text>\n",
        middle, kFont, escape_xml(options_.y_label));
  }
  void line(const Series& s, const char* color) {
    std::string path;
    std::size_t points = 0;
    bool pen_down = false;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      const auto y = value(s.y[i]);
      if (!y || !std::isfinite(s.x[i])) {
        pen_down = false;
        continue;
      }
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', at_x(s.x[i]), at_y(*y));
      if (++points <= kMaxDots)
        dots_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n", at_x(s.x[i]),
                             at_y(*y), color);
      pen_down = true;
    }
    if (points == 0) return;
    out_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", path, color);
    if (points <= kMaxDots) out_ += dots_;
    dots_.clear();
  }
  void legend() {
    double y = kTop + 14;
    for (std::size_t i = 0; i < series_.size(); ++i, y += 16) {
      if (series_[i].name.empty()) continue;
      out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"4\" fill=\"{}\"/>\n",
                          right() - 16, y - 6, kColors[i % kColors.size()]);
      text(right() - 22, y, "end", series_[i].name, 11);
    }
  }

  static constexpr double kLeft = 68, kTop = 34;
  static constexpr std::size_t kMaxDots = 60;  // more points are a line only
  const ChartOptions& options_;
  std::span<const Series> series_;
  Range x_, y_;
  std::string out_, dots_;
};

// Share of the way from low to high; negative for what is no number.
double share_of(float value, float low, float high) {
  if (!std::isfinite(value)) return -1;
  return high > low ? (value - low) / static_cast<double>(high - low) : 0;
}

// White to dark blue; gray for what is no number.
std::string shade(double t) {
  if (t < 0) return "#bbbbbb";
  const auto mix = [&](int to) { return static_cast<int>(std::lround(255 + t * (to - 255))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(8), mix(48), mix(107));
}

struct HeatMap {
  std::span<const float> values;
  int rows, columns, left, top;
  float low, high;
  [[nodiscard]] float value(int row, int column) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
  [[nodiscard]] double share(int row, int column) const { return share_of(value(row, column), low, high); }
};

// A rectangle a cell, which tells its value under the mouse.
std::string single_cells(const HeatMap& map, int cell) {
  std::string out;
  for (int r = 0; r < map.rows; ++r)
    for (int c = 0; c < map.columns; ++c)
      out += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{:g}</title></rect>\n",
          map.left + c * cell, map.top + r * cell, cell, cell, shade(map.share(r, c)), map.value(r, c));
  return out;
}

// A path a color, runs of cells at a time; what would be white is left out. A map of 100 x 400 values takes
// a tenth of the bytes.
std::string merged_cells(const HeatMap& map, int cell) {
  constexpr int kColorsOfMaps = 24;
  std::vector<std::string> paths(kColorsOfMaps + 2);
  const auto color = [&](int r, int c) -> std::size_t {
    const double t = map.share(r, c);
    return t < 0 ? kColorsOfMaps + 1 : static_cast<std::size_t>(std::lround(t * kColorsOfMaps));
  };
  for (int r = 0; r < map.rows; ++r)
    for (int c = 0, end = 0; c < map.columns; c = end) {
      const std::size_t k = color(r, c);
      for (end = c + 1; end < map.columns && color(r, end) == k;) ++end;
      if (k > 0)
        paths[k] += fmt::format("M{} {}h{}v{}h-{}z", map.left + c * cell, map.top + r * cell,
                                (end - c) * cell, cell, (end - c) * cell);
    }
  std::string out;
  for (std::size_t k = 1; k < paths.size(); ++k)
    if (!paths[k].empty())
      out += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n",
                         shade(k > kColorsOfMaps ? -1 : static_cast<double>(k) / kColorsOfMaps), paths[k]);
  return out;
}

// Places of the labels that are written: of those less than `every` apart the first, and no blank one.
std::vector<int> labeled(std::span<const std::string> labels, int count, int every) {
  std::vector<int> places;
  for (int i = 0; i < std::min(count, static_cast<int>(labels.size())); ++i)
    if (labels[static_cast<std::size_t>(i)].find_first_not_of(' ') != std::string::npos &&
        (places.empty() || i - places.back() >= every))
      places.push_back(i);
  return places;
}

}  // namespace

std::string line_chart_svg(const ChartOptions& options, std::span<const Series> series) {
  return Chart(options, series).draw();
}

std::string heat_map_svg(std::string_view title, std::span<const float> values, int rows, int columns,
                         std::span<const std::string> row_labels,
                         std::span<const std::string> column_labels) {
  if (rows < 0 || columns < 0 ||
      values.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))
    throw ConfigError("heat map '" + std::string(title) + "': " + std::to_string(values.size()) +
                      " values for " + std::to_string(rows) + " x " + std::to_string(columns) + " cells");
  constexpr int kLeft = 130, kTop = 110;
  constexpr std::size_t kManyCells = 4096;
  const bool many = values.size() > kManyCells;
  const int cell = many ? 4 : 18, every = many ? 3 : 1;  // labels stand 12 pixels apart at least
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"8\" y=\"18\" font-size=\"14\" {2}>{3}</text>\n",
      kLeft + cell * columns + 10, kTop + cell * rows + 10, kFont, escape_xml(title));
  const HeatMap map{values, rows, columns, kLeft, kTop, low, high};
  out += many ? merged_cells(map, cell) : single_cells(map, cell);
  for (const int r : labeled(row_labels, rows, every))
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"11\" {}>{}</text>\n",
                       kLeft - 4, kTop + r * cell + std::min(13, cell + 4), kFont,
                       escape_xml(row_labels[static_cast<std::size_t>(r)]));
  for (const int c : labeled(column_labels, columns, every)) {
    const int x = kLeft + c * cell + std::min(13, cell + 4);
    out += fmt::format(
        "<text x=\"{0}\" y=\"{1}\" font-size=\"11\" {2} transform=\"rotate(-60 {0} {1})\">{3}</text>\n", x,
        kTop - 4, kFont, escape_xml(column_labels[static_cast<std::size_t>(c)]));
  }
  return out + "</svg>\n";
}

std::string escape_xml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace kgwalk
