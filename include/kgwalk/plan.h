// What a planner is asked and what it answers (kgwalk/planner.h): values only. No torch in this header.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kgwalk {

struct Utterance {
  std::string speaker;  // "user" or "assistant"
  std::string text;
};

struct NamedHop {
  std::string head, relation, tail;
};

struct PlanRequest {
  std::vector<Utterance> history = {};  // oldest first; text is read from the last ones, names from all
  std::vector<std::vector<NamedHop>> walked = {};  // paths of earlier turns, oldest first
  std::string start;                               // entity to walk from
  std::optional<std::string> goal = {};            // entity to come nearer to
  int k = 5;                                       // paths wanted, 1 to beam
  int beam = 25;
  int max_hops = 2;
};

struct PlannedHop {
  std::string head, relation, tail;
  double probability = 0;  // of this hop among all out-edges of `head` and stopping
};

struct PlannedPath {
  std::vector<PlannedHop> hops;
  double log_prob = 0;  // of all hops and of stopping after the last
  double stop_probability = 0;
  std::optional<int> distance_to_goal;  // hops from the last entity; none without a goal or a way to it
  [[nodiscard]] std::string to_string() const;  // "Iron Man -[directed_by]-> Jon Favreau"
};

// What the walker weighed at one point: the candidates with the highest probability, chosen or not.
struct PlanBranch {
  std::vector<PlannedHop> prefix;  // hops before this point; empty at the start
  std::string at;                  // entity stood on
  double stop_probability = 0;
  std::vector<PlannedHop> candidates;  // best first, at most PlanRequest::beam
  std::size_t num_candidates = 0;      // all out-edges that were scored
};

// How the goal lies to the start.
enum class GoalStanding {
  kNone,       // no goal was given
  kReachable,  // Plan::start_to_goal says how far away it is
  kStart,      // it is the start itself
  kIsolated,   // it has no edges: no walk ends there
  kApart       // no path joins it to the start
};

struct Plan {
  PlanRequest request;  // names in the graph's spelling
  GoalStanding goal_standing = GoalStanding::kNone;
  std::vector<PlannedPath> paths;    // most probable first
  std::vector<PlanBranch> branches;  // the start, and the first hop of every path that could go on
  std::optional<int> start_to_goal;  // hops; nullopt without a goal or when unreachable
};

[[nodiscard]] std::string hops_as_text(int hops);  // "1 hop", "3 hops"

// How the goal lies to the start, in a few words: "goal: B, 3 hops from A", or why it cannot be walked to;
// empty without a goal.
[[nodiscard]] std::string goal_as_text(const Plan& plan);

}  // namespace kgwalk
