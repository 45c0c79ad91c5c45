#include "listening/network/config.h"

namespace kgwalk::listening {

TrainerConfig listening_trainer() {
  TrainerConfig config;
  config.max_epochs = 3;
  config.adam.lr = 2e-3;
  config.adam.weight_decay = 1e-3;
  config.adam.clip_norm = 2;
  config.schedule.kind = ScheduleKind::kLinear;
  config.schedule.warmup_steps = 60;
  return config;
}

void ListenConfig::check(Problems& problems) const {
  if (own.width % own.heads != 0) problems.add("own.width", "must be a multiple of own.heads");
}

}  // namespace kgwalk::listening
