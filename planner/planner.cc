#include "kgwalk/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "graph/entity_named.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "planner/planning.h"
#include "rl/training/run.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "walker/search/search.h"

namespace kgwalk {
namespace {

using graph::Distance;
using graph::Edge;
using graph::entity_named;
using graph::EntityId;
using walker::CandidateScores;
using walker::PartialPath;
using walker::ScoredPath;

graph::Speaker parse_speaker(const std::string& speaker) {
  if (speaker == "user") return graph::Speaker::kUser;
  if (speaker == "assistant") return graph::Speaker::kAssistant;
  throw ConfigError(fmt::format("speaker '{}' is unknown; use 'user' or 'assistant'", speaker));
}

graph::Triple resolve_hop(const graph::KnowledgeGraph& graph, const NamedHop& hop) {
  const EntityId head = entity_named(graph, hop.head, "walked entity"),
                 tail = entity_named(graph, hop.tail, "walked entity");
  const auto relation = graph.find_relation(hop.relation);
  if (!relation) throw ConfigError(fmt::format("walked relation '{}' is not in the graph", hop.relation));
  const graph::Triple triple{head, *relation, tail};
  if (!graph.has_edge(triple))
    throw ConfigError(
        fmt::format("walked hop {} -[{}]-> {} is no edge of the graph", hop.head, hop.relation, hop.tail));
  return triple;
}

void check_numbers(const PlanRequest& request) {
  Problems problems;
  if (request.beam < 1 || request.beam > 100000) problems.add("beam", "must be from 1 to 100000");
  if (request.k < 1 || request.k > request.beam) problems.add("k", "must be from 1 to beam");
  if (request.max_hops < 1 || request.max_hops > walker::kMaxHops)
    problems.add("max_hops", fmt::format("must be from 1 to {}", walker::kMaxHops));
  problems.throw_if_any("plan request");
}

walker::Example make_example(const graph::KnowledgeGraph& graph, const PlanRequest& request) {
  walker::Example example;
  for (const Utterance& u : request.history) example.context.push_back({parse_speaker(u.speaker), u.text});
  for (const std::vector<NamedHop>& path : request.walked) {
    for (const NamedHop& hop : path) example.walked.push_back(resolve_hop(graph, hop));
    example.path_ends.push_back(static_cast<std::uint32_t>(example.walked.size()));
  }
  example.start = entity_named(graph, request.start, "start");
  return example;
}

// The prefixes that the answer shows, with the scores that the search got for them.
class Prefixes {
 public:
  Prefixes(const walker::WalkModel& model, const walker::Example& example,
           const std::vector<ScoredPath>& paths, int max_hops, walker::SearchTrace trace)
      : graph_(model.graph()), start_(example.start), scores_(std::move(trace.scores)) {
    std::map<Key, std::size_t> scored;
    for (std::size_t i = 0; i < trace.states.size(); ++i) scored.emplace(key(trace.states[i]), i);
    const auto add = [&](const PartialPath& state) {
      if (!places_.try_emplace(key(state), states_.size()).second) return;
      states_.push_back(state);
      segments_.push_back(scored.at(key(state)));
    };
    add(PartialPath{});
    for (const ScoredPath& path : paths)
      for (int hops = 1; hops <= path.num_hops && hops < max_hops; ++hops) add(cut(path, hops));
  }

  [[nodiscard]] const std::vector<PartialPath>& states() const { return states_; }
  [[nodiscard]] EntityId at(const PartialPath& state) const {
    return state.num_hops == 0 ? start_ : state.hops[static_cast<std::size_t>(state.num_hops - 1)].tail;
  }
  // Log-probabilities of the out-edges of state i's entity, then of stopping.
  [[nodiscard]] std::span<const float> segment(std::size_t i) const {
    const auto begin = static_cast<std::size_t>(scores_.offsets[segments_[i]]),
               end = static_cast<std::size_t>(scores_.offsets[segments_[i] + 1]);
    return std::span(scores_.log_probs).subspan(begin, end - begin);
  }
  // nullopt when the prefix was not scored (it has max_hops hops).
  [[nodiscard]] std::optional<std::size_t> find(const ScoredPath& path, int hops) const {
    const auto it = places_.find(key(cut(path, hops)));
    return it == places_.end() ? std::nullopt : std::optional(it->second);
  }
  [[nodiscard]] PlannedHop hop(std::size_t state, std::size_t edge_index) const {
    const EntityId head = at(states_[state]);
    const Edge edge = graph_.out_edges(head)[edge_index];
    return {std::string(graph_.entity_name(head)), std::string(graph_.relation_name(edge.relation)),
            std::string(graph_.entity_name(edge.tail)),
            std::exp(static_cast<double>(segment(state)[edge_index]))};
  }
  [[nodiscard]] PlannedHop hop(std::size_t state, Edge edge) const {
    const auto edges = graph_.out_edges(at(states_[state]));
    return hop(state,
               static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin()));
  }
  // The hops that lead to state i.
  [[nodiscard]] std::vector<PlannedHop> hops_to(std::size_t i) const {
    const Key walked = key(states_[i]);
    std::vector<PlannedHop> hops;
    for (std::size_t h = 0; h < walked.size(); ++h)
      hops.push_back(
          hop(places_.at(Key(walked.begin(), walked.begin() + static_cast<std::ptrdiff_t>(h))), walked[h]));
    return hops;
  }
  [[nodiscard]] double stop_probability(std::size_t state) const { return std::exp(segment(state).back()); }

 private:
  using Key = std::vector<Edge>;
  static Key key(const PartialPath& state) {
    return {state.hops.begin(), state.hops.begin() + state.num_hops};
  }
  static PartialPath cut(const ScoredPath& path, int hops) {
    PartialPath state;
    state.num_hops = hops;
    std::copy_n(path.hops.begin(), hops, state.hops.begin());
    return state;
  }

  const graph::KnowledgeGraph& graph_;
  EntityId start_;
  CandidateScores scores_;             // of all that the search expanded
  std::vector<PartialPath> states_;    // shown
  std::vector<std::size_t> segments_;  // place of each in scores_
  std::map<Key, std::size_t> places_;  // its index in states_
};

PlannedPath planned_path(const Prefixes& prefixes, const ScoredPath& path) {
  PlannedPath out;
  out.log_prob = path.log_prob;
  for (int i = 0; i < path.num_hops; ++i)
    out.hops.push_back(prefixes.hop(*prefixes.find(path, i), path.hops[static_cast<std::size_t>(i)]));
  const auto end = prefixes.find(path, path.num_hops);
  out.stop_probability = end ? prefixes.stop_probability(*end) : 1.0;
  return out;
}

WeighedHop planned_branch(const graph::KnowledgeGraph& graph, const Prefixes& prefixes, std::size_t state,
                          int beam) {
  const PartialPath& partial = prefixes.states()[state];
  WeighedHop weighed;
  PlanBranch& branch = weighed.branch;
  branch.prefix = prefixes.hops_to(state);
  branch.at = graph.entity_name(prefixes.at(partial));
  branch.stop_probability = prefixes.stop_probability(state);
  const auto segment = prefixes.segment(state);
  branch.num_candidates = segment.size() - 1;
  std::vector<std::size_t> order(branch.num_candidates);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const std::size_t kept = std::min(order.size(), static_cast<std::size_t>(beam));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return segment[a] > segment[b] || (segment[a] == segment[b] && a < b);
                    });
  for (std::size_t i = 0; i < kept; ++i) branch.candidates.push_back(prefixes.hop(state, order[i]));
  if (kept > 0) weighed.edge = graph.out_edges(prefixes.at(partial))[order[0]];
  return weighed;
}

}  // namespace

struct Planner::Impl {
  std::unique_ptr<walker::WalkModel> model;
  std::optional<graph::DistanceIndex> index;
  Stage stage = Stage::kOne;

  const graph::KnowledgeGraph& graph() const { return model->graph(); }

  // Hops from each of `from` to `goal`: from the stored index, or one breadth-first search.
  std::vector<Distance> distances(std::span<const EntityId> from, EntityId goal) const {
    std::vector<Distance> out;
    if (index) {
      for (const EntityId entity : from) out.push_back(index->distance(entity, goal));
      return out;
    }
    const std::vector<Distance> row = graph::distance_rows(graph(), {&goal, 1});
    for (const EntityId entity : from)
      out.push_back(entity == goal ? Distance{0} : entity < row.size() ? row[entity] : graph::kUnreachable);
    return out;
  }

  void add_distances(Plan& plan, EntityId start, EntityId goal, std::span<const ScoredPath> paths) const {
    plan.request.goal = std::string(graph().entity_name(goal));
    std::vector<EntityId> ends{start};
    for (const ScoredPath& path : paths)
      ends.push_back(path.hops[static_cast<std::size_t>(path.num_hops - 1)].tail);
    const std::vector<Distance> hops = distances(ends, goal);
    if (hops[0] != graph::kUnreachable) plan.start_to_goal = hops[0];
    plan.goal_standing = goal == start                     ? GoalStanding::kStart
                         : goal >= graph().num_connected() ? GoalStanding::kIsolated
                         : plan.start_to_goal.has_value()  ? GoalStanding::kReachable
                                                           : GoalStanding::kApart;
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (hops[i + 1] != graph::kUnreachable) plan.paths[i].distance_to_goal = hops[i + 1];
  }

  Plan survey(const std::string& from, const std::string& goal) const {
    const EntityId start = entity_named(graph(), from, "start"), end = entity_named(graph(), goal, "goal");
    Plan plan;
    plan.request.start = std::string(graph().entity_name(start));
    add_distances(plan, start, end, {});
    return plan;
  }

  Plan explain(const PlanRequest& request) const {
    check_numbers(request);
    walker::Example example = make_example(graph(), request);
    if (request.goal) example.goal = entity_named(graph(), *request.goal, "goal");
    return explain(example, request);
  }

  // The example as the model hears it: after the assistant the user speaks; a walker of stage 1 is told no goal, and
  // nobody heads for one that no walk reaches.
  walker::Example heard(walker::Example example) const {
    const bool after_assistant =
        !example.context.empty() && example.context.back().speaker == graph::Speaker::kAssistant;
    example.speaker = after_assistant ? graph::Speaker::kUser : graph::Speaker::kAssistant;
    if (example.goal &&
        (stage == Stage::kOne || *example.goal >= graph().num_connected() || *example.goal == example.start))
      example.goal.reset();
    return example;
  }

  // `request` is the situation in names.
  Plan explain(const walker::Example& situation, const PlanRequest& request) const {
    const walker::Example example = heard(situation);
    const walker::SearchConfig search{.beam = request.beam, .max_hops = request.max_hops};
    walker::SearchTrace trace;
    std::vector<ScoredPath> paths = walker::beam_paths(*model, {&example, 1}, search, &trace).front();
    paths.resize(std::min(paths.size(), static_cast<std::size_t>(request.k)));

    Plan plan;
    plan.request = request;
    plan.request.start = std::string(graph().entity_name(example.start));
    const Prefixes prefixes(*model, example, paths, request.max_hops, std::move(trace));
    for (const ScoredPath& path : paths) plan.paths.push_back(planned_path(prefixes, path));
    for (std::size_t i = 0; i < prefixes.states().size(); ++i)
      plan.branches.push_back(planned_branch(graph(), prefixes, i, request.beam).branch);
    if (situation.goal) add_distances(plan, example.start, *situation.goal, paths);
    return plan;
  }

  WeighedHop weigh(const walker::Example& situation, int shown) const {
    const walker::Example example = heard(situation);
    walker::SearchTrace trace;
    const auto found = walker::beam_paths(*model, {&example, 1}, {.beam = shown, .max_hops = 1}, &trace);
    const Prefixes prefixes(*model, example, {}, 1, std::move(trace));
    return planned_branch(graph(), prefixes, 0, shown);
  }
};

Planner::Planner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;
Planner::~Planner() = default;

Planner Planner::open(const std::filesystem::path& database, const std::filesystem::path& run,
                      const Options& options) {
  if (options.threads > 0) set_torch_threads(options.threads);
  auto impl = std::make_unique<Impl>();
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const walker::WalkerRun opened = rl::open_walker_run(run);
  impl->model = walker::open_walker(store, opened, {.text = options.text});
  impl->stage = rl::is_stage2(opened) ? Stage::kTwo : Stage::kOne;
  impl->index = graph::DistanceIndex::load(store);
  return Planner(std::move(impl));
}

Planner Planner::open(const std::filesystem::path& database, const std::filesystem::path& run) {
  return open(database, run, Options{});
}

Planner Planner::over(std::unique_ptr<walker::WalkModel> model, Stage stage) {
  auto impl = std::make_unique<Impl>();
  impl->model = std::move(model);
  impl->stage = stage;
  return Planner(std::move(impl));
}

std::vector<PlannedPath> Planner::plan(const PlanRequest& request) const {
  return impl_->explain(request).paths;
}

Plan Planner::explain(const PlanRequest& request) const { return impl_->explain(request); }

Plan Planner::survey(const std::string& start, const std::string& goal) const {
  return impl_->survey(start, goal);
}

Planner::Stage Planner::stage() const { return impl_->stage; }

PlanRequest request_of(const graph::KnowledgeGraph& graph, const walker::Example& situation) {
  PlanRequest request;
  for (const graph::Chat& chat : situation.context)
    request.history.push_back({chat.speaker == graph::Speaker::kUser ? "user" : "assistant", chat.text});
  std::size_t begin = 0;
  for (const std::uint32_t end : situation.path_ends) {
    std::vector<NamedHop>& path = request.walked.emplace_back();
    for (; begin < end; ++begin) {
      const graph::Triple& hop = situation.walked[begin];
      path.push_back({std::string(graph.entity_name(hop.head)),
                      std::string(graph.relation_name(hop.relation)),
                      std::string(graph.entity_name(hop.tail))});
    }
  }
  request.start = std::string(graph.entity_name(situation.start));
  if (situation.goal) request.goal = std::string(graph.entity_name(*situation.goal));
  return request;
}

Plan PlanAccess::explain(const Planner& planner, const walker::Example& situation, const PlanLimits& limits) {
  PlanRequest request = request_of(planner.graph(), situation);
  request.k = limits.k;
  request.beam = limits.beam;
  request.max_hops = limits.max_hops;
  check_numbers(request);
  return planner.impl_->explain(situation, request);
}

WeighedHop PlanAccess::weigh(const Planner& planner, const walker::Example& situation, int shown) {
  return planner.impl_->weigh(situation, shown);
}

const graph::KnowledgeGraph& Planner::graph() const { return impl_->graph(); }

const graph::DistanceIndex* Planner::index() const { return impl_->index ? &*impl_->index : nullptr; }

}  // namespace kgwalk
