#include "kgwalk/progress.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <memory>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};

std::atomic<StopFlag*> g_flag{nullptr};
std::array<struct sigaction, 2> g_earlier{};

extern "C" void on_signal(int number) {
  StopFlag* flag = g_flag.load(std::memory_order_relaxed);
  if (flag == nullptr || flag->requested()) ::_exit(128 + number);
  flag->request();
}

}  // namespace

SignalGuard::SignalGuard() {
  static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<StopFlag*>::is_always_lock_free);
  auto flag = std::make_unique<StopFlag>();
  StopFlag* none = nullptr;
  if (!g_flag.compare_exchange_strong(none, flag.get()))
    throw ConfigError("a SignalGuard is alive already; keep one, in main");
  flag.release();
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &g_earlier[i]);
}

SignalGuard::~SignalGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &g_earlier[i], nullptr);
  delete g_flag.exchange(nullptr);
}

const StopFlag& SignalGuard::stop() const noexcept { return *g_flag.load(); }

const StopFlag& never_stop() {
  static const StopFlag flag;
  return flag;
}

}  // namespace kgwalk
