// Leading a dialogue to a goal with a walker of stage 2: whole trajectories, one hop a turn, while the user
// says what was given, what the simulator makes up, or nothing. No torch in this header.
//
//   auto guide = kgwalk::Guide::open({.database = "kg.db", .run = "runs/agent"});
//   auto trajectory = guide.lead({.start = "Iron Man", .goal = "Christopher Nolan", .turns = 6});
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/planner.h"

namespace kgwalk::rl {
class UserVoice;
}
namespace kgwalk::graph {
class DistanceIndex;
}

namespace kgwalk {

inline constexpr int kMaxTurns = 1000;

struct TrajectoryRequest {
  std::string start;
  std::string goal;
  int turns = 10;                     // hops at most, 1 to kMaxTurns
  std::vector<std::string> say = {};  // what the user says, turn by turn; the guide's user goes on after it
  int shown = 10;                     // candidates kept a turn, 1 to 100000
  std::uint64_t seed = 1;             // of what is made up
};

struct TrajectoryTurn {
  std::string said;          // by the user before the hop; empty: nothing
  PlannedHop hop;            // taken: the most probable one
  PlanBranch branch;         // what was weighed where the hop begins; `hop` is its first candidate
  int distance_to_goal = 0;  // after the hop
};

struct Trajectory {
  TrajectoryRequest request;  // names in the graph's spelling
  int start_to_goal = 0;      // hops of a shortest path
  std::vector<TrajectoryTurn> turns;
  [[nodiscard]] bool reached() const { return !turns.empty() && turns.back().distance_to_goal == 0; }
  [[nodiscard]] int distance_left() const {
    return turns.empty() ? start_to_goal : turns.back().distance_to_goal;
  }
};

struct GuideOptions {
  std::filesystem::path database;
  std::filesystem::path run;        // of a walker
  std::filesystem::path simulator;  // run of the user simulator; empty = the user says nothing by himself
  std::filesystem::path text;       // folder of the text encoder when it has moved since training
};

// Movable, not copyable.
class Guide {
 public:
  // StoreError, FormatError and ConfigError as Planner::open(); FormatError when the simulator is of another graph.
  [[nodiscard]] static Guide open(const GuideOptions& options);
  // Over a planner and a user of the caller's own making (rl/environment/user_voice.h; null = a user who says nothing).
  // Exact distances are computed when the planner has no index.
  Guide(Planner planner, std::unique_ptr<rl::UserVoice> user);
  Guide(Guide&&) noexcept;
  Guide& operator=(Guide&&) noexcept;
  ~Guide();

  // Walks until the goal is reached or `turns` hops are taken. ConfigError: a walker of stage 1; numbers out of range;
  // an unknown start or goal (with the nearest names); a goal that is the start, has no edges or lies in another
  // component. Thread-safe. The same request gives the same trajectory.
  [[nodiscard]] Trajectory lead(const TrajectoryRequest& request) const;

  // These live as long as the guide.
  [[nodiscard]] const Planner& planner() const;
  [[nodiscard]] const rl::UserVoice& user() const;
  [[nodiscard]] const graph::DistanceIndex& index() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk
