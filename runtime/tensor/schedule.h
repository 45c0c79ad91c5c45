// Learning-rate schedules as a factor of the peak rate.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/config.h"

namespace kgwalk {

// Course of the learning rate after the warm-up.
enum class ScheduleKind { kConstant, kLinear, kCosine, kInverseSqrt, kPlateau };
constexpr auto choice_names(ScheduleKind) {
  return choices_in_order<ScheduleKind>("constant", "linear", "cosine", "inverse_sqrt", "plateau");
}

struct ScheduleConfig {
  Choice<ScheduleKind> kind = ScheduleKind::kConstant;  // after warm-up: constant, linear (to zero), cosine
                                                        // (to zero), inverse_sqrt, plateau
  std::int64_t warmup_steps = 0;                        // linear from 0
  std::int64_t total_steps = 0;  // needed by linear and cosine; trainers fill it in when 0
  double plateau_factor =
      0.5;  // plateau: multiplied after `plateau_patience` evaluations without improvement
  int plateau_patience = 2;
  template <class F>
  void fields(F& f) {
    f("kind", kind, "Course of the learning rate after the warm-up.");
    f("warmup_steps", warmup_steps,
      "Number of updates over which the learning rate rises linearly to its peak.")
        .range(0, 1e9);
    f("total_steps", total_steps,
      "Number of updates after which linear and cosine end; 0 takes the length of the "
      "training.")
        .range(0, 1e12);
    f("plateau_factor", plateau_factor, "Factor on the learning rate when plateau sees no improvement.")
        .range(0.01, 1);
    f("plateau_patience", plateau_patience,
      "Number of evaluations without improvement before plateau applies its factor.")
        .range(1, 1000);
  }
};

// Factor for the update after `step` finished ones (0-based). `plateau_cuts` counts cuts so far.
[[nodiscard]] double lr_factor(const ScheduleConfig& config, std::int64_t step, std::int64_t total_steps,
                               int plateau_cuts = 0);

}  // namespace kgwalk
