// How long work tells the outside what it does, and how the outside asks it to stop. The library itself never prints: it speaks to a Reporter that
// the caller passes, and the command line passes one that draws a progress line on a terminal (rate, ETA) and
// plain lines elsewhere.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kgwalk {

// One piece of progress; obtained from Reporter::start(), ends when destroyed.
class Progress {
 public:
  virtual ~Progress() = default;
  // Adds `done` finished units; `note` (may be empty) is shown behind the bar, e.g. "loss 0.31". Thread-safe.
  virtual void add(std::int64_t done, std::string_view note = {}) = 0;
};

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void info(std::string_view line) = 0;
  virtual void warn(std::string_view line) = 0;
  // `total` 0 means unknown; `unit` is a plural noun ("triples").
  [[nodiscard]] virtual std::unique_ptr<Progress> start(std::string_view what, std::int64_t total,
                                                        std::string_view unit) = 0;
};

// Says nothing; the default of every library call. Lives as long as the program.
[[nodiscard]] Reporter& silent_reporter();

struct ConsoleOptions {
  bool quiet = false;         // warnings only
  bool progress = true;       // progress lines
  double plain_every_s = 10;  // seconds between progress lines when standard error is no terminal
};

// Writes to standard error; at most 10 updates a second on a terminal.
[[nodiscard]] std::unique_ptr<Reporter> make_console_reporter(ConsoleOptions options);

// Seconds as "12 s", "3 min 05 s", "1 h 02 min".
[[nodiscard]] std::string format_duration(double seconds);

// A flag to ask running work to stop. Cheap to poll from any thread; copies share nothing, pass by reference.
class StopFlag {
 public:
  [[nodiscard]] bool requested() const noexcept { return flag_.load(std::memory_order_relaxed); }
  void request() noexcept { flag_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> flag_{false};
};

// While alive, the first SIGINT or SIGTERM sets stop(); a second one ends the program at once (exit
// status 128 + n). At most one may live at a time (ConfigError otherwise); earlier handlers are restored.
// For main only.
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
