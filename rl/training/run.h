// Stage 2 on disk: training into a run folder of kind "agent", opening runs of either stage, and measuring
// success rates. Such a run holds a walker beside its value head; walker::open_walker() opens it as any other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/distances.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "rl/environment/success_rates.h"
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
// another graph, ConfigError when it knows no goals, StoreError when the distance index is missing;
// else as trainer's train().
TrainReport train_stage2(const Stage2Options& options, Reporter& reporter, const StopFlag& stop);

struct SuccessOptions {
  const walker::WalkerRun* run = nullptr;     // of either stage, borrowed; null = shortest paths
  bool natural = false;                       // of the shortest paths those that stage 1 finds natural
  const walker::WalkerRun* stage1 = nullptr;  // whose log-probabilities are reported, borrowed; null = none
  std::filesystem::path simulator;            // empty = nobody speaks
  std::filesystem::path text;
  std::vector<int> distances = {3, 5, 7, 9, 11};
  int episodes = 100;
  std::string goals = "test";     // split of the goals
  double ask = 0;                 // share of the turns in which the user asks a direct question, below 1
  std::uint64_t seed = 1;         // of the pairs and of what is said
  std::ostream* walks = nullptr;  // every walk as json (docs/reference/formats/rl.md); borrowed, may be null
};

// Success rates of greedy walks to goals that no training used. ConfigError when questions are to be asked of shortest paths, or
// of a walker that does not listen.
[[nodiscard]] std::vector<SuccessRow> measure_success(const graph::Store& store,
                                                      const SuccessOptions& options,
                                                      Reporter& reporter = silent_reporter(),
                                                      const StopFlag& stop = never_stop());

// The simulator of a run, a user who speaks by wordings for kWordings, or a silent one for an empty path.
[[nodiscard]] std::unique_ptr<UserVoice> open_user(const graph::Store& store,
                                                   const std::filesystem::path& simulator);
// What the walker of `run` hears through, for walker::open_walker_hearing(), with a memory of what it heard
// lately. `text` overrides the folder that the run remembers.
[[nodiscard]] std::shared_ptr<const walker::TextSource> shared_text(const graph::Store& store,
                                                                    const walker::WalkerRun& run,
                                                                    const std::filesystem::path& text);
// The store's index of exact distances; StoreError when there is none.
[[nodiscard]] graph::DistanceIndex open_index(const graph::Store& store);

}  // namespace kgwalk::rl
