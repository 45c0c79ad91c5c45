// What the evaluations of walkers have in common: the runs or the packed model that is measured, and the
// table of ranks.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/evaluation.h"
#include "kgwalk/store.h"
#include "runtime/sharded_work.h"
#include "walker/evaluation/link_ranks.h"
#include "walker/model.h"
#include "walker/training/run.h"

namespace kgwalk {

// With what the packed model says. ConfigError where neither it nor a run is given.
[[nodiscard]] MeasuredModel resolved(MeasuredModel of, Reporter& reporter, const StopFlag& stop);

struct OpenedWalkers {
  std::vector<walker::WalkerRun> runs;
  graph::Store store;
  std::unique_ptr<const walker::WalkModel> model;
};
// Of what resolved() gave; several runs make an ensemble.
[[nodiscard]] OpenedWalkers open_measured(const MeasuredModel& of);

// The graph and the walkers, as what a part was made from.
void rest_on(const OpenedWalkers& opened, ShardedWork& work);

// In the run's results.json; a packed model and an ensemble keep none.
void keep_result(const MeasuredModel& of, OpenedWalkers& opened, const std::string& key, const Json& json);

// Writes the ranks, and tells of them behind the other tables; nothing for an empty name. Error where nothing
// has right ends.
void tell_ranks(const std::filesystem::path& file, std::span<const walker::LinkRank> ranks, Report& report);

}  // namespace kgwalk
