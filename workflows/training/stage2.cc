// train_stage2(): the walker that reaches goals.
#include "kgwalk/training.h"
#include "rl/presets.h"
#include "rl/training/run.h"
#include "rl/training/stage2_config.h"
#include "workflows/configured.h"
#include "workflows/training/trained.h"

namespace kgwalk {

Trained train_stage2(const TrainStage2Options& options, Reporter& reporter, const StopFlag& stop) {
  rl::Stage2Options stage2;
  stage2.config = with_preset<rl::Stage2Config>(
      options.settings, [](const std::string& name) { return rl::preset("a2c", name); });
  stage2.database = options.database;
  stage2.run = options.run;
  stage2.from = options.from;
  stage2.text = options.text;
  stage2.simulator = options.simulator;
  stage2.seed = options.seed;
  Trained trained = trained_in(options.run, rl::train_stage2(stage2, reporter, stop));
  keep_training(trained, rl::kAgentRun);
  return trained;
}

}  // namespace kgwalk
