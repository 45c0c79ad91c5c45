// A town with trained runs on disk, and trainings in pieces.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "rl/simulator/user_simulator.h"
#include "tests/rl/town.h"
#include "tests/runtime/tensor/regression_task.h"
#include "tests/runtime/test_support.h"

namespace kgwalk::rl::testing {

// A town, a stage-1 walker, a simulator and a stage-2 run in it, made once.
class InTown : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    set_torch_threads(1);
    folder_ = new test::TempFolder;
    (void)testing::make_town(folder_->path(), "town");
    (void)walker::train_walker(stage1_options(town(), stage1()), silent_reporter(), never_stop());
    (void)train_simulator(simulator_options(town(), simulator()), silent_reporter(), never_stop());
    Stage2Options o = stage2_options(town(), agent(), stage1());
    o.config.trainer.max_epochs = 1;
    (void)train_stage2(o, silent_reporter(), never_stop());
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static std::filesystem::path in(const std::string& name) { return *folder_ / name; }
  static std::filesystem::path town() { return in("town"); }
  static std::filesystem::path stage1() { return in("stage1"); }
  static std::filesystem::path simulator() { return in("simulator"); }
  static std::filesystem::path agent() { return in("agent"); }
  static graph::Store open(const std::filesystem::path& database) {
    return graph::Store::open(database, graph::Store::Mode::kReadOnly);
  }
  static Stage2Options options(const std::string& run) { return stage2_options(town(), in(run), stage1()); }
  static constexpr const char* kIndexName = "graph/distance_index";  // docs/reference/formats/graph.md
  static std::filesystem::path make_town(const std::string& name,
                                         const std::function<void(TownOptions&)>& change) {
    TownOptions town;
    change(town);
    return testing::make_town(folder_->path(), name, town);
  }
  static std::string refusal(const Stage2Options& o) {
    try {
      (void)train_stage2(o, silent_reporter(), never_stop());
    } catch (const Error& error) {
      return test::advice_in(error);
    }
    ADD_FAILURE() << "nothing was refused";
    return "";
  }
  static inline test::TempFolder* folder_ = nullptr;
};

template <class Train>
int train_in_pieces(const Train& train, const std::vector<int>& stops) {
  int pieces = 0;
  for (const int updates : stops) {
    StopAfter stopper(updates);
    seed_torch(static_cast<std::uint64_t>(updates));  // whatever the generator was before
    try {
      train(stopper, stopper.flag);
      ADD_FAILURE() << "the training was to stop";
    } catch (const Interrupted&) {
      ++pieces;
    }
  }
  train(silent_reporter(), never_stop());
  return pieces;
}

inline void expect_same_runs(const std::filesystem::path& a, const std::filesystem::path& b,
                             const std::vector<std::string>& extra) {
  std::vector<std::string> files{"last/model.safetensors", "last/optimizer.safetensors",
                                 "best/model.safetensors"};
  files.insert(files.end(), extra.begin(), extra.end());
  for (const std::string& file : files)
    EXPECT_TRUE(read_file(a / "checkpoints" / file) == read_file(b / "checkpoints" / file)) << file;
  EXPECT_EQ(test::timeless(read_metrics(a / "metrics.jsonl")),
            test::timeless(read_metrics(b / "metrics.jsonl")));
}

}  // namespace kgwalk::rl::testing
