// kgwalk eval: what can be measured of a walker, a verb each.
#include <algorithm>
#include <utility>
#include <vector>

#include "cli/measure/measurements.h"

namespace kgwalk::cli {
namespace {

std::vector<Measurement>& registered_measurements() {
  static std::vector<Measurement> all;
  return all;
}

Verb add_eval(CLI::App& app, Common& common) {
  std::vector<Measurement> all = registered_measurements();
  std::sort(all.begin(), all.end(),
            [](const Measurement& a, const Measurement& b) { return a.place < b.place; });
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Verb>> verbs;
  for (const Measurement& measurement : all) {
    CLI::App* verb = app.add_subcommand(measurement.name, measurement.help);
    verb->fallthrough();
    verb->footer(std::string("Example:\n  kgwalk eval ") + measurement.name + " " + measurement.example);
    verbs.emplace_back(verb, measurement.add(*verb, common));
  }
  return [verbs] {
    for (const auto& [verb, run] : verbs)
      if (verb->parsed()) run();
  };
}

const Registration kEvalCommand({.name = "eval",
                                 .help = "measure a model: paths, questions, goals, whole conversations",
                                 .example = "paths --run runs/best --split test",
                                 .add = add_eval,
                                 .group = Group::kTrain,
                                 .place = 9,
                                 .computes = Computes::kNetworks});

}  // namespace

MeasurementRegistration::MeasurementRegistration(const Measurement& measurement) {
  registered_measurements().push_back(measurement);
}

}  // namespace kgwalk::cli
