#include "planner/guide.h"

#include <fmt/format.h>

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "rl/environment/environment.h"
#include "rl/training/run.h"

namespace kgwalk {
namespace {

void check(const TrajectoryRequest& request, const Planner& planner) {
  if (planner.stage() == Planner::Stage::kOne)
    throw ConfigError("this walker is of stage 1: it knows no goals and cannot lead to one",
                      Remedy{Remedy::kTrain, std::string(rl::kAgentRun.command)});
  Problems problems;
  if (request.turns < 1 || request.turns > kMaxTurns)
    problems.add("turns", fmt::format("must be from 1 to {}", kMaxTurns));
  if (request.shown < 1 || request.shown > 100000) problems.add("shown", "must be from 1 to 100000");
  problems.throw_if_any("trajectory request");
}

graph::Edge edge_of(const graph::KnowledgeGraph& graph, const PlannedHop& hop) {
  return {*graph.find_relation(hop.relation), graph::entity_named(graph, hop.tail)};
}

}  // namespace

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

Guide::Guide(Planner planner, std::unique_ptr<rl::UserVoice> user)
    : planner_(std::move(planner)), user_(std::move(user)) {
  if (planner_.index() == nullptr)
    own_index_ = std::make_unique<const graph::DistanceIndex>(graph::DistanceIndex::build(planner_.graph()));
}

Guide Guide::open(const GuideOptions& options) {
  Planner planner = Planner::open(options.database, options.run, {.threads = 0, .text = options.text});
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  return {std::move(planner), rl::open_user(store, options.simulator, options.text)};
}

Trajectory Guide::lead(const TrajectoryRequest& request) const {
  check(request, planner_);
  const graph::KnowledgeGraph& graph = planner_.graph();
  const Plan survey = planner_.survey(request.start, request.goal);
  if (survey.goal_standing != GoalStanding::kReachable) throw ConfigError(goal_as_text(survey));
  Trajectory trajectory{request, *survey.start_to_goal, {}};
  trajectory.request.start = survey.request.start;
  trajectory.request.goal = *survey.request.goal;

  const rl::ScriptedUser user(request.say, *user_);
  Random random(request.seed, 29);
  rl::Episode episode =
      rl::begin_episode({graph::entity_named(graph, request.start), graph::entity_named(graph, request.goal),
                         static_cast<graph::Distance>(*survey.start_to_goal)});
  while (episode.distance > 0 && episode.hops < request.turns) {
    const std::size_t said = episode.situation.context.size();
    rl::Episode* const episodes[] = {&episode};
    rl::let_user_speak(episodes, user, random);
    PlanRequest step = request_of(graph, episode.situation);
    step.k = 1;
    step.beam = request.shown;
    step.max_hops = 1;
    TrajectoryTurn turn;
    turn.branch = std::move(planner_.explain(step).branches.front());
    turn.hop = turn.branch.candidates.front();
    if (episode.situation.context.size() > said) turn.said = episode.situation.context.back().text;
    rl::take_hop(episode, edge_of(graph, turn.hop), index());
    turn.distance_to_goal = episode.distance;
    trajectory.turns.push_back(std::move(turn));
  }
  return trajectory;
}

}  // namespace kgwalk
