#include "kgwalk/planner.h"

#include <fmt/format.h>

#include <utility>

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/store.h"
#include "planner/planner_core.h"
#include "planner/speakers.h"
#include "rl/training/run.h"
#include "runtime/tensor/torch_threads.h"

namespace kgwalk {
namespace {

using graph::entity_named;
using graph::EntityId;

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

walker::Example make_example(const graph::KnowledgeGraph& graph, const PlanRequest& request) {
  walker::Example example;
  example.context = chats_of(request.history);
  for (const std::vector<NamedHop>& path : request.walked) {
    for (const NamedHop& hop : path) example.walked.push_back(resolve_hop(graph, hop));
    example.path_ends.push_back(static_cast<std::uint32_t>(example.walked.size()));
  }
  if (!request.start.empty()) example.start = entity_named(graph, request.start, "start");
  if (request.goal) example.goal = entity_named(graph, *request.goal, "goal");
  return example;
}

}  // namespace

Planner::Planner(std::unique_ptr<const PlannerCore> core) : core_(std::move(core)) {}
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;
Planner::~Planner() = default;

Planner Planner::open(const std::filesystem::path& database, const std::filesystem::path& run,
                      const Options& options) {
  if (options.threads > 0) set_torch_threads(options.threads);
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const walker::WalkerRun opened = rl::open_walker_run(run);
  auto model = walker::open_walker(store, opened, {.text = options.text, .other_graph = options.other_graph});
  const Stage stage = rl::is_stage2(opened) ? Stage::kTwo : Stage::kOne;
  auto distances = graph::open_distances(store, model->graph());
  return Planner(std::make_unique<const PlannerCore>(std::move(model), stage, std::move(distances)));
}

Planner Planner::open(const std::filesystem::path& database, const std::filesystem::path& run) {
  return open(database, run, Options{});
}

Planner Planner::open(const std::filesystem::path& model) {
  const PackedModel packed = PackedModel::open(model);
  return open(packed.database, packed.run, {.threads = 0, .text = packed.text});
}

std::vector<PlannedPath> Planner::plan(const PlanRequest& request) const { return explain(request).paths; }

Plan Planner::explain(const PlanRequest& request) const {
  const SearchWidths widths{.k = request.k, .beam = request.beam, .max_hops = request.max_hops};
  walker::Example situation = make_example(graph(), request);
  std::vector<walker::ChosenStart> starts;
  if (request.start.empty()) {
    starts = core_->starts(situation);
    if (starts.empty())
      throw ConfigError(
          "no start is given, and none was found: name an entity in what was said (a walker that listens "
          "finds it) or "
          "give the start");
    situation.start = starts.front().entity;
  }
  Findings found = core_->plan(situation, widths);
  found.starts = std::move(starts);
  Plan plan = named(graph(), found);
  PlanRequest asked = request;
  asked.start = std::move(plan.request.start);
  asked.goal = std::move(plan.request.goal);
  plan.request = std::move(asked);
  return plan;
}

Plan Planner::survey(const std::string& start, const std::string& goal) const {
  const EntityId from = entity_named(graph(), start, "start");
  return named(graph(), core_->survey(from, entity_named(graph(), goal, "goal")));
}

Planner::Stage Planner::stage() const { return core_->stage(); }

const graph::KnowledgeGraph& Planner::graph() const { return core_->graph(); }

const graph::ExactDistances& Planner::distances() const { return core_->distances(); }

}  // namespace kgwalk
