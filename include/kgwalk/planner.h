// The embedded planner: opens a database and a trained walker once, then answers any number of questions:
// which paths of the knowledge graph does a speaker naturally turn to next?
//
// Example:
//   const auto planner = kgwalk::Planner::open("kg.db", "runs/walker");
//   const auto paths =
//       planner.plan({.history = {{"user", "Do you like Iron Man?"}}, .start = "Iron Man", .k = 5});
//   for (const auto& path : paths) std::cout << path.log_prob << "  " << path.to_string() << '\n';
//
//   // With a goal: what was weighed, and how far away it is.
//   const auto plan = planner.explain({.start = "Iron Man", .goal = "Christopher Nolan"});
//   std::cout << kgwalk::goal_as_text(plan) << '\n';
//
// A planner owns all that it opened and needs no database any more; it holds the graph and the weights in
// memory. All const functions are thread-safe: any number of threads may ask one planner at once. Answers do
// not depend on the number of threads. Nothing here prints or exits; errors are the tree of kgwalk/error.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk::graph {
class ExactDistances;
class KnowledgeGraph;
}  // namespace kgwalk::graph

namespace kgwalk {

class PlannerCore;  // private

class Planner {
 public:
  struct Options {
    // Threads of this process, from 1; 0 = leave them as they are. They are shared with all else that
    // computes (kgwalk/threads.h).
    int threads = 0;
    // Folder of the text encoder, when it no longer lies where it lay at training; empty = where it lay.
    std::filesystem::path text = {};
    // The database may hold another graph than the one trained on. A walker of stage 1 that listens then
    // answers what is asked, since it reads relations by their words; where nothing is asked every edge is as
    // likely to it, as habits are those of the graph trained on. Without this another graph is refused.
    bool other_graph = false;
  };

  // `database` is a folder made by ingestion, `run` a folder of a trained walker of either stage. Takes
  // seconds: the graph and the weights are read. StoreError: the database is missing, damaged or locked by a
  // writer. FormatError: `run` is no walker's, or one of another graph (checksums disagree). ConfigError:
  // what the walker needs is missing, as its text encoder.
  [[nodiscard]] static Planner open(const std::filesystem::path& database, const std::filesystem::path& run,
                                    const Options& options);
  [[nodiscard]] static Planner open(const std::filesystem::path& database, const std::filesystem::path& run);
  // A packed model (kgwalk/packed_model.h), folder or file, with the errors of PackedModel::open().
  [[nodiscard]] static Planner open(const std::filesystem::path& model);

  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;
  ~Planner();

  // The most probable paths from the start, best first. A start without out-edges gives none. ConfigError
  // names what is wrong: an unknown start, goal, relation or speaker (with the nearest names), a walked hop
  // that is no edge, text that is not UTF-8, k, beam or max_hops out of range (all of them at once).
  [[nodiscard]] std::vector<PlannedPath> plan(const PlanRequest& request) const;
  // The same paths with what was weighed on the way, and how the goal lies.
  [[nodiscard]] Plan explain(const PlanRequest& request) const;

  // How a goal lies to a start, nothing planned: a plan without paths. ConfigError for unknown names.
  [[nodiscard]] Plan survey(const std::string& start, const std::string& goal) const;

  // A walker of stage 1 does not know the goal, only distances to it are told; one of stage 2 heads for it.
  enum class Stage { kOne, kTwo };
  [[nodiscard]] Stage stage() const;

  // The graph walked on (kgwalk/knowledge_graph.h). Lives as long as the planner.
  [[nodiscard]] const graph::KnowledgeGraph& graph() const;
  // Exact distances (kgwalk/distances.h): by the index that the database holds, or else by rows that are
  // searched for when a goal is new. Live as long as the planner.
  [[nodiscard]] const graph::ExactDistances& distances() const;

  // For kgwalk's own sources: what stands behind it.
  explicit Planner(std::unique_ptr<const PlannerCore> core);
  [[nodiscard]] const PlannerCore& core() const { return *core_; }

 private:
  std::unique_ptr<const PlannerCore> core_;
};

}  // namespace kgwalk
