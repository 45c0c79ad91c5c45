#include "runtime/tensor/training_plots.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "runtime/plot.h"

namespace kgwalk {
namespace {

using Chart = std::map<std::string, Series>;  // by the name of the curve

const std::set<std::string> kNoMetric{"kind", "step", "epoch", "seconds", "lr", "grad_norm"};

void add_point(Chart& chart, const std::string& name, const Json& row, const Json& value) {
  if (!value.is_number() || !row.contains("step")) return;
  Series& series = chart[name];
  series.name = name;
  series.x.push_back(row["step"].get<double>());
  series.y.push_back(value.get<double>());
}

// "path@5" -> "path"; characters that do not belong into a file name become '_'.
std::string family_of(const std::string& metric) {
  std::string family = metric.substr(0, metric.find('@'));
  std::replace_if(
      family.begin(), family.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return family;
}

void draw(const RunFolder& folder, const std::string& name, const std::string& title, const Chart& chart,
          bool log_y) {
  if (chart.empty()) return;
  std::vector<Series> series;
  for (const auto& [key, value] : chart) series.push_back(value);
  ChartOptions options;
  options.title = title;
  options.x_label = "update";
  options.y_label = title;
  options.log_y = log_y;
  folder.write_plot(name, line_chart_svg(options, series));
}

}  // namespace

void write_training_plots(const RunFolder& folder) {
  Chart loss, rate, norm;
  std::map<std::string, Chart> training, development;  // by family
  for (const Json& row : folder.read_metrics()) {
    const bool train = row.value("kind", "") == "train";
    if (train) {
      if (row.contains("lr")) add_point(rate, "", row, row["lr"]);
      if (row.contains("grad_norm")) add_point(norm, "", row, row["grad_norm"]);
    }
    for (const auto& item : row.items()) {
      if (kNoMetric.contains(item.key())) continue;
      if (item.key() == "loss")
        add_point(loss, train ? "training" : "development", row, item.value());
      else if (item.value().is_number())
        add_point((train ? training : development)[family_of(item.key())], item.key(), row, item.value());
    }
  }
  draw(folder, "loss", "loss", loss, false);
  draw(folder, "learning_rate", "learning rate", rate, false);
  draw(folder, "gradient_norm", "gradient norm", norm, true);
  for (const auto& [family, chart] : training)
    draw(folder, "train_" + family, "training: " + family, chart, false);
  for (const auto& [family, chart] : development)
    draw(folder, "dev_" + family, "development: " + family, chart, false);
}

}  // namespace kgwalk
