#include "kgwalk/progress.h"

#include <gtest/gtest.h>

#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;

TEST(Reporter, DurationsReadNaturally) {
  EXPECT_EQ(format_duration(0.04), "0.0 s");
  EXPECT_EQ(format_duration(12.3), "12 s");
  EXPECT_EQ(format_duration(59.6), "1 min 00 s");
  EXPECT_EQ(format_duration(185), "3 min 05 s");
  EXPECT_EQ(format_duration(3725), "1 h 02 min");
  EXPECT_EQ(format_duration(-1), "?");
}

TEST(Reporter, WithoutATerminalProgressIsPlainLines) {
  ::testing::internal::CaptureStderr();
  {
    const auto reporter = make_console_reporter({.quiet = false, .progress = true, .plain_every_s = 0});
    reporter->info("hello");
    const auto progress = reporter->start("reading", 1000, "triples");
    progress->add(400, "note");
    progress->add(600);
    reporter->warn("careful");
  }
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(text, "hello\n")) << text;
  EXPECT_TRUE(contains(text, "reading 400/1,000 triples")) << text;
  EXPECT_TRUE(contains(text, "ETA")) << text;
  EXPECT_TRUE(contains(text, "reading 1,000/1,000 triples in ")) << text;
  EXPECT_TRUE(contains(text, "warning: careful\n")) << text;
  EXPECT_FALSE(contains(text, "\r")) << text;
}

TEST(Reporter, QuietLeavesWarningsOnly) {
  ::testing::internal::CaptureStderr();
  {
    const auto reporter = make_console_reporter({.quiet = true, .progress = true, .plain_every_s = 0});
    reporter->info("hello");
    reporter->start("reading", 10, "triples")->add(10);
    reporter->warn("careful");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: careful\n");
}

}  // namespace
}  // namespace kgwalk
