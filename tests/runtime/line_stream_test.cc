// Lines from a pipe: whole and in batches, until the end, a signal or too long a line.
#include "runtime/line_stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

using Lines = std::vector<std::string>;

class LineStreamTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::pipe(ends_), 0); }
  void TearDown() override {
    close_input();
    ::close(ends_[0]);
  }
  void put(const std::string& text) {
    ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close_input() {
    if (open_) ::close(ends_[1]);
    open_ = false;
  }
  int ends_[2] = {};
  bool open_ = true;
  StopFlag stop_;
};

TEST_F(LineStreamTest, GivesWhatIsThereAndWaitsForNoMore) {
  LineStream stream(ends_[0], stop_);
  put("one\ntwo\r\npart");
  EXPECT_EQ(stream.next(10), (Lines{"one", "two"}));
  put("ial\n\nlast");
  EXPECT_EQ(stream.next(), "partial");
  EXPECT_EQ(stream.next(1), (Lines{""}));
  close_input();
  EXPECT_EQ(stream.next(5), (Lines{"last"}));
  EXPECT_EQ(stream.next(5), Lines{});
  EXPECT_EQ(stream.next(), std::nullopt);
}

TEST_F(LineStreamTest, EndsWhenAskedToWhileItWaits) {
  LineStream stream(ends_[0], stop_);
  put("half a line");
  std::thread signal([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop_.request();
  });
  EXPECT_EQ(stream.next(3), Lines{});  // without the request it would wait for ever
  signal.join();
  EXPECT_EQ(stream.next(), std::nullopt);
}

TEST_F(LineStreamTest, RefusesWhatCannotBeText) {
  LineStream stream(ends_[0], stop_);
  std::thread writer([this] {
    put("short\n");
    const std::string block(1 << 16, 'x');
    for (int i = 0; i < (1 << 24) / (1 << 16) + 1; ++i) put(block);
    close_input();
  });
  EXPECT_EQ(stream.next(), "short");
  try {
    (void)stream.next();
    ADD_FAILURE() << "took a line of more than 16 MiB";
  } catch (const DataError& error) {
    EXPECT_EQ(error.line(), 2u);
  }
  char rest[4096];
  while (::read(ends_[0], rest, sizeof rest) > 0) {
  }
  writer.join();
}

TEST(LineStream, ToldThatNothingCanBeRead) {
  const StopFlag stop;
  EXPECT_THROW((void)LineStream(1 << 20, stop).next(), IoError);
}

}  // namespace
}  // namespace kgwalk
