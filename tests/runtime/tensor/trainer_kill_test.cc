// Kill -9 while a training writes checkpoints as fast as it can: the run must load and go on to the same end.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/tensor/checkpoint.h"
#include "tests/runtime/tensor/regression_task.h"
#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;
using test::RegressionTask;

constexpr const char* kFolderVariable = "KGWALK_TEST_TRAIN_INTO";

TrainerConfig busy_config() {
  TrainerConfig config;
  config.max_epochs = 10;
  config.eval_every = 1;
  config.log_every = 1;
  config.restore_best = false;
  return config;
}

std::string train_to_the_end(const fs::path& path) {
  RegressionTask task;
  RunFolder folder = RunFolder::create(path, test::kTestRun);
  (void)train(task, busy_config(), RunManifest(test::kTestRun, to_json_of(busy_config()), 5), folder,
              silent_reporter(), never_stop());
  return task.weights();
}

// The child of the test below, started as a program of its own: a fork cannot use
// LibTorch's autograd threads.
TEST(TrainerKill, DISABLED_Child) {
  const char* path = std::getenv(kFolderVariable);
  ASSERT_NE(path, nullptr);
  (void)train_to_the_end(path);
}

pid_t start_child(const fs::path& path) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv(kFolderVariable, path.c_str(), 1);
  ::freopen("/dev/null", "w", stdout);
  ::execl("/proc/self/exe", "tensor_test", "--gtest_filter=TrainerKill.DISABLED_Child",
          "--gtest_also_run_disabled_tests", nullptr);
  ::_exit(127);
}

TEST(TrainerKill, ARunKilledAnywhereGoesOnToTheSameEnd) {
  const test::TempFolder folder;
  const std::string expected = train_to_the_end(folder / "straight");
  const fs::path run = folder / "run";
  Random random(4);
  for (int round = 0; round < 4; ++round) {
    const auto before = fs::exists(run / "metrics.jsonl") ? fs::file_size(run / "metrics.jsonl") : 0;
    const pid_t child = start_child(run);
    int status = 0;
    // Waits until the child has done something new, so that the kill meets a training and not its start.
    while (::waitpid(child, &status, WNOHANG) == 0) {
      if (fs::exists(run / "metrics.jsonl") && fs::file_size(run / "metrics.jsonl") > before) break;
      ::usleep(2000);
    }
    ::usleep(static_cast<useconds_t>(random.below(60'000)));
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0) << "the child failed";
    const RunFolder opened = RunFolder::create(run, test::kTestRun);
    ASSERT_TRUE(opened.has_checkpoint("last")) << "round " << round;
    EXPECT_NO_THROW((void)read_checkpoint(opened.checkpoint("last")));
    if (opened.has_checkpoint("best")) {
      EXPECT_NO_THROW((void)read_checkpoint(opened.checkpoint("best")));
    }
    EXPECT_NO_THROW((void)opened.read_metrics());
  }
  EXPECT_EQ(train_to_the_end(run), expected);
  EXPECT_EQ(test::timeless(read_metrics(run / "metrics.jsonl")),
            test::timeless(read_metrics(folder / "straight" / "metrics.jsonl")));
}

}  // namespace
}  // namespace kgwalk
