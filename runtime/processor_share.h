// Threads that give way to other programs.
//
// The threads of a training wait for each other many times a second. Where another program holds a processor,
// each of these waits lasts until the scheduler gives it back: two threads beside one busy program are slower
// than one thread. So a long loop asks now and then how much the others compute, and goes on with as many
// threads as there are processors left:
//
//   ProcessorShare share;
//   for (const Batch& batch : batches) {
//     share.update();
//     learn(batch);
//   }
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace kgwalk {

// Threads to use where other programs keep `others` of `processors` busy; from 1 to `most`. A processor
// counts as taken when others use four tenths of it: less costs less than a thread gives.
[[nodiscard]] int threads_beside(double others, int processors, int most);

struct BusyOptions {
  double ticks_per_second = 100;
  // Programs at low priority (nice) count too. They give way to one at normal priority, and not to each
  // other.
  bool low_priority = false;
};
// Seconds that the processors of `chosen` (sorted) were busy since the machine started, from the text of
// /proc/stat. nullopt when a processor is missing.
[[nodiscard]] std::optional<double> busy_seconds(std::string_view proc_stat, const std::vector<int>& chosen,
                                                 const BusyOptions& options);

// While one lives, the thread count may fall below what set_num_threads() was given, and rise to it again;
// when the last one ends, it is as given. One that begins soon after another ended begins with what that
// found. Without effect for one thread, where OMP_DYNAMIC=false is set, and where the system does not tell
// what other programs use. Belongs to the thread that computes.
class ProcessorShare {
 public:
  ProcessorShare();
  ~ProcessorShare();
  ProcessorShare(const ProcessorShare&) = delete;
  ProcessorShare& operator=(const ProcessorShare&) = delete;

  // To be called between two steps; looks at the system after a tenth of a second, then twice a second, and
  // is cheap otherwise.
  void update();

 private:
  struct Reading {
    std::chrono::steady_clock::time_point when;
    double busy_s = 0, ours_s = 0;
  };
  [[nodiscard]] std::optional<Reading> read() const;
  void use_beside(double others) const;

  std::vector<int> processors_;  // that this process may use; empty = nothing to do
  BusyOptions options_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<Reading> last_;
  bool has_looked_ = false;
};

}  // namespace kgwalk
