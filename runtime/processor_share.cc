#include "runtime/processor_share.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

#include "runtime/parallel.h"

namespace kgwalk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirst{20};  // shorter loops need no look
// Until the first verdict. The system counts in hundredths of a second, so that it may be wrong by a fifth of
// a processor, which is less than kTaken.
constexpr std::chrono::milliseconds kSecond{100};
constexpr std::chrono::milliseconds kBetween{500};
constexpr std::chrono::seconds kKnown{2};  // so long what a loop found is true for the next one
constexpr double kTaken = 0.4;             // of a processor

// What the last look of this process found. A training is several loops, one after another.
std::mutex g_looking;
std::optional<std::pair<Clock::time_point, double>> g_found;

void note_found(Clock::time_point when, double others) {
  const std::lock_guard lock(g_looking);
  g_found = {when, others};
}

std::optional<double> found_lately() {
  const std::lock_guard lock(g_looking);
  if (!g_found || Clock::now() - g_found->first > kKnown) return std::nullopt;
  return g_found->second;
}

bool is_allowed() {
  const char* text = std::getenv("OMP_DYNAMIC");
  if (text == nullptr) return true;
  std::string value = text;
  std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
  return value != "false" && value != "0";
}

std::vector<int> usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> usable;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return usable;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) usable.push_back(i);
  return usable;
}

double own_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string text_of(const char* file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

int threads_beside(double others, int processors, int most) {
  const int taken = std::max(0, static_cast<int>(std::ceil(others - kTaken)));
  return taken == 0 ? most : std::clamp(processors - taken, 1, most);
}

std::optional<double> busy_seconds(std::string_view proc_stat, const std::vector<int>& chosen,
                                   const BusyOptions& options) {
  // user, nice, system, idle, waiting for a disk, interrupts, soft interrupts
  const std::array<bool, 7> counted{true, options.low_priority, true, false, false, true, true};
  double busy = 0;
  std::size_t found = 0;
  for (std::size_t at = 0; at < proc_stat.size();) {
    const std::size_t end = std::min(proc_stat.find('\n', at), proc_stat.size());
    std::istringstream line{std::string(proc_stat.substr(at, end - at))};
    at = end + 1;
    std::string name;
    line >> name;
    int number = -1;
    if (!name.starts_with("cpu") ||
        std::from_chars(name.data() + 3, name.data() + name.size(), number).ec != std::errc() ||
        !std::binary_search(chosen.begin(), chosen.end(), number))
      continue;
    ++found;
    for (const bool counts : counted) {
      double ticks = 0;
      if (!(line >> ticks)) return std::nullopt;
      if (counts) busy += ticks / options.ticks_per_second;
    }
  }
  if (found != chosen.size()) return std::nullopt;
  return busy;
}

ProcessorShare::ProcessorShare() {
  if (threads_detail::begin_sharing() == 1 || !is_allowed()) return;
  options_ = {static_cast<double>(::sysconf(_SC_CLK_TCK)), ::getpriority(PRIO_PROCESS, 0) > 0};
  processors_ = usable_processors();
  if (const std::optional<double> others = found_lately()) use_beside(*others);
}

ProcessorShare::~ProcessorShare() { threads_detail::end_sharing(); }

std::optional<ProcessorShare::Reading> ProcessorShare::read() const {
  const std::optional<double> busy = busy_seconds(text_of("/proc/stat"), processors_, options_);
  if (!busy) return std::nullopt;
  return Reading{Clock::now(), *busy, own_seconds()};
}

void ProcessorShare::update() {
  if (processors_.empty()) return;
  const auto passed = Clock::now() - (last_ ? last_->when : begin_);
  if (passed < (!last_ ? kFirst : has_looked_ ? kBetween : kSecond)) return;
  const std::optional<Reading> now = read();
  if (!now || !last_) {
    last_ = now;
    return;
  }
  const double seconds = std::chrono::duration<double>(now->when - last_->when).count();
  const double others = ((now->busy_s - last_->busy_s) - (now->ours_s - last_->ours_s)) / seconds;
  use_beside(others);
  note_found(now->when, others);
  has_looked_ = true;
  last_ = now;
}

void ProcessorShare::use_beside(double others) const {
  threads_detail::share_threads(
      [&](int most) { return threads_beside(others, static_cast<int>(processors_.size()), most); });
}

}  // namespace kgwalk
