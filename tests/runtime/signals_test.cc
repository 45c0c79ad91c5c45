#include "kgwalk/progress.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

TEST(Signals, TheFirstSignalSetsTheFlag) {
  for (const int number : {SIGINT, SIGTERM}) {
    const SignalGuard guard;
    EXPECT_FALSE(guard.stop().requested());
    ::raise(number);
    EXPECT_TRUE(guard.stop().requested());
  }
}

TEST(Signals, TheSecondSignalEndsTheProgram) {
  const pid_t child = ::fork();
  if (child == 0) {
    const SignalGuard guard;
    ::raise(SIGTERM);
    ::raise(SIGTERM);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
}

TEST(Signals, EarlierHandlersComeBack) {
  static int seen = 0;
  auto* earlier = std::signal(SIGINT, [](int) { ++seen; });
  {
    const SignalGuard guard;
    EXPECT_THROW(const SignalGuard second, ConfigError);
    ::raise(SIGINT);
    EXPECT_EQ(seen, 0);
  }
  ::raise(SIGINT);
  EXPECT_EQ(seen, 1);
  std::signal(SIGINT, earlier);
}

TEST(Signals, NobodySetsNeverStop) { EXPECT_FALSE(never_stop().requested()); }

}  // namespace
}  // namespace kgwalk
