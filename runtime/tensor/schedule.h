// Learning-rate schedules as a factor of the peak rate.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/config.h"

namespace kgwalk {

struct ScheduleConfig {
  std::string kind =
      "constant";  // after warm-up: constant, linear (to zero), cosine (to zero), inverse_sqrt, plateau
  std::int64_t warmup_steps = 0;  // linear from 0
  std::int64_t total_steps = 0;   // needed by linear and cosine; trainers fill it in when 0
  double plateau_factor =
      0.5;  // plateau: multiplied after `plateau_patience` evaluations without improvement
  int plateau_patience = 2;
  template <class F>
  void fields(F& f) {
    f("kind", kind, "shape after the warm-up")
        .one_of({"constant", "linear", "cosine", "inverse_sqrt", "plateau"});
    f("warmup_steps", warmup_steps, "steps of linear warm-up").range(0, 1e9);
    f("total_steps", total_steps, "length of the schedule; 0 = length of the training").range(0, 1e12);
    f("plateau_factor", plateau_factor, "factor on a plateau").range(0.01, 1);
    f("plateau_patience", plateau_patience, "evaluations without improvement before the factor")
        .range(1, 1000);
  }
};

// Factor for the update after `step` finished ones (0-based). `plateau_cuts` counts cuts so far.
[[nodiscard]] double lr_factor(const ScheduleConfig& config, std::int64_t step, std::int64_t total_steps,
                               int plateau_cuts = 0);

}  // namespace kgwalk
