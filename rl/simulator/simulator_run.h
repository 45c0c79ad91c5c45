// User simulators on disk: training into a run folder of kind "simulator" (docs/reference/formats/rl.md), and
// reading what such a run is. SimulatedUser::open() opens the simulator of one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "kgwalk/progress.h"
#include "rl/simulator/simulator_config.h"
#include "rl/simulator/simulator_training.h"
#include "rl/simulator/user_simulator.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk::rl {

inline constexpr RunKind kSimulatorRun{
    .name = "simulator", .command = "simulator train", .parts = {"simulator"}};

struct SimulatorTrainOptions {
  std::filesystem::path database;
  std::filesystem::path run;
  std::filesystem::path text;  // folder or run of the frozen text encoder; empty = none
  SimulatorConfig config;
  std::uint64_t seed = 1;
};

// Trains a simulator, resuming an interrupted run. The vocabulary is trained first (spm_train), on the
// training messages and the names in the training paths. Throws as the trainer's train(); StoreError and
// ConfigError as the parts do.
TrainReport train_simulator(const SimulatorTrainOptions& options, Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::rl
