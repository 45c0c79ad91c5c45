#include "kgwalk/plan.h"

#include <fmt/format.h>

namespace kgwalk {

std::string hops_as_text(int hops) { return fmt::format("{} {}", hops, hops == 1 ? "hop" : "hops"); }

std::string PlannedPath::to_string() const {
  if (hops.empty()) return "(stay)";
  std::string text = hops.front().head;
  for (const PlannedHop& hop : hops) text += fmt::format(" -[{}]-> {}", hop.relation, hop.tail);
  return text;
}

std::string goal_as_text(const Plan& plan) {
  const std::string goal = "goal: " + plan.request.goal.value_or("");
  const std::string& start = plan.request.start;
  switch (plan.goal_standing) {
    case GoalStanding::kNone:
      return "";
    case GoalStanding::kReachable:
      return fmt::format("{}, {} from {}", goal, hops_as_text(*plan.start_to_goal), start);
    case GoalStanding::kStart:
      return goal + ", which is the start itself: there is nothing to walk";
    case GoalStanding::kIsolated:
      return fmt::format("{}, which cannot be reached from {}: it has no edges in the graph", goal, start);
    case GoalStanding::kApart:
      return fmt::format("{}, which cannot be reached from {}: no path joins them", goal, start);
  }
  return goal;
}

}  // namespace kgwalk
