#include "runtime/tensor/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kgwalk {

double lr_factor(const ScheduleConfig& config, std::int64_t step, std::int64_t total_steps,
                 int plateau_cuts) {
  const std::int64_t warmup = config.warmup_steps;
  if (step < warmup) return static_cast<double>(step + 1) / static_cast<double>(warmup);
  if (config.kind == ScheduleKind::kPlateau) return std::pow(config.plateau_factor, plateau_cuts);
  if (config.kind == ScheduleKind::kInverseSqrt)
    return std::sqrt(static_cast<double>(std::max<std::int64_t>(warmup, 1)) / static_cast<double>(step + 1));
  if (config.kind == ScheduleKind::kConstant) return 1;
  const std::int64_t total = config.total_steps > 0 ? config.total_steps : total_steps;
  if (total <= warmup) return 1;
  const double done =
      std::clamp(static_cast<double>(step - warmup) / static_cast<double>(total - warmup), 0.0, 1.0);
  return config.kind == ScheduleKind::kLinear ? 1 - done : 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace kgwalk
