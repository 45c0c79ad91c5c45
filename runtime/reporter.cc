#include "kgwalk/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <utility>

#include "runtime/text.h"

namespace kgwalk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kWorthALine = 0.2;  // seconds; shorter work leaves no line behind

class SilentProgress final : public Progress {
 public:
  void add(std::int64_t, std::string_view) override {}
};

class SilentReporter final : public Reporter {
 public:
  void info(std::string_view) override {}
  void warn(std::string_view) override {}
  std::unique_ptr<Progress> start(std::string_view, std::int64_t, std::string_view) override {
    return std::make_unique<SilentProgress>();
  }
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string format_rate(double rate) {
  if (!std::isfinite(rate)) return "0";
  if (rate >= 100) return with_commas(std::llround(rate));
  return rate >= 10 ? fmt::format("{:.1f}", rate) : fmt::format("{:.2f}", rate);
}

class ConsoleProgress;

// The one place that writes to standard error; progress objects hand it their line under its lock.
class ConsoleReporter final : public Reporter {
 public:
  explicit ConsoleReporter(ConsoleOptions options)
      : options_(options), terminal_(::isatty(STDERR_FILENO) == 1) {}
  ~ConsoleReporter() override { clear(); }

  void info(std::string_view line) override {
    if (!options_.quiet) print(line);
  }
  void warn(std::string_view line) override { print(fmt::format("warning: {}", line)); }
  std::unique_ptr<Progress> start(std::string_view what, std::int64_t total, std::string_view unit) override;

  [[nodiscard]] bool terminal() const noexcept { return terminal_; }
  [[nodiscard]] double interval() const noexcept { return terminal_ ? 0.1 : options_.plain_every_s; }

  // A line of progress: redrawn in place on a terminal, a plain line elsewhere.
  void show(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (!terminal_) return write(line + "\n");
    write("\r\x1b[K" + clipped(line));
    drawn_ = true;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    erase();
  }
  void finish(const std::string& line) {
    const std::lock_guard lock(mutex_);
    erase();
    write(line + "\n");
  }

 private:
  void print(std::string_view line) {
    const std::lock_guard lock(mutex_);
    erase();
    write(std::string(line) + "\n");
  }
  void erase() {
    if (std::exchange(drawn_, false)) write("\r\x1b[K");
  }
  // One call a line, so that lines of several processes do not mix.
  static void write(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }
  static std::string clipped(const std::string& line) {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    std::size_t end = std::min<std::size_t>(line.size(), known ? size.ws_col - 1u : 79u);
    while (end > 0 && end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return line.substr(0, end);
  }

  ConsoleOptions options_;
  bool terminal_;
  std::mutex mutex_;
  bool drawn_ = false;
};

class ConsoleProgress final : public Progress {
 public:
  ConsoleProgress(ConsoleReporter& reporter, std::string_view what, std::int64_t total, std::string_view unit)
      : reporter_(reporter), what_(what), unit_(unit), total_(total) {}
  ~ConsoleProgress() override {
    const std::lock_guard lock(mutex_);
    if (done_ == 0) return;
    if (seconds_since(begin_) < std::min(kWorthALine, reporter_.interval()))
      reporter_.clear();
    else
      reporter_.finish(summary());
  }

  void add(std::int64_t done, std::string_view note) override {
    const std::lock_guard lock(mutex_);
    done_ += done;
    if (!note.empty()) note_ = note;
    if (seconds_since(shown_) < reporter_.interval()) return;
    shown_ = Clock::now();
    reporter_.show(line());
  }

 private:
  [[nodiscard]] std::string line() const {
    const double elapsed = seconds_since(begin_);
    const double rate = elapsed > 0 ? static_cast<double>(done_) / elapsed : 0;
    std::string text = what_ + " " + bar() + counts() + ", " + format_rate(rate) + "/s";
    if (total_ > done_ && rate > 0)
      text += ", ETA " + format_duration(static_cast<double>(total_ - done_) / rate);
    return note_.empty() ? text : text + ", " + note_;
  }
  [[nodiscard]] std::string summary() const {
    const double elapsed = seconds_since(begin_);
    std::string text = fmt::format("{} {} in {}", what_, counts(), format_duration(elapsed));
    if (elapsed > 0) text += " (" + format_rate(static_cast<double>(done_) / elapsed) + "/s)";
    return note_.empty() ? text : text + ", " + note_;
  }
  [[nodiscard]] std::string counts() const {
    return total_ > 0 ? with_commas(done_) + "/" + with_commas(total_) + " " + unit_
                      : with_commas(done_) + " " + unit_;
  }
  [[nodiscard]] std::string bar() const {
    if (total_ <= 0 || !reporter_.terminal()) return "";
    const auto filled = static_cast<std::size_t>(std::clamp<std::int64_t>(20 * done_ / total_, 0, 20));
    return "[" + std::string(filled, '#') + std::string(20 - filled, '.') + "] ";
  }

  ConsoleReporter& reporter_;
  std::string what_, unit_, note_;
  std::int64_t total_, done_ = 0;
  Clock::time_point begin_ = Clock::now(), shown_ = Clock::now();
  std::mutex mutex_;
};

std::unique_ptr<Progress> ConsoleReporter::start(std::string_view what, std::int64_t total,
                                                 std::string_view unit) {
  if (options_.quiet || !options_.progress) return std::make_unique<SilentProgress>();
  return std::make_unique<ConsoleProgress>(*this, what, total, unit);
}

}  // namespace

Reporter& silent_reporter() {
  static SilentReporter reporter;
  return reporter;
}

std::unique_ptr<Reporter> make_console_reporter(ConsoleOptions options) {
  return std::make_unique<ConsoleReporter>(options);
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long long total = std::llround(seconds);
  if (total < 60) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{} min {:02d} s", total / 60, total % 60);
  return fmt::format("{} h {:02d} min", total / 3600, total % 3600 / 60);
}

}  // namespace kgwalk
