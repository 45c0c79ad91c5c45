// What stands behind a Planner (kgwalk/planner.h): questions and answers on ids. Names are resolved once at
// the door and written once on the way out; guide and conversation, which go from hop to hop, stay inside.
// Torch-free.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan.h"
#include "kgwalk/planner.h"
#include "planner/spoken_start.h"
#include "walker/example.h"
#include "walker/model.h"
#include "walker/search/answers.h"

namespace kgwalk {

// How far a search goes: as in PlanRequest.
struct SearchWidths {
  int k = 5;
  int beam = 25;
  int max_hops = 2;
  bool hears = true;  // what is asked; false where somebody else has heard that nothing is
};

struct FoundHop {
  graph::Triple triple{};
  double probability = 0;
};

struct FoundPath {
  std::vector<FoundHop> hops;
  double log_prob = 0;
  double stop_probability = 0;
  std::optional<int> distance_to_goal = {};
  [[nodiscard]] graph::EntityId end() const { return hops.back().triple.tail; }
};

struct FoundBranch {
  std::vector<FoundHop> prefix;  // hops before this point
  graph::EntityId at = 0;
  double stop_probability = 0;
  std::vector<FoundHop> candidates;
  std::size_t num_candidates = 0;
};

// A Plan on ids; its members mean what they mean there.
struct Findings {
  graph::EntityId start = 0;
  std::optional<graph::EntityId> goal = {};
  GoalStanding goal_standing = GoalStanding::kNone;
  std::optional<int> start_to_goal = {};
  std::vector<FoundPath> paths = {};
  std::vector<FoundBranch> branches = {};
  std::optional<walker::Answer> answer = {};     // nullopt when the walker does not listen
  std::optional<graph::EntityId> claim = {};     // of a question to be verified
  std::vector<walker::ChosenStart> starts = {};  // where the start was chosen
  [[nodiscard]] bool asked() const { return answer && answer->act != walker::Act::kNothing; }
};

class PlannerCore {
 public:
  // `distances`: of the model's graph; null = rows that are searched for.
  PlannerCore(std::unique_ptr<const walker::WalkModel> model, Planner::Stage stage,
              std::unique_ptr<const graph::ExactDistances> distances = nullptr);

  // The best paths from `situation.start`. Its goal may be any entity: a walker that cannot head for it walks
  // freely, and distances are told all the same. ConfigError when a width is out of range. Thread-safe.
  [[nodiscard]] Findings plan(const walker::Example& situation, const SearchWidths& widths) const;
  // Natural logarithms of the probabilities of one hop from each situation's start, edge by edge in the
  // graph's order. The goal counts as in plan(). Thread-safe.
  [[nodiscard]] std::vector<std::vector<float>> weigh(std::vector<walker::Example> situations) const;
  // Where to start, best first (planner/spoken_start.h); empty when nothing was named or walked, or the
  // walker does not listen.
  [[nodiscard]] std::vector<walker::ChosenStart> starts(const walker::Example& situation) const {
    return named_first(model_->choose_start(situation),
                       situation.context.empty() ? std::string_view() : situation.context.back().text);
  }
  // Whether what was said last asks something; false for a walker that does not listen. Thread-safe.
  [[nodiscard]] bool hears_question(const walker::Example& situation) const;
  // How a goal lies to a start, nothing planned.
  [[nodiscard]] Findings survey(graph::EntityId start, graph::EntityId goal) const;

  [[nodiscard]] Planner::Stage stage() const { return stage_; }
  [[nodiscard]] const graph::KnowledgeGraph& graph() const { return model_->graph(); }
  [[nodiscard]] const walker::WalkModel& model() const { return *model_; }
  [[nodiscard]] const graph::ExactDistances& distances() const { return *distances_; }

 private:
  void add_distances(Findings& found) const;
  void prepare(walker::Example& example) const;

  std::unique_ptr<const walker::WalkModel> model_;
  Planner::Stage stage_;
  std::unique_ptr<const graph::ExactDistances> distances_;
};

// Ids as the names of a graph. The request of the plan holds start and goal only.
[[nodiscard]] PlannedHop named(const graph::KnowledgeGraph& graph, const FoundHop& hop);
[[nodiscard]] std::vector<PlannedHop> named(const graph::KnowledgeGraph& graph,
                                            std::span<const FoundHop> hops);
[[nodiscard]] PlanBranch named(const graph::KnowledgeGraph& graph, const FoundBranch& branch);
[[nodiscard]] Plan named(const graph::KnowledgeGraph& graph, const Findings& found);

}  // namespace kgwalk
