// Stage 2 on disk: training into a run folder of kind "agent", and opening runs of either stage. Such a run
// holds a walker beside its value head; walker::open_walker() opens it as any other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "rl/environment/user_voice.h"
#include "rl/training/stage2_config.h"
#include "runtime/tensor/trainer.h"
#include "walker/network/text_source.h"
#include "walker/training/run.h"

namespace kgwalk::rl {

inline constexpr RunKind kAgentRun{
    .name = "agent", .command = "rl", .parts = {"walker", "stage2"}, .sources = {"from", "simulator"}};

// A run of either stage. FormatError when it is neither's.
[[nodiscard]] walker::WalkerRun open_walker_run(const std::filesystem::path& run);
[[nodiscard]] bool is_stage2(const walker::WalkerRun& run);
// How a run's routes go; of stage 1 and of runs that say nothing of it the default.
[[nodiscard]] RouteConfig route_of(const walker::WalkerRun& run);

struct Stage2Options {
  std::filesystem::path database;
  std::filesystem::path run;        // stage 2, written
  std::filesystem::path from;       // stage 1, read: made with a preset that compares candidates with a goal
  std::filesystem::path text;       // text encoder; empty = the one that stage 1 remembers
  std::filesystem::path simulator;  // run of the user simulator; empty = nobody speaks
  Stage2Config config;
  std::uint64_t seed = 1;
};

// Trains stage 2, resuming an interrupted run. FormatError when `from` is no stage-1 run or of
// another graph, ConfigError when it knows no goals; else as trainer's train().
TrainReport train_stage2(const Stage2Options& options, Reporter& reporter, const StopFlag& stop);

// The simulator of a run, a user who speaks by wordings for kWordings, or a silent one for an empty path.
[[nodiscard]] std::unique_ptr<UserVoice> open_user(const graph::Store& store,
                                                   const std::filesystem::path& simulator);
// What the walker of `run` hears through, for walker::open_walker_hearing(), with a memory of what it heard
// lately. `text` overrides the folder that the run remembers.
[[nodiscard]] std::shared_ptr<const walker::TextSource> shared_text(const graph::Store& store,
                                                                    const walker::WalkerRun& run,
                                                                    const std::filesystem::path& text);

}  // namespace kgwalk::rl
