// User simulators on disk: training into a run folder of kind "simulator" (docs/reference/formats/rl.md), and
// reading what such a run is. SimulatedUser::open() opens the simulator of one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "kgwalk/progress.h"
#include "rl/simulator/simulator_config.h"
#include "rl/simulator/user_simulator.h"
#include "seq2seq/tasks/pair_task.h"

namespace kgwalk::rl {

inline constexpr RunKind kSimulatorRun{
    .name = "simulator", .command = "simulator train", .parts = {"simulator"}};

struct SimulatorTrainOptions {
  std::filesystem::path database;
  std::filesystem::path run;
  SimulatorConfig config;
  std::uint64_t seed = 1;
};

// Trains a vocabulary (spm_train) and a simulator, resuming an interrupted run; at the end the model's folder
// is written to RUN/model. With fewer turns than config.enough it warns, and the simulator speaks by
// wordings. Throws as the trainer's train() and train_sentencepiece() do; StoreError and ConfigError as the
// parts do.
seq2seq::PairTrainReport train_simulator(const SimulatorTrainOptions& options, Reporter& reporter,
                                         const StopFlag& stop);

// The configuration of a run. FormatError for one of the form before, which heard itself alone and copied
// nothing: what it was trained for and that it has to be made anew.
[[nodiscard]] SimulatorConfig simulator_config_of(const RunFolder& run);

}  // namespace kgwalk::rl
