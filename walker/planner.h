// The embedded planner: opens a database and a trained walker once, then answers any number of concurrent
// questions.
//
//   auto planner = kgwalk::Planner::open("kg.db", "runs/walker");
//   auto paths = planner.plan({.history = {{"user", "Do you like Iron Man?"}}, .start = "Iron Man", .k = 5});
//   for (const auto& p : paths) std::cout << p.to_string() << ' ' << p.log_prob << '\n';
//
// Nothing here prints or exits; errors are the tree of runtime/error.h. No torch in this header.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kgwalk::walker {
class WalkModel;
}
namespace kgwalk::graph {
class DistanceIndex;
class KnowledgeGraph;
}  // namespace kgwalk::graph

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
  int distance_to_goal =
      -1;  // hops from the last entity; -1 without a goal or when the goal cannot be reached
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

class Planner {
 public:
  struct Options {
    int threads = 0;                  // 0 = leave the thread pools as they are
    std::filesystem::path text = {};  // folder of the text encoder when it has moved since training
  };

  // StoreError, FormatError (not a walker's run, other graph: checksums disagree), ConfigError.
  [[nodiscard]] static Planner open(const std::filesystem::path& database, const std::filesystem::path& run,
                                    const Options& options);
  [[nodiscard]] static Planner open(const std::filesystem::path& database, const std::filesystem::path& run);

  // A model of stage 1 does not know the goal, only distances to it are told; one of stage 2 heads for it.
  enum class Stage { kOne, kTwo };
  // Over a model of the caller's own making (walker/model.h).
  [[nodiscard]] static Planner over(std::unique_ptr<walker::WalkModel> model, Stage stage = Stage::kOne);

  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;
  ~Planner();

  // Thread-safe. ConfigError names what is wrong: an unknown start, goal, relation or speaker (with the
  // nearest names), k or beam out of range. A start without out-edges gives no paths.
  [[nodiscard]] std::vector<PlannedPath> plan(const PlanRequest& request) const;
  [[nodiscard]] Plan explain(const PlanRequest& request) const;

  // How a goal lies to a start, nothing planned: a plan without paths. ConfigError for unknown names.
  [[nodiscard]] Plan survey(const std::string& start, const std::string& goal) const;

  [[nodiscard]] Stage stage() const;
  [[nodiscard]] const graph::KnowledgeGraph& graph() const;
  // Exact distances as the database holds them; null when it has none. Lives as long as the planner.
  [[nodiscard]] const graph::DistanceIndex* index() const;

 private:
  struct Impl;
  explicit Planner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk
