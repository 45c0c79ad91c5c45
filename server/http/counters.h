// What was answered, counted for /metrics: requests by route and status, and how long they took.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace kgwalk::server {

class Counters {
 public:
  // Thread-safe. `route` is a pattern, of which there are few.
  void add(std::string_view route, int status, double seconds);
  // Prometheus' text format: kgwalk_requests_total, kgwalk_request_seconds (a histogram).
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::array<double, 12> kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                  0.1,   0.25,   0.5,   1,    2.5,   10};
  struct Times {
    std::array<std::uint64_t, kBounds.size()> within{};
    std::uint64_t count = 0;
    double sum = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Times, std::less<>> times_;
};

// "# TYPE NAME gauge", then a line "NAME VALUE".
[[nodiscard]] std::string gauge_text(std::string_view name, std::string_view help, double value);
// Bytes of memory that the process has in use; 0 where the system does not say.
[[nodiscard]] double resident_bytes();

}  // namespace kgwalk::server
