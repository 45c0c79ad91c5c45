// Wall and processor time of a piece of work, all threads of the process together.
#pragma once

#include <sys/resource.h>

#include <chrono>

namespace kgwalk {

// User and system time of all threads of this process, in seconds.
[[nodiscard]] inline double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  [[nodiscard]] double processor_seconds() const { return kgwalk::processor_seconds() - processor_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double processor_ = kgwalk::processor_seconds();
};

}  // namespace kgwalk
