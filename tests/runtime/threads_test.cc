#include "runtime/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

class Threads : public ::testing::Test {
 protected:
  ~Threads() override { set_num_threads(1); }
};

TEST_F(Threads, RangesCoverEveryItemOnce) {
  set_num_threads(3);
  for (const std::int64_t n : {0, 1, 2, 11, 12, 13, 1000}) {
    for (const std::int64_t grain : {0, 1, 7, 5000}) {
      std::vector<std::atomic<int>> hits(static_cast<std::size_t>(n));
      parallel_for(n, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i)];
      });
      for (const auto& hit : hits) EXPECT_EQ(hit, 1);
    }
  }
}

TEST_F(Threads, TheFirstExceptionByRangeIsRethrown) {
  set_num_threads(4);
  for (int round = 0; round < 20; ++round) {
    try {
      parallel_for(1000, 1, [](std::int64_t begin, std::int64_t) {
        if (begin >= 250) throw std::runtime_error(std::to_string(begin));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "250");
    }
  }
}

TEST_F(Threads, CountsAreCheckedAndKept) {
  set_num_threads(2);
  EXPECT_EQ(num_threads(), 2);
  set_num_threads(0);
  EXPECT_GE(num_threads(), 1);
  EXPECT_THROW(set_num_threads(-1), ConfigError);
}

TEST_F(Threads, NestedLoopsAndOtherThreadsWork) {
  set_num_threads(2);
  std::atomic<std::int64_t> sum{0};
  const auto work = [&] {
    parallel_for(8, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        parallel_for(10, 1, [&](std::int64_t b, std::int64_t e) { sum += e - b; });
    });
  };
  work();
  std::thread other(work);
  other.join();
  EXPECT_EQ(sum, 160);
}

TEST_F(Threads, TheBlasProbeNamesAndMeasures) {
  const BlasInfo info = probe_blas();
  EXPECT_FALSE(info.name.empty());
  EXPECT_GT(info.gflops_sgemm, 0);
}

}  // namespace
}  // namespace kgwalk
