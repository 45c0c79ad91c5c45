// Everything that decides how stage 2 is trained. Presets: rl/presets/a2c_*.json.
#pragma once

#include <string>
#include <vector>

#include "rl/environment/environment.h"
#include "rl/environment/route_rules.h"
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
  int extra = 0;  // hops allowed beyond twice the distance
  template <class F>
  void fields(F& f) {
    f("distances", distances, "Distances of start and goal at which an evaluation walks, in hops.");
    f("episodes", episodes, "Number of walks of an evaluation at each distance.").range(1, 1e5);
    f("floors", floors,
      "Percent of goals that the best checkpoint must reach within twice the distance, one "
      "number a distance; among those that do the most natural one is kept.");
    f("extra", extra, "Number of hops that a walk of an evaluation may take beyond twice the distance.")
        .range(0, 1000);
  }
  void check(Problems& problems) const {
    if (!floors.empty() && floors.size() != distances.size())
      problems.add("floors", "must be one a distance: " + std::to_string(distances.size()));
  }
};

// Which weights stage 2 trains.
enum class Stage2Weights { kGoal, kAll };
constexpr auto choice_names(Stage2Weights) { return choices_in_order<Stage2Weights>("goal", "all"); }

struct Stage2Config {
  Choice<Stage2Weights> train =
      Stage2Weights::kGoal;  // "goal": only what the goal touches, so that without a goal the walker stays
                             // that of stage 1, weight for weight; "all": every weight (the thesis)
  bool goal_exact = false;   // exact distances of the candidates to the goal are features too
  double supervised = 0;     // weight of stage 1's loss on its training paths beside A2C's ("all" needs it)
  int goal_width = 256,
      goal_rank = 256;  // tables by which a walker that knows no goals yet learns to compare
  int value_hidden = 64;
  RouteConfig route;     // in training hubs and entities stood on are closed, and nearness goes around hubs
  double imitation = 0;  // weight of hops that people took towards where their dialogues led
  int imitation_batch = 64;
  A2cConfig a2c;
  EnvironmentConfig environment;
  EvaluateConfig evaluate;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("train", train, "Weights that are trained: only those that the goal touches, or all as in the thesis.");
    f("goal_exact", goal_exact,
      "Exact distances of the candidates to the goal are features of the policy; the paper "
      "has none.");
    f("supervised", supervised, "Weight of stage 1's loss on its own training paths beside A2C's.")
        .range(0, 100);
    f("goal_width", goal_width,
      "Width of the embedding's vectors by which a walker of stage 1 that knows no goals is taught to.")
        .range(1, 4096);
    f("goal_rank", goal_rank, "Columns of the distance factors by which such a walker is taught.")
        .range(1, 4096);
    f("value_hidden", value_hidden, "Number of hidden units of the value head.").range(1, 4096);
    f("route", route, "What a route may enter, and how far is looked ahead.");
    f("imitation", imitation,
      "Weight of the hops that people took in training dialogues, with an entity that the dialogue came to "
      "later as the goal.")
        .range(0, 100);
    f("imitation_batch", imitation_batch, "Number of such hops for each update.").range(1, 1e5);
    f("a2c", a2c, "Advantage actor-critic.");
    f("environment", environment, "Episodes and reward.");
    f("evaluate", evaluate, "Evaluations during training.");
    f("trainer", trainer, "Training loop.");
  }
  void check(Problems& problems) const {
    if (train == Stage2Weights::kGoal && supervised > 0)
      problems.add("supervised", "changes weights that train=goal keeps as they are; use train=all");
  }
};

}  // namespace kgwalk::rl
