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

constexpr RunKind kWalker{.name = "walker", .command = "train", .parts = {"walker"}};
constexpr RunKind kText{.name = "text", .command = "pretrain-text", .parts = {"pretraining"}};

TEST(RunFolder, KeepsConfigResultsMetricsAndPlots) {
  const TempFolder folder;
  RunFolder run = RunFolder::create(folder / "a" / "run", kWalker);
  run.write_manifest(RunManifest(kWalker, {{"width", 3}}, 7));
  run.write_result("dev", {{"path@1", 0.5}});
  run.write_result("test", {{"path@1", 0.4}});
  run.write_result("dev", {{"path@1", 0.6}});
  run.metrics().write({{"step", 1}});
  run.write_plot("loss", "<svg/>");
  const RunFolder reader = RunFolder::open(folder / "a" / "run", kWalker);
  EXPECT_EQ(reader.manifest().part_json("walker")["width"], 3);
  EXPECT_EQ(reader.read_metrics().size(), 1u);
  const Json results = read_json_file(reader.path() / "results.json");
  EXPECT_EQ(results, (Json{{"dev", {{"path@1", 0.6}}}, {"test", {{"path@1", 0.4}}}}));
  EXPECT_EQ(read_file(reader.path() / "plots" / "loss.svg"), "<svg/>");
  EXPECT_FALSE(reader.has_checkpoint("last"));
}

TEST(RunFolder, IsTakenAgainByTheSameKindOnly) {
  const TempFolder folder;
  { (void)RunFolder::create(folder / "run", kWalker); }
  EXPECT_NO_THROW((void)RunFolder::create(folder / "run", kWalker));
  const std::string text =
      test::advice_of<FormatError>([&] { (void)RunFolder::create(folder / "run", kText); });
  EXPECT_TRUE(contains(text, "of kind 'walker', made by 'train'; expected one of kind 'text'")) << text;
  EXPECT_TRUE(contains(text, "{train pretrain-text}")) << text;
  EXPECT_THROW((void)RunFolder::open(folder / "run", kText), FormatError);
  EXPECT_THROW((void)RunFolder::open(folder / "absent", kWalker), FormatError);
}

TEST(RunFolder, RefusesForeignFoldersAndVersions) {
  const TempFolder folder;
  fs::create_directories(folder / "mine");
  write_file_atomically(folder / "mine" / "thesis.tex", "precious");
  EXPECT_THROW((void)RunFolder::create(folder / "mine", kWalker), FormatError);
  fs::create_directories(folder / "later");
  write_file_atomically(folder / "later" / "run.json",
                        R"({"format": "kgwalk-run", "version": 2, "kind": "walker"})");
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)RunFolder::open(folder / "later", kWalker); }),
                       "version 2"));
}

TEST(RunFolder, HasOneWriter) {
  const TempFolder folder;
  auto first = std::make_unique<RunFolder>(RunFolder::create(folder / "run", kWalker));
  EXPECT_THROW((void)RunFolder::create(folder / "run", kWalker), StoreError);
  EXPECT_NO_THROW((void)RunFolder::open(folder / "run", kWalker));
  RunFolder moved = std::move(*first);
  first.reset();
  EXPECT_THROW((void)RunFolder::create(folder / "run", kWalker), StoreError)
      << "the lock moves with the object";
}

TEST(RunFolder, AKilledWriterLeavesNoLock) {
  const TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const RunFolder run = RunFolder::create(folder / "run", kWalker);
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_NO_THROW((void)RunFolder::create(folder / "run", kWalker));
}

TEST(RunFolder, AKillBetweenFolderAndDescriptionIsNoObstacle) {
  const TempFolder folder;
  fs::create_directories(folder / "run");
  write_file_atomically(folder / "run" / "lock", "");
  EXPECT_NO_THROW((void)RunFolder::create(folder / "run", kWalker));
}

}  // namespace
}  // namespace kgwalk
