// What a planner is asked and what it answers (kgwalk/planner.h): values only, which copy freely and own all
// they hold.
//
// Entities and relations are named as the graph names them. In a request the case of letters does not matter;
// in an answer names are in the graph's own spelling. A relation that is walked against its direction has a
// '~' in front: "~directed_by" leads from a director to the films.
//
// Example:
//   kgwalk::PlanRequest request;
//   request.history = {{"user", "Do you like Iron Man?"}, {"assistant", "Yes, who directed it?"}};
//   request.start = "Iron Man";
//   request.goal = "Christopher Nolan";
//   request.k = 3;
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kgwalk {

inline constexpr int kMaxPathHops = 4;    // longest path that a walker plans in one turn
inline constexpr int kMaxBeam = 100'000;  // widest beam

struct Utterance {
  std::string speaker;  // "user" or "assistant"; another one is a ConfigError
  std::string text;     // UTF-8
};

struct NamedHop {
  std::string head, relation, tail;  // must be an edge of the graph
  // In answers, where the graph's source gave them (kgwalk/graph_details.h); not looked at in a request.
  std::vector<std::string> sources = {};
  std::optional<float> weight = {};
};

// One question to a planner. `start` or a history that names an entity has to be given; a start can be chosen
// by walkers that listen only.
struct PlanRequest {
  std::vector<Utterance> history = {};  // oldest first; text is read from the last ones, names from all
  std::vector<std::vector<NamedHop>> walked = {};  // paths of earlier turns, oldest first
  std::string start = {};                          // entity to walk from; empty = chosen from what was said
  std::optional<std::string> goal = {};            // entity to come nearer to; none = walk freely
  int k = 5;                                       // paths wanted, 1 to beam
  int beam = 25;                                   // partial paths kept in the search, 1 to kMaxBeam
  int max_hops = 2;                                // longest path, 1 to kMaxPathHops
};

struct PlannedHop {
  std::string head, relation, tail;
  double probability = 0;                 // in [0, 1], of this hop among all out-edges of `head` and stopping
  std::vector<std::string> sources = {};  // as in NamedHop
  std::optional<float> weight = {};
};

struct PlannedPath {
  std::vector<PlannedHop> hops;  // at least one, at most PlanRequest::max_hops
  double log_prob = 0;           // natural logarithm: of all hops and of stopping after the last
  double stop_probability = 0;   // in [0, 1]; 1 after max_hops hops
  // Hops of a shortest path from the last entity to the goal; nullopt without a goal or when none leads
  // there.
  std::optional<int> distance_to_goal = {};
  [[nodiscard]] std::string to_string() const;  // "Iron Man -[directed_by]-> Jon Favreau"
};

// What is answered to what was said, by a walker that listens.
enum class AnswerKind {
  kNothingAsked,  // no fact is asked for: the paths tell where the talk may turn to
  kOne,           // entities.front()
  kList,          // all of `entities`
  kYes,
  kNo,      // `fact` decides, where one does
  kNotSaid  // the graph does not say this of the start: see `has`
};

struct StartChoice {
  std::string entity;
  double probability = 0;  // in [0, 1]
};

struct AskedRelation {
  std::string relation;
  double probability = 0;  // in [0, 1]
};

struct AnsweredEntity {
  std::string entity;
  double probability = 0;      // in [0, 1], that it is a right answer
  std::vector<NamedHop> hops;  // the likeliest path to it: what the answer rests on
};

struct PlanAnswer {
  AnswerKind kind = AnswerKind::kNothingAsked;
  double asked = 0;                       // in [0, 1], that a fact is asked for
  double missing = 0;                     // in [0, 1], that the graph does not say it of the start
  std::vector<AskedRelation> heard = {};  // what is asked for, likeliest first: among the start's relations;
                                          // for kNotSaid among all of the graph
  std::vector<AnsweredEntity> entities = {};  // likeliest first
  std::string claim = {};                     // kYes, kNo: what was to be verified
  std::optional<NamedHop> fact = {};
  std::vector<std::string> has = {};  // kNotSaid: the start's relations, nearest to what is asked for first
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
  PlanRequest request;  // as asked, start and goal in the graph's spelling
  GoalStanding goal_standing = GoalStanding::kNone;
  // Most probable first, and before them, where a fact is asked for, those to what answers it; at most
  // PlanRequest::k, none without out-edges.
  std::vector<PlannedPath> paths;
  std::vector<PlanBranch> branches;  // the start, and the first hop of every path that could go on
  // Hops of a shortest path; nullopt without a goal or when none leads there.
  std::optional<int> start_to_goal;
  std::optional<PlanAnswer> answer = {};  // nullopt when the walker does not listen
  std::vector<StartChoice> starts = {};   // where a start was chosen, likeliest first
  // What the assistant says of it (kgwalk/responder.h), for the formats; empty unless a caller puts it there.
  std::string sentence = {};
};

// Sources of the hops, each once, in the order of the hops.
[[nodiscard]] std::vector<std::string> sources_of(const std::vector<NamedHop>& hops);
[[nodiscard]] std::vector<std::string> sources_of(const std::vector<PlannedHop>& hops);

[[nodiscard]] std::string hops_as_text(int hops);  // "1 hop", "3 hops"

// How the goal lies to the start, in a few words: "goal: B, 3 hops from A", or why it cannot be walked to;
// empty without a goal.
[[nodiscard]] std::string goal_as_text(const Plan& plan);

}  // namespace kgwalk
