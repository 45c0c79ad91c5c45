// How long work tells the outside what it does, and how the outside asks it to stop.
//
// Example:
//   kgwalk::SignalGuard signals;  // Ctrl-C asks to stop instead of ending the program
//   const auto reporter = kgwalk::make_console_reporter({.quiet = false});
//   const auto work = reporter->start("counting", 1000, "numbers");
//   for (int i = 0; i < 1000 && !signals.stop().requested(); ++i) work->add(1);
//   reporter->info("that took " + kgwalk::format_duration(12.5));
//
// The library itself never prints: it speaks to a Reporter that the caller passes, by default to one that
// says nothing. A program passes the console's, or derives its own class, for a window or a log. Work that is
// asked to stop throws Stopped, or Interrupted when it has saved what is needed to go on (kgwalk/error.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kgwalk {

// One piece of work on its way; obtained from Reporter::start(), ends when destroyed. Outlive its reporter it
// must not.
class Progress {
 public:
  virtual ~Progress() = default;
  // done: units finished since the last call, 0 or more.
  // note: shown behind the bar, e.g. "loss 0.31"; an empty one leaves the last as it was.
  // Thread-safe: an implementation must take calls from many threads, and cheaply, since they come often.
  virtual void add(std::int64_t done, std::string_view note = {}) = 0;
};

// Whom long work speaks to. Functions that take one keep it no longer than the call. Thread-safe, and what is
// said should not throw: it comes out of the work that said it.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void info(std::string_view line) = 0;  // a line without its end
  virtual void warn(std::string_view line) = 0;
  // what: the work, as a participle ("training"). total: units there will be, 0 when unknown. unit: a plural
  // noun ("triples"). Never null.
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

// Writes to standard error: a progress line with rate and time left, redrawn at most 10 times a second on a
// terminal, plain lines elsewhere.
[[nodiscard]] std::unique_ptr<Reporter> make_console_reporter(ConsoleOptions options);

// Seconds as "12 s", "3 min 05 s", "1 h 02 min".
[[nodiscard]] std::string format_duration(double seconds);

// A flag that asks running work to stop. Work looks at it every few milliseconds up to about a second;
// setting it is safe from any thread and from a signal handler. Cannot be unset: use a new one for the next
// piece of work.
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

// A flag that nobody sets. Lives as long as the program.
[[nodiscard]] const StopFlag& never_stop();

}  // namespace kgwalk
