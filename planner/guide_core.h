// What stands behind a Guide (kgwalk/guide.h): the planner, who speaks for the user, and exact distances.
// Torch-free.
#pragma once

#include <memory>

#include "kgwalk/distances.h"
#include "kgwalk/guide.h"
#include "kgwalk/planner.h"
#include "kgwalk/responder.h"
#include "planner/planner_core.h"
#include "rl/environment/environment.h"
#include "rl/environment/user_voice.h"
#include "rl/environment/walks.h"

namespace kgwalk {

class GuideCore {
 public:
  // `route`: which hops a trajectory may take, and how far the walker looks ahead. `responder`: null = nobody
  // speaks for the assistant.
  GuideCore(Planner planner, std::unique_ptr<const rl::UserVoice> user, const rl::RouteConfig& route = {},
            std::shared_ptr<const Responder> responder = nullptr);

  [[nodiscard]] Trajectory lead(const TrajectoryRequest& request) const;

  [[nodiscard]] const Planner& planner() const { return planner_; }
  [[nodiscard]] const PlannerCore& planning() const { return planner_.core(); }
  [[nodiscard]] const rl::UserVoice& user() const { return *user_; }
  [[nodiscard]] const graph::ExactDistances& distances() const { return planner_.distances(); }

 private:
  // One turn in which the user may have said something last. False when that asks nothing that a hop answers.
  bool answer(rl::Episode& episode, int shown, TrajectoryTurn& turn) const;
  // False where nothing may be entered.
  bool walk_on(rl::Episode& episode, int shown, const rl::Chooser& choose, TrajectoryTurn& turn) const;
  // The hop taken; null where it is the likeliest one in any case.
  [[nodiscard]] rl::Chooser chooser() const;
  // What is said of a plan, which joins what was said.
  void speak(rl::Episode& episode, Plan plan, TrajectoryTurn& turn) const;

  Planner planner_;
  std::unique_ptr<const rl::UserVoice> user_;
  rl::RouteConfig route_;
  std::shared_ptr<const Responder> responder_;
};

}  // namespace kgwalk
