#include "kgwalk/guide.h"

#include <fmt/format.h>

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "planner/planning.h"
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

}  // namespace

struct Guide::Impl {
  Planner planner;
  std::unique_ptr<rl::UserVoice> user;
  std::unique_ptr<const graph::DistanceIndex> own_index;

  const graph::DistanceIndex& index() const { return own_index ? *own_index : *planner.index(); }
};

Guide::Guide(Planner planner, std::unique_ptr<rl::UserVoice> user)
    : impl_(std::make_unique<Impl>(Impl{std::move(planner), std::move(user), nullptr})) {
  if (impl_->user == nullptr) impl_->user = std::make_unique<rl::SilentUser>();
  if (impl_->planner.index() == nullptr)
    impl_->own_index =
        std::make_unique<const graph::DistanceIndex>(graph::DistanceIndex::build(impl_->planner.graph()));
}

Guide::Guide(Guide&&) noexcept = default;
Guide& Guide::operator=(Guide&&) noexcept = default;
Guide::~Guide() = default;

const Planner& Guide::planner() const { return impl_->planner; }
const rl::UserVoice& Guide::user() const { return *impl_->user; }
const graph::DistanceIndex& Guide::index() const { return impl_->index(); }

Guide Guide::open(const GuideOptions& options) {
  Planner planner = Planner::open(options.database, options.run, {.threads = 0, .text = options.text});
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  return {std::move(planner), rl::open_user(store, options.simulator, options.text)};
}

Trajectory Guide::lead(const TrajectoryRequest& request) const {
  check(request, planner());
  const graph::KnowledgeGraph& graph = planner().graph();
  const Plan survey = planner().survey(request.start, request.goal);
  if (survey.goal_standing != GoalStanding::kReachable) throw ConfigError(goal_as_text(survey));
  Trajectory trajectory{request, *survey.start_to_goal, {}};
  trajectory.request.start = survey.request.start;
  trajectory.request.goal = *survey.request.goal;

  const rl::ScriptedUser user(request.say, *impl_->user);
  Random random(request.seed, 29);
  rl::Episode episode =
      rl::begin_episode({graph::entity_named(graph, request.start), graph::entity_named(graph, request.goal),
                         static_cast<graph::Distance>(*survey.start_to_goal)});
  while (episode.distance > 0 && episode.hops < request.turns) {
    const std::size_t said = episode.situation.context.size();
    rl::Episode* const episodes[] = {&episode};
    rl::let_user_speak(episodes, user, random);
    WeighedHop weighed = PlanAccess::weigh(planner(), episode.situation, request.shown);
    TrajectoryTurn turn;
    turn.branch = std::move(weighed.branch);
    turn.hop = turn.branch.candidates.front();
    if (episode.situation.context.size() > said) turn.said = episode.situation.context.back().text;
    rl::take_hop(episode, weighed.edge, index());
    turn.distance_to_goal = episode.distance;
    trajectory.turns.push_back(std::move(turn));
  }
  return trajectory;
}

}  // namespace kgwalk
