#include "runtime/run_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::message_of;
using test::TempFolder;

TEST(RunFolder, KeepsConfigResultsMetricsAndPlots) {
  const TempFolder folder;
  const RunFolder run = RunFolder::create(folder / "a" / "run", "walker");
  run.write_config({{"width", 3}});
  run.write_result("dev", {{"path@1", 0.5}});
  run.write_result("test", {{"path@1", 0.4}});
  run.write_result("dev", {{"path@1", 0.6}});
  run.metrics().write({{"step", 1}});
  run.write_plot("loss", "<svg/>");
  const RunFolder reader = RunFolder::open(folder / "a" / "run", "walker");
  EXPECT_EQ(reader.read_config()["width"], 3);
  EXPECT_EQ(reader.read_metrics().size(), 1u);
  const Json results = read_json_file(reader.path() / "results.json");
  EXPECT_EQ(results, (Json{{"dev", {{"path@1", 0.6}}}, {"test", {{"path@1", 0.4}}}}));
  EXPECT_EQ(read_file(reader.path() / "plots" / "loss.svg"), "<svg/>");
  EXPECT_FALSE(reader.has_checkpoint("last"));
}

TEST(RunFolder, IsTakenAgainByTheSameKindOnly) {
  const TempFolder folder;
  { (void)RunFolder::create(folder / "run", "walker"); }
  EXPECT_NO_THROW((void)RunFolder::create(folder / "run", "walker"));
  const std::string text = message_of<FormatError>([&] { (void)RunFolder::create(folder / "run", "text"); });
  EXPECT_TRUE(contains(text, "kgwalk train")) << text;
  EXPECT_THROW((void)RunFolder::open(folder / "run", "text"), FormatError);
  EXPECT_THROW((void)RunFolder::open(folder / "absent", "walker"), FormatError);
}

TEST(RunFolder, RefusesForeignFoldersAndVersions) {
  const TempFolder folder;
  fs::create_directories(folder / "mine");
  write_file_atomically(folder / "mine" / "thesis.tex", "precious");
  EXPECT_THROW((void)RunFolder::create(folder / "mine", "walker"), FormatError);
  fs::create_directories(folder / "later");
  write_file_atomically(folder / "later" / "run.json",
                        R"({"format": "kgwalk-run", "version": 2, "kind": "walker"})");
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)RunFolder::open(folder / "later", "walker"); }),
                       "version 2"));
}

TEST(RunFolder, HasOneWriter) {
  const TempFolder folder;
  auto first = std::make_unique<RunFolder>(RunFolder::create(folder / "run", "walker"));
  EXPECT_THROW((void)RunFolder::create(folder / "run", "walker"), StoreError);
  EXPECT_NO_THROW((void)RunFolder::open(folder / "run", "walker"));
  RunFolder moved = std::move(*first);
  first.reset();
  EXPECT_THROW((void)RunFolder::create(folder / "run", "walker"), StoreError)
      << "the lock moves with the object";
}

TEST(RunFolder, AKilledWriterLeavesNoLock) {
  const TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const RunFolder run = RunFolder::create(folder / "run", "walker");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_NO_THROW((void)RunFolder::create(folder / "run", "walker"));
}

TEST(RunFolder, AKillBetweenFolderAndDescriptionIsNoObstacle) {
  const TempFolder folder;
  fs::create_directories(folder / "run");
  write_file_atomically(folder / "run" / "lock", "");
  EXPECT_NO_THROW((void)RunFolder::create(folder / "run", "walker"));
}

}  // namespace
}  // namespace kgwalk
