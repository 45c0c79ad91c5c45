#include "runtime/processor_share.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "kgwalk/threads.h"

namespace kgwalk {
namespace {

using namespace std::chrono_literals;

constexpr const char* kStat =
    "cpu  900 90 300 5000 10 20 30 40 0 0\n"
    "cpu0 100 10 50 1000 5 6 4 7 0 0\n"
    "cpu1 200 20 70 900 5 8 2 7 0 0\n"
    "cpu10 600 60 180 3100 0 6 24 26 0 0\n"
    "intr 12345 0 0\n";

TEST(ProcessorShare, ABusyProcessorCostsAThreadAndALittleWorkCostsNone) {
  EXPECT_EQ(threads_beside(0, 2, 2), 2);
  EXPECT_EQ(threads_beside(0.39, 2, 2), 2);
  EXPECT_EQ(threads_beside(0.67, 2, 2), 1)
      << "two threads and a busy program have two thirds of a processor each";
  EXPECT_EQ(threads_beside(1, 2, 2), 1);
  EXPECT_EQ(threads_beside(1.9, 2, 2), 1) << "one thread is always left";
  EXPECT_EQ(threads_beside(10, 64, 64), 54);
  EXPECT_EQ(threads_beside(10, 64, 16), 16) << "room for all";
  EXPECT_EQ(threads_beside(-0.1, 2, 2), 2) << "clocks that disagree";
}

TEST(ProcessorShare, BusyTimeIsThatOfTheChosenProcessors) {
  EXPECT_DOUBLE_EQ(*busy_seconds(kStat, {0}, {}), 1.6);
  EXPECT_DOUBLE_EQ(*busy_seconds(kStat, {0, 1}, {}), 4.4);
  EXPECT_DOUBLE_EQ(*busy_seconds(kStat, {10}, {.ticks_per_second = 10}), 81);
  EXPECT_DOUBLE_EQ(*busy_seconds(kStat, {0}, {.low_priority = true}), 1.7);
  EXPECT_FALSE(busy_seconds(kStat, {0, 3}, {})) << "a processor that the system does not tell of";
  EXPECT_FALSE(busy_seconds("cpu0 1 2\n", {0}, {}));
  EXPECT_FALSE(busy_seconds("", {0}, {}));
}

class Beside : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "needs two processors";
    set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  }
  void TearDown() override {
    for (const pid_t child : children_) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    set_num_threads(1);
  }
  // As many busy programs as there are processors, so that it does not matter what else runs.
  void keep_busy() {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
      const pid_t child = ::fork();
      if (child == 0)
        for (volatile bool on = true; on;) {
        }
      children_.push_back(child);
    }
  }
  static void pass(ProcessorShare& share) {
    for (int i = 0; i < 8; ++i) {
      std::this_thread::sleep_for(100ms);
      share.update();
    }
  }
  std::vector<pid_t> children_;
};

TEST_F(Beside, BusyProgramsTakeThreadsAndTheEndGivesThemBack) {
  const int most = num_threads();
  keep_busy();
  {
    ProcessorShare share;
    {
      ProcessorShare inner;
      pass(inner);
      EXPECT_LT(num_threads(), most);
    }
    EXPECT_LT(num_threads(), most) << "the outer loop still shares";
  }
  EXPECT_EQ(num_threads(), most);
}

TEST_F(Beside, ALoopThatFollowsKnowsAtOnce) {
  const int most = num_threads();
  keep_busy();
  {
    ProcessorShare share;
    pass(share);
  }
  EXPECT_EQ(num_threads(), most);
  ProcessorShare next;
  EXPECT_LT(num_threads(), most);
}

TEST_F(Beside, ATenthOfASecondIsEnough) {
  const int most = num_threads();
  keep_busy();
  ProcessorShare share;
  for (const auto pause : {30ms, 150ms}) {
    std::this_thread::sleep_for(pause);
    share.update();
  }
  EXPECT_LT(num_threads(), most);
}

TEST_F(Beside, AFixedCountStays) {
  ::setenv("OMP_DYNAMIC", "FALSE", 1);
  const int most = num_threads();
  keep_busy();
  ProcessorShare share;
  ::unsetenv("OMP_DYNAMIC");
  pass(share);
  EXPECT_EQ(num_threads(), most);
}

}  // namespace
}  // namespace kgwalk
