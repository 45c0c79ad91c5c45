// Everything that decides how stage 2 is trained. Presets: rl/presets/a2c_*.json.
#pragma once

#include <string>
#include <vector>

#include "rl/environment/environment.h"
#include "rl/training/a2c.h"
#include "runtime/config.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk::rl {

struct EvaluateConfig {
  std::vector<int> distances = {3, 5};  // of the development goals
  int episodes = 32;                    // a distance
  // Success in percent within twice the distance that a checkpoint must have, one a distance: among those
  // that have it the most natural one is kept, otherwise the highest success. Empty = the best trade-off.
  std::vector<double> floors;
  template <class F>
  void fields(F& f) {
    f("distances", distances, "distances of start and goal of an evaluation");
    f("episodes", episodes, "episodes a distance").range(1, 1e5);
    f("floors", floors,
      "percent of goals within twice the distance that the best checkpoint keeps, one a distance");
  }
  void check(Problems& problems) const {
    if (!floors.empty() && floors.size() != distances.size())
      problems.add("floors", "must be one a distance: " + std::to_string(distances.size()));
  }
};

struct Stage2Config {
  std::string train = "goal";  // "goal": only what the goal touches, so that without a goal the walker stays
                               // that of stage 1, weight for weight; "all": every weight (the thesis)
  bool goal_exact = false;     // exact distances of the candidates to the goal are features too
  double supervised = 0;       // weight of stage 1's loss on its training paths beside A2C's ("all" needs it)
  int value_hidden = 64;
  A2cConfig a2c;
  EnvironmentConfig environment;
  EvaluateConfig evaluate;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("train", train, "which weights are trained").one_of({"goal", "all"});
    f("goal_exact", goal_exact, "candidates' exact distances to the goal are features of the policy");
    f("supervised", supervised, "weight of stage 1's loss beside A2C's").range(0, 100);
    f("value_hidden", value_hidden, "hidden units of the value head").range(1, 4096);
    f("a2c", a2c, "advantage actor-critic");
    f("environment", environment, "episodes and reward");
    f("evaluate", evaluate, "evaluations during training");
    f("trainer", trainer, "training loop");
  }
  void check(Problems& problems) const {
    if (train == "goal" && supervised > 0)
      problems.add("supervised", "changes weights that train=goal keeps as they are; use train=all");
  }
};

}  // namespace kgwalk::rl
