#include "runtime/tensor/schedule.h"

#include <gtest/gtest.h>

namespace kgwalk {
namespace {

ScheduleConfig make(const char* kind, std::int64_t warmup, std::int64_t total = 0) {
  ScheduleConfig config;
  config.kind = kind;
  config.warmup_steps = warmup;
  config.total_steps = total;
  return config;
}

TEST(Schedule, WarmsUpLinearly) {
  for (const char* kind : {"constant", "linear", "cosine", "inverse_sqrt", "plateau"}) {
    EXPECT_DOUBLE_EQ(lr_factor(make(kind, 4), 0, 100), 0.25) << kind;
    EXPECT_DOUBLE_EQ(lr_factor(make(kind, 4), 3, 100), 1.0) << kind;
  }
}

TEST(Schedule, FollowsItsShape) {
  EXPECT_DOUBLE_EQ(lr_factor(make("constant", 4), 90, 100), 1);
  EXPECT_DOUBLE_EQ(lr_factor(make("linear", 20), 60, 100), 0.5);
  EXPECT_DOUBLE_EQ(lr_factor(make("linear", 0), 100, 100), 0);
  EXPECT_DOUBLE_EQ(lr_factor(make("linear", 0), 150, 100), 0);
  EXPECT_DOUBLE_EQ(lr_factor(make("linear", 0, 200), 50, 100), 0.75) << "the schedule's own length wins";
  EXPECT_DOUBLE_EQ(lr_factor(make("cosine", 0), 50, 100), 0.5);
  EXPECT_NEAR(lr_factor(make("cosine", 0), 25, 100), 0.853553, 1e-6);
  EXPECT_DOUBLE_EQ(lr_factor(make("inverse_sqrt", 100), 399, 0), 0.5);
  EXPECT_DOUBLE_EQ(lr_factor(make("inverse_sqrt", 0), 0, 0), 1);
  EXPECT_DOUBLE_EQ(lr_factor(make("plateau", 0), 7, 0, 3), 0.125);
}

}  // namespace
}  // namespace kgwalk
