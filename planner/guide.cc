#include "kgwalk/guide.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "planner/guide_core.h"
#include "rl/environment/environment.h"
#include "rl/environment/route_search.h"
#include "rl/environment/side_questions.h"
#include "rl/training/estimate.h"
#include "rl/training/run.h"
#include "walker/features/candidates.h"

namespace kgwalk {
namespace {

void check(const TrajectoryRequest& request, Planner::Stage stage) {
  if (stage == Planner::Stage::kOne)
    throw ConfigError("this walker is of stage 1: it knows no goals and cannot lead to one",
                      Remedy{Remedy::kTrain, std::string(rl::kAgentRun.command)});
  Problems problems;
  if (request.turns < 1 || request.turns > kMaxTurns)
    problems.add("turns", fmt::format("must be from 1 to {}", kMaxTurns));
  if (request.shown < 1 || request.shown > kMaxBeam)
    problems.add("shown", fmt::format("must be from 1 to {}", kMaxBeam));
  problems.throw_if_any("trajectory request");
}

// What was taken stands first among what was weighed.
void take(const PlannedHop& hop, TrajectoryTurn& turn) {
  turn.hop = hop;
  std::vector<PlannedHop>& candidates = turn.branch.candidates;
  std::erase_if(candidates, [&](const PlannedHop& candidate) {
    return candidate.relation == hop.relation && candidate.tail == hop.tail;
  });
  candidates.insert(candidates.begin(), hop);
}

}  // namespace

GuideCore::GuideCore(Planner planner, std::unique_ptr<const rl::UserVoice> user, const rl::RouteConfig& route,
                     std::shared_ptr<const Responder> responder)
    : planner_(std::move(planner)), user_(std::move(user)), route_(route), responder_(std::move(responder)) {}

void GuideCore::speak(rl::Episode& episode, Plan plan, TrajectoryTurn& turn) const {
  if (!responder_) return;
  auto& context = episode.situation.context;
  for (const graph::Chat& chat : context)
    plan.request.history.push_back({chat.speaker == graph::Speaker::kUser ? "user" : "assistant", chat.text});
  turn.sentence = responder_->say(plan);
  context.push_back({graph::Speaker::kAssistant, turn.sentence});
}

rl::Chooser GuideCore::chooser() const {
  if (route_.free() && route_.beam == 1) return nullptr;
  return rl::choose_by(planning().model(), route_, rl::estimate_of(planning().model()));
}

bool GuideCore::walk_on(rl::Episode& episode, int shown, const rl::Chooser& choose,
                        TrajectoryTurn& turn) const {
  const walker::Example& here = episode.situation;
  const FoundBranch branch = planning().plan(here, {.k = 1, .beam = shown, .max_hops = 1}).branches.front();
  FoundHop hop = branch.candidates.front();
  if (choose) {
    const walker::Example* const situations[] = {&here};
    const std::optional<graph::Edge> chosen = choose(situations).front();
    if (!chosen) return false;
    const std::int64_t place = walker::place_of(planner_.graph(), here.start, *chosen);
    hop = {{here.start, chosen->relation, chosen->tail},
           std::exp(static_cast<double>(planning().weigh({here}).front()[static_cast<std::size_t>(place)]))};
  }
  turn.branch = named(planner_.graph(), branch);
  take(named(planner_.graph(), hop), turn);
  Plan said;
  said.request.start = turn.branch.at;
  said.request.goal = planner_.graph().entity_name(episode.pair.goal);
  said.paths.push_back({.hops = {turn.hop}});
  speak(episode, std::move(said), turn);
  rl::take_hop(episode, {hop.triple.relation, hop.triple.tail}, distances());
  return true;
}

// What was asked is not heard again: it leaves what was said.
bool GuideCore::answer(rl::Episode& episode, int shown, TrajectoryTurn& turn) const {
  walker::Example& s = episode.situation;
  if (!planning().hears_question(s)) return false;
  walker::Example asked = s;
  s.context.pop_back();
  if (const auto starts = planning().starts(asked); !starts.empty()) asked.start = starts.front().entity;
  const Findings found = planning().plan(asked, {.k = 1, .beam = shown, .max_hops = 1});
  const bool tells = found.answer && !found.answer->missing && !found.paths.empty() &&
                     (found.answer->act == walker::Act::kOne || found.answer->act == walker::Act::kList);
  if (!tells) return false;
  turn.branch = named(planner_.graph(), found.branches.front());
  take(named(planner_.graph(), found.paths.front().hops.front()), turn);
  speak(episode, named(planner_.graph(), found), turn);
  const graph::Triple hop = found.paths.front().hops.front().triple;
  const graph::EntityId stood = s.start;
  s.start = asked.start;
  rl::take_hop(episode, {hop.relation, hop.tail}, distances());
  const graph::EntityId all[] = {hop.tail, asked.start, stood};
  s.start = rl::nearest_to(episode.pair.goal, all, distances());
  episode.distance = distances().distance(s.start, episode.pair.goal);
  return true;
}

Trajectory GuideCore::lead(const TrajectoryRequest& request) const {
  check(request, planner_.stage());
  const graph::KnowledgeGraph& graph = planner_.graph();
  const graph::EntityId start = graph::entity_named(graph, request.start, "start"),
                        goal = graph::entity_named(graph, request.goal, "goal");
  const Findings survey = planning().survey(start, goal);
  if (survey.goal_standing != GoalStanding::kReachable) throw ConfigError(goal_as_text(named(graph, survey)));
  Trajectory trajectory{request, *survey.start_to_goal, {}};
  trajectory.request.start = graph.entity_name(start);
  trajectory.request.goal = graph.entity_name(goal);

  const rl::ScriptedUser user(request.say, *user_);
  Random random(request.seed, 29);
  const rl::Chooser choose = chooser();
  rl::Episode episode = rl::begin_episode({start, goal, static_cast<graph::Distance>(*survey.start_to_goal)});
  while (episode.distance > 0 && episode.hops < request.turns) {
    const std::size_t said = episode.situation.context.size();
    rl::Episode* const episodes[] = {&episode};
    rl::let_user_speak(episodes, user, random);
    TrajectoryTurn turn;
    const bool spoken = episode.situation.context.size() > said;
    if (spoken) turn.said = episode.situation.context.back().text;
    turn.answers = spoken && answer(episode, request.shown, turn);
    if (!turn.answers && !walk_on(episode, request.shown, choose, turn)) break;
    turn.on_from = graph.entity_name(episode.situation.start);
    turn.distance_to_goal = episode.distance;
    trajectory.turns.push_back(std::move(turn));
  }
  return trajectory;
}

Guide::Guide(std::unique_ptr<const GuideCore> core) : core_(std::move(core)) {}
Guide::Guide(Guide&&) noexcept = default;
Guide& Guide::operator=(Guide&&) noexcept = default;
Guide::~Guide() = default;

Guide Guide::open(const GuideOptions& options) {
  Planner planner = Planner::open(options.database, options.run,
                                  {.threads = 0, .text = options.text, .other_graph = options.other_graph});
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  return Guide(std::make_unique<const GuideCore>(std::move(planner), rl::open_user(store, options.simulator),
                                                 rl::route_of(rl::open_walker_run(options.run)),
                                                 options.responder));
}

Trajectory Guide::lead(const TrajectoryRequest& request) const { return core_->lead(request); }

const Planner& Guide::planner() const { return core_->planner(); }

}  // namespace kgwalk
