#include "server/http/counters.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

namespace kgwalk::server {

void Counters::add(std::string_view route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
  Times& times = times_[std::string(route)];
  for (std::size_t i = 0; i < kBounds.size(); ++i)
    if (seconds <= kBounds[i]) ++times.within[i];
  ++times.count;
  times.sum += seconds;
}

std::string Counters::text() const {
  const std::lock_guard lock(mutex_);
  std::string out = "# HELP kgwalk_requests_total Requests answered.\n# TYPE kgwalk_requests_total counter\n";
  for (const auto& [key, count] : requests_)
    out +=
        fmt::format("kgwalk_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  out +=
      "# HELP kgwalk_request_seconds Time from the whole request to the whole answer.\n"
      "# TYPE kgwalk_request_seconds histogram\n";
  for (const auto& [route, times] : times_) {
    for (std::size_t i = 0; i < kBounds.size(); ++i)
      out += fmt::format("kgwalk_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, kBounds[i],
                         times.within[i]);
    out += fmt::format(
        "kgwalk_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} "
        "{1}\nkgwalk_request_seconds_sum{{route=\"{0}\"}} {2}\n"
        "kgwalk_request_seconds_count{{route=\"{0}\"}} {1}\n",
        route, times.count, times.sum);
  }
  return out;
}

std::string gauge_text(std::string_view name, std::string_view help, double value) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{0} {2}\n", name, help, value);
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace kgwalk::server
