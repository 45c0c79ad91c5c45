// The embedded planner: opens a database and a trained walker once, then answers any number
// of concurrent questions.
//
//   auto planner = kgwalk::Planner::open("kg.db", "runs/walker");
//   auto paths = planner.plan({.history = {{"user", "Do you like Iron Man?"}}, .start = "Iron Man", .k = 5});
//   for (const auto& p : paths) std::cout << p.to_string() << ' ' << p.log_prob << '\n';
//
// Nothing here prints or exits; errors are the tree of kgwalk/error.h. No torch in this header.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk::walker {
class WalkModel;
}
namespace kgwalk::graph {
class DistanceIndex;
class KnowledgeGraph;
}  // namespace kgwalk::graph

namespace kgwalk {

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
  friend struct PlanAccess;  // planner/planning.h
  struct Impl;
  explicit Planner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk
