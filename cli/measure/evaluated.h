// What the evaluations of walkers have in common: the runs or the packed model that is measured, and the
// table of ranks.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "kgwalk/store.h"
#include "walker/evaluation/link_ranks.h"
#include "walker/model.h"
#include "walker/training/run.h"

namespace kgwalk::cli {

struct OpenedWalkers {
  std::vector<walker::WalkerRun> runs;
  graph::Store store;
  std::unique_ptr<const walker::WalkModel> model;
};

struct Evaluated {
  std::string packed, database, text;
  std::vector<std::string> runs;
  bool other_graph = false;

  // [MODEL], --run, --db and --text.
  void add_options(CLI::App& app, const char* runs_help);
  void add_other_graph(CLI::App& app);
  // Fills in what the packed model says. RequiredError where neither it nor a run was given.
  void resolve(const Common& common);
  // After resolve(): several runs make an ensemble.
  [[nodiscard]] OpenedWalkers open(const Common& common);
  // In the run's results.json; a packed model and an ensemble keep none.
  void keep_result(OpenedWalkers& opened, const std::string& key, const Json& json) const;
};

// The option --ranks, and what it tells behind the other tables.
void add_ranks(CLI::App& app, std::string& file);
void tell_ranks(const std::string& file, std::span<const walker::LinkRank> ranks, Json& json);

}  // namespace kgwalk::cli
