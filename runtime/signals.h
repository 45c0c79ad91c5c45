// SIGINT and SIGTERM as a flag that long work polls between steps, so that it can save and say how to resume.
#pragma once

#include <atomic>

namespace kgwalk {

// A flag to ask running work to stop. Cheap to poll from any thread; copies share nothing, pass by reference.
class StopFlag {
 public:
  [[nodiscard]] bool requested() const noexcept { return flag_.load(std::memory_order_relaxed); }
  void request() noexcept { flag_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> flag_{false};
};

// While alive, the first SIGINT or SIGTERM sets stop(); a second one ends the program at once (exit status
// 128 + n). At most one may live at a time (ConfigError otherwise); earlier handlers are restored. For main
// only.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  [[nodiscard]] const StopFlag& stop() const noexcept;
};

// A flag that nobody sets.
[[nodiscard]] const StopFlag& never_stop();

}  // namespace kgwalk
