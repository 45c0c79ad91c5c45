// What one evaluation may cost, and the stop when it has.
#pragma once

#include <chrono>
#include <cstdint>

#include "kgwalk/query.h"

namespace kgwalk::forms {

// Thrown where a limit is met, and caught by the engine: what is half done is not told.
struct CutShort {
  Cut why;
};

class Budget {
 public:
  explicit Budget(const Limits& limits)
      : max_visits_(limits.max_visits > 0 ? limits.max_visits : UINT64_MAX),
        stop_(limits.stop),
        is_timed_(limits.budget_s > 0) {
    if (is_timed_)
      end_ = Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.budget_s));
  }

  // Edges or values looked at since the last call.
  void visit(std::uint64_t count) {
    visits_ += count;
    if (visits_ > max_visits_) throw CutShort{Cut::kVisits};
    if (visits_ < next_look_) return;
    next_look_ = visits_ + kLook;
    if (stop_ != nullptr && stop_->requested()) throw CutShort{Cut::kStopped};
    if (is_timed_ && Clock::now() > end_) throw CutShort{Cut::kTime};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kLook = 20'000;  // about a millisecond of work

  std::uint64_t max_visits_, visits_ = 0, next_look_ = 0;
  const StopFlag* stop_;
  bool is_timed_;
  Clock::time_point end_{};
};

}  // namespace kgwalk::forms
