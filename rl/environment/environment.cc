#include "rl/environment/environment.h"

#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"

namespace kgwalk::rl {
namespace {

using graph::Distance;
using graph::Edge;
using graph::EntityId;

Json json_of(const Episode& e) {
  Json walked = Json::array(), said = Json::array();
  for (const graph::Triple& hop : e.situation.walked) walked.push_back({hop.head, hop.relation, hop.tail});
  for (const graph::Chat& chat : e.situation.context) said.push_back(chat.text);
  return {{"start", e.pair.start},
          {"goal", e.pair.goal},
          {"from", e.pair.distance},
          {"distance", e.distance},
          {"best", e.best},
          {"walked", walked},
          {"said", said}};
}

Episode episode_of(const Json& json) {
  Episode e = begin_episode(
      {json.at("start").get<EntityId>(), json.at("goal").get<EntityId>(), json.at("from").get<Distance>()});
  for (const Json& hop : json.at("walked")) {
    e.situation.walked.push_back(
        {hop.at(0).get<EntityId>(), hop.at(1).get<graph::RelationId>(), hop.at(2).get<EntityId>()});
    e.situation.path_ends.push_back(static_cast<std::uint32_t>(e.situation.walked.size()));
    e.situation.start = e.situation.walked.back().tail;
    ++e.hops;
  }
  for (const Json& text : json.at("said"))
    e.situation.context.push_back({graph::Speaker::kUser, text.get<std::string>()});
  e.distance = json.at("distance").get<Distance>();
  e.best = json.at("best").get<Distance>();
  return e;
}

}  // namespace

Episode begin_episode(const Pair& pair) {
  Episode e;
  e.pair = pair;
  e.situation.start = pair.start;
  e.situation.goal = pair.goal;
  e.situation.speaker = graph::Speaker::kAssistant;
  e.distance = e.best = pair.distance;
  return e;
}

void take_hop(Episode& e, const Edge& edge, const graph::ExactDistances& distances) {
  e.situation.walked.push_back({e.situation.start, edge.relation, edge.tail});
  e.situation.path_ends.push_back(static_cast<std::uint32_t>(e.situation.walked.size()));
  e.situation.start = edge.tail;
  ++e.hops;
  e.distance = distances.distance(edge.tail, e.pair.goal);
  e.best = std::min(e.best, e.distance);
}

void let_user_speak(std::span<Episode* const> episodes, const UserVoice& user, Random& random) {
  std::vector<const walker::Example*> situations;
  for (const Episode* e : episodes) situations.push_back(&e->situation);
  std::vector<std::string> said = user.speak(situations, random);
  for (std::size_t i = 0; i < said.size(); ++i)
    if (!said[i].empty())
      episodes[i]->situation.context.push_back({graph::Speaker::kUser, std::move(said[i])});
}

Environment::Environment(const graph::KnowledgeGraph& graph, const graph::ExactDistances& distances,
                         const UserVoice& user, const EnvironmentConfig& config, std::uint64_t seed)
    : graph_(graph),
      distances_(distances),
      user_(user),
      config_(config),
      pairs_(graph, GoalSplit::kTrain, config.distances, seed),
      random_(seed, 19) {
  for (int i = 0; i < config.episodes; ++i) episodes_.push_back(begin_episode(pairs_.next()));
  prepare_goals();
  speak();
}

std::vector<const walker::Example*> Environment::situations() const {
  std::vector<const walker::Example*> situations;
  for (const Episode& e : episodes_) situations.push_back(&e.situation);
  return situations;
}

int Environment::budget_of(const Episode& e) const {
  return static_cast<int>(std::ceil(config_.budget * e.pair.distance)) + config_.slack;
}

double Environment::weight_of_naturalness() const {
  const RewardConfig& reward = config_.reward;
  if (reward.natural_after == 0) return reward.naturalness;
  const double risen = static_cast<double>(turns_ - reward.natural_after) / reward.natural_after;
  return reward.naturalness * std::clamp(risen, 0.0, 1.0);
}

int Environment::hops_left(std::size_t i) const { return budget_of(episodes_[i]) - episodes_[i].hops; }

void Environment::prepare_goals() const {
  std::vector<EntityId> goals;
  for (const Episode& e : episodes_) goals.push_back(e.pair.goal);
  distances_.prepare(goals);
}

void Environment::speak() {
  std::vector<Episode*> all;
  for (Episode& e : episodes_) all.push_back(&e);
  let_user_speak(all, user_, random_);
}

std::vector<HopOutcome> Environment::step(std::span<const Edge> choices, std::span<const float> natural) {
  const RewardConfig& reward = config_.reward;
  if (choices.size() != size() || (natural.size() != size() && !(natural.empty() && reward.naturalness == 0)))
    throw ShapeError(
        "environment: one choice an episode is needed, and its log-probability when naturalness counts");
  const double natural_weight = weight_of_naturalness();
  std::vector<HopOutcome> outcomes(size());
  for (std::size_t i = 0; i < size(); ++i) {
    Episode& e = episodes_[i];
    const Distance before = reward.than == Nearer::kBest ? e.best : e.distance;
    take_hop(e, choices[i], distances_);
    HopOutcome& o = outcomes[i];
    o.nearer = e.distance < before;
    o.reached = e.distance == 0;
    o.ended = o.reached || hops_left(i) <= 0;
    o.reward = (1 - natural_weight) * o.nearer + reward.goal * o.reached;
    if (natural_weight > 0)
      o.reward += natural_weight * static_cast<double>(natural[i]) / reward.natural_scale;
    if (o.ended) e = begin_episode(pairs_.next());
  }
  ++turns_;
  prepare_goals();
  speak();
  return outcomes;
}

Json Environment::state() const {
  Json episodes = Json::array();
  for (const Episode& e : episodes_) episodes.push_back(json_of(e));
  return {{"pairs", pairs_.state()}, {"random", random_.state()}, {"episodes", episodes}, {"turns", turns_}};
}

void Environment::set_state(const Json& state) {
  pairs_.set_state(state.at("pairs"));
  random_.set_state(state.at("random").get<std::vector<std::uint64_t>>());
  turns_ = state.at("turns").get<std::int64_t>();
  episodes_.clear();
  for (const Json& e : state.at("episodes")) episodes_.push_back(episode_of(e));
  if (episodes_.size() != static_cast<std::size_t>(config_.episodes))
    throw FormatError("the saved environment has " + std::to_string(episodes_.size()) + " episodes, not " +
                      std::to_string(config_.episodes));
  prepare_goals();
}

}  // namespace kgwalk::rl
