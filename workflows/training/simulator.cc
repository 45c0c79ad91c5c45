// train_simulator(): the simulated user.
#include <fmt/format.h>

#include "kgwalk/training.h"
#include "rl/presets.h"
#include "rl/simulator/simulator_config.h"
#include "rl/simulator/simulator_run.h"
#include "runtime/text.h"
#include "workflows/configured.h"
#include "workflows/training/trained.h"

namespace kgwalk {

Trained train_simulator(const TrainSimulatorOptions& options, Reporter& reporter, const StopFlag& stop) {
  rl::SimulatorTrainOptions train;
  train.config = with_preset<rl::SimulatorConfig>(
      options.settings, [](const std::string& name) { return rl::preset("simulator", name); });
  train.database = options.database;
  train.run = options.run;
  train.seed = options.seed;
  const seq2seq::PairTrainReport report = rl::train_simulator(train, reporter, stop);
  Trained trained = trained_in(options.run, report.training);
  trained.model = report.model;
  trained.text =
      fmt::format("{} pieces, {} weights; {}\nmodel: {}\n", with_commas(report.vocabulary),
                  with_commas(report.parameters.all), report.training.summary(), report.model.string());
  trained.json = report.to_json();
  return trained;
}

}  // namespace kgwalk
