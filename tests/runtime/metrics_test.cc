#include "runtime/metrics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;
using test::message_of;
using test::TempFolder;

TEST(Metrics, RowsComeBackInOrder) {
  const TempFolder folder;
  MetricsWriter writer(folder / "m");
  for (int i = 0; i < 5; ++i) writer.write({{"step", i}, {"loss", 0.1 * i}});
  const std::vector<Json> rows = read_metrics(folder / "m");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[3]["loss"].get<double>(), 0.1 * 3);
  EXPECT_TRUE(read_metrics(folder / "absent").empty());
}

TEST(Metrics, ALineCutByAKillIsDropped) {
  const TempFolder folder;
  MetricsWriter(folder / "m").write({{"step", 1}});
  std::ofstream(folder / "m", std::ios::app) << R"({"step": 2, "lo)";
  EXPECT_EQ(read_metrics(folder / "m").size(), 1u);
  MetricsWriter again(folder / "m");
  again.write({{"step", 3}});
  const std::vector<Json> rows = read_metrics(folder / "m");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["step"], 3);
}

TEST(Metrics, RewindDropsLaterSteps) {
  const TempFolder folder;
  MetricsWriter writer(folder / "m");
  writer.write({{"note", "no step"}});
  for (int i = 1; i <= 6; ++i) writer.write({{"step", i}});
  writer.rewind(4);
  const std::vector<Json> rows = read_metrics(folder / "m");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows.back()["step"], 4);
}

TEST(Metrics, ABrokenLineIsNamed) {
  const TempFolder folder;
  write_file_atomically(folder / "m", "{\"step\": 1}\noops\n");
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)read_metrics(folder / "m"); }), "m:2: "));
}

TEST(Metrics, AFullDiskKeepsWholeLines) {
  const TempFolder folder;
  MetricsWriter writer(folder / "m");
  writer.write({{"step", 1}});
  {
    const test::FileSizeLimit limit(20);
    EXPECT_THROW(writer.write({{"step", 2}, {"text", std::string(100, 'x')}}), IoError);
  }
  EXPECT_EQ(read_file(folder / "m"), "{\"step\":1}\n");
}

TEST(Metrics, WhatIsNoNumberBecomesNull) {
  const TempFolder folder;
  MetricsWriter(folder / "m").write({{"loss", std::numeric_limits<double>::quiet_NaN()}});
  EXPECT_TRUE(read_metrics(folder / "m").at(0)["loss"].is_null());
}

}  // namespace
}  // namespace kgwalk
