#include "runtime/tensor/training_plots.h"

#include <gtest/gtest.h>

#include "runtime/files.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;
using test::TempFolder;

std::string plot(const RunFolder& run, const std::string& name) {
  return read_file(run.path() / "plots" / (name + ".svg"));
}

std::size_t curves(const std::string& svg) {
  std::size_t count = 0;
  for (std::size_t at = svg.find("<path"); at != std::string::npos; at = svg.find("<path", at + 1)) ++count;
  return count;
}

TEST(TrainingPlots, EveryNumberOfATrainingRowHasItsCurve) {
  const TempFolder folder;
  RunFolder run = RunFolder::create(folder / "run", test::kTestRun);
  {
    MetricsWriter metrics = run.metrics();
    for (int step = 1; step <= 3; ++step) {
      metrics.write({{"kind", "train"},
                     {"step", step},
                     {"epoch", 0},
                     {"loss", 1.0 / step},
                     {"lr", 0.1},
                     {"grad_norm", 2.0},
                     {"seconds", step},
                     {"entropy", 0.5 * step},
                     {"value_loss", 3.0},
                     {"note", "no number"}});
      metrics.write({{"kind", "dev"},
                     {"step", step},
                     {"epoch", 0},
                     {"loss", 2.0 / step},
                     {"success@3", 10.0 * step},
                     {"success@5", 5.0 * step},
                     {"entropy", 7.0}});
    }
  }
  write_training_plots(run);
  EXPECT_EQ(curves(plot(run, "train_entropy")), 1U);
  EXPECT_TRUE(contains(plot(run, "train_entropy"), "training: entropy"));
  EXPECT_TRUE(contains(plot(run, "train_value_loss"), "<path"));
  EXPECT_EQ(curves(plot(run, "dev_success")), 2U) << "a family shares a chart";
  EXPECT_EQ(curves(plot(run, "dev_entropy")), 1U) << "training and development apart";
  EXPECT_NE(plot(run, "dev_entropy"), plot(run, "train_entropy"));
  EXPECT_EQ(curves(plot(run, "loss")), 2U);
  for (const char* none :
       {"train_note", "train_seconds", "train_epoch", "train_lr", "train_loss", "dev_loss"})
    EXPECT_FALSE(std::filesystem::exists(run.path() / "plots" / (std::string(none) + ".svg"))) << none;
}

TEST(TrainingPlots, ARunWithoutRowsHasNoCharts) {
  const TempFolder folder;
  const RunFolder run = RunFolder::create(folder / "run", test::kTestRun);
  write_training_plots(run);
  EXPECT_FALSE(std::filesystem::exists(run.path() / "plots" / "loss.svg"));
}

}  // namespace
}  // namespace kgwalk
