// Leading a dialogue to a goal with a walker of stage 2: whole trajectories, one hop a turn, while the user
// says what was given, what the user simulator makes up, or nothing.
//
// Example:
//   const auto guide = kgwalk::Guide::open({.database = "kg.db", .run = "runs/agent"});
//   const auto trajectory = guide.lead({.start = "Iron Man", .goal = "Christopher Nolan", .turns = 6});
//   for (const auto& turn : trajectory.turns)
//     std::cout << turn.hop.relation << " -> " << turn.hop.tail << ", " << turn.distance_to_goal << '\n';
//   if (!trajectory.reached()) std::cout << trajectory.distance_left() << " hops are left\n";
//
// kgwalk/plan_formats.h writes a trajectory as text, json, dot or html. A guide owns its planner and its
// user; all const functions are thread-safe. Nothing here prints or exits; errors are the tree of
// kgwalk/error.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk {

class GuideCore;  // private
class Planner;
class Responder;

inline constexpr int kMaxTurns = 1000;  // of a trajectory

struct TrajectoryRequest {
  std::string start;
  std::string goal;
  int turns = 10;                     // hops at most, 1 to kMaxTurns
  std::vector<std::string> say = {};  // what the user says, turn by turn; the guide's user goes on after it
  int shown = 10;                     // candidates kept a turn, 1 to kMaxBeam
  std::uint64_t seed = 1;             // of what the simulator makes up: the same seed gives the same words
};

struct TrajectoryTurn {
  std::string said;      // by the user before the hop; empty: nothing
  std::string sentence;  // by the assistant about the hop; empty when nobody speaks for it
  PlannedHop
      hop;  // taken: the most probable one, or that of the route which a run that looks ahead has found
  PlanBranch branch;         // what was weighed where the hop begins; `hop` is its first candidate
  int distance_to_goal = 0;  // hops of a shortest path from where the walk goes on; 0 on the goal
  // The user asked something and the hop answers it, or begins to: the walk goes on from `on_from`, the
  // nearest to the goal of where it stood, what was asked about and the answer. Elsewhere `on_from` is the
  // hop's tail.
  bool answers = false;
  std::string on_from = {};
};

struct Trajectory {
  TrajectoryRequest request;          // as asked, names in the graph's spelling
  int start_to_goal = 0;              // hops of a shortest path, from 1
  std::vector<TrajectoryTurn> turns;  // one a hop taken, in order
  [[nodiscard]] bool reached() const { return !turns.empty() && turns.back().distance_to_goal == 0; }
  // Hops of a shortest path from where the walk ended.
  [[nodiscard]] int distance_left() const {
    return turns.empty() ? start_to_goal : turns.back().distance_to_goal;
  }
};

struct GuideOptions {
  std::filesystem::path database;  // made by ingestion
  std::filesystem::path run;       // of a walker
  // Run of the user simulator, or "wordings" for a user who needs no training; empty = the user says nothing.
  std::filesystem::path simulator = {};
  std::filesystem::path text = {};  // folder of the text encoder when it has moved since training
  bool other_graph = false;         // as in Planner::Options
  // Who says each hop (kgwalk/responder.h), which walker and user then hear; null = nobody.
  std::shared_ptr<const Responder> responder = {};
};

class Guide {
 public:
  // Errors as Planner::open; FormatError also when `simulator` is no run of a user simulator, or one of
  // another graph.
  [[nodiscard]] static Guide open(const GuideOptions& options);

  Guide(Guide&&) noexcept;
  Guide& operator=(Guide&&) noexcept;
  ~Guide();

  // Walks until the goal is reached, `turns` hops are taken or, where a run's routes stand on no entity
  // twice, nothing is left to go to; a goal that is not reached is no error. ConfigError: a walker of stage
  // 1; numbers out of range; an unknown start or goal (with the nearest names); a goal that is the start, has
  // no edges or lies in another component.
  [[nodiscard]] Trajectory lead(const TrajectoryRequest& request) const;

  // The planner that the guide asks (kgwalk/planner.h). Lives as long as the guide.
  [[nodiscard]] const Planner& planner() const;

  // For kgwalk's own sources: what stands behind it.
  explicit Guide(std::unique_ptr<const GuideCore> core);
  [[nodiscard]] const GuideCore& core() const { return *core_; }

 private:
  std::unique_ptr<const GuideCore> core_;
};

}  // namespace kgwalk
