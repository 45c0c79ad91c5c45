#include "walker/search/reach.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kgwalk::walker {
namespace {

using graph::EntityId;
using graph::RelationId;

struct State {
  EntityId entity;
  RelationId before;
  double mass;
};

// Edges of one relation that do not lead back to the start.
struct Group {
  RelationId relation;
  std::span<const graph::Edge> edges;
  std::size_t onward = 0;
  double weight = 0;
};

// A softmax over logits.
class Shares {
 public:
  explicit Shares(std::span<const float> logits) : top_(*std::max_element(logits.begin(), logits.end())) {
    for (const float logit : logits) sum_ += std::exp(static_cast<double>(logit - top_));
  }
  [[nodiscard]] double of(float logit) const { return std::exp(static_cast<double>(logit - top_)) / sum_; }

 private:
  float top_;
  double sum_ = 0;
};

class Reach {
 public:
  Reach(const graph::KnowledgeGraph& graph, EntityId start, const RelationHearing& hearing,
        const ReachConfig& config)
      : graph_(graph), start_(start), hearing_(hearing), config_(config) {}

  std::vector<Reached> run() {
    std::vector<State> states{{start_, graph_.num_relations(), 1}};
    for (int hop = 0; hop < config_.max_hops && !states.empty(); ++hop) states = step(hop, states);
    for (const State& state : states) end(state, config_.max_hops, state.mass);
    std::vector<Reached> reached;
    for (const auto& [entity, masses] : ends_) {
      const auto most = std::max_element(masses.begin(), masses.end());
      reached.push_back({entity, std::accumulate(masses.begin(), masses.end(), 0.0),
                         static_cast<int>(most - masses.begin()) + 1});
    }
    std::sort(reached.begin(), reached.end(), [](const Reached& a, const Reached& b) {
      return a.probability != b.probability ? a.probability > b.probability : a.entity < b.entity;
    });
    return reached;
  }

 private:
  void end(const State& state, int hops, double mass) {
    auto& masses = ends_[state.entity];
    masses.resize(static_cast<std::size_t>(config_.max_hops));
    masses[static_cast<std::size_t>(hops) - 1] += mass;
  }

  std::vector<State> step(int hop, const std::vector<State>& states) {
    std::vector<RelationId> before;
    std::unordered_map<RelationId, std::size_t> rows;
    for (const State& state : states)
      if (rows.emplace(state.before, before.size()).second) before.push_back(state.before);
    const std::vector<std::vector<float>> scores = hearing_(hop, before);
    std::vector<Shares> shares;
    for (const std::vector<float>& row : scores)
      shares.emplace_back(
          std::span(row).first(hop > 0 ? row.size() : row.size() - 1));  // nobody stops at the start
    std::unordered_map<std::uint64_t, State> next;
    for (const State& state : states) {
      const std::size_t row = rows.at(state.before);
      const double stop = weigh(state.entity, hop, scores[row], shares[row]);
      if (stop > 0) end(state, hop, state.mass * stop);
      for (const Group& group : groups_) advance(group, state.mass * group.weight, next);
    }
    std::vector<State> result;
    for (const auto& [key, state] : next) result.push_back(state);
    return result;
  }

  // Fills groups_ with the relations of `entity` and their shares, and returns that of stopping.
  double weigh(EntityId entity, int hop, const std::vector<float>& row, const Shares& shares) {
    groups_.clear();
    const auto edges = graph_.out_edges(entity);
    for (std::size_t i = 0; i < edges.size();) {
      std::size_t end = i;
      Group group{edges[i].relation, {}, 0, shares.of(row[edges[i].relation])};
      for (; end < edges.size() && edges[end].relation == group.relation; ++end)
        group.onward += edges[end].tail != start_ ? 1 : 0;
      group.edges = edges.subspan(i, end - i);
      if (group.onward > 0) groups_.push_back(group);
      i = end;
    }
    return hop > 0 ? shares.of(row.back()) : 0;
  }

  void advance(const Group& group, double mass, std::unordered_map<std::uint64_t, State>& next) const {
    if (mass < config_.least) return;
    const double share = mass / static_cast<double>(group.onward);
    for (const graph::Edge& edge : group.edges) {
      if (edge.tail == start_) continue;
      const std::uint64_t key = (static_cast<std::uint64_t>(edge.tail) << 32) | group.relation;
      next.try_emplace(key, State{edge.tail, group.relation, 0}).first->second.mass += share;
    }
  }

  const graph::KnowledgeGraph& graph_;
  const EntityId start_;
  const RelationHearing& hearing_;
  const ReachConfig config_;
  std::vector<Group> groups_;
  std::unordered_map<EntityId, std::vector<double>> ends_;  // by hops
};

}  // namespace

std::vector<Reached> reach(const graph::KnowledgeGraph& graph, EntityId start, const RelationHearing& hearing,
                           const ReachConfig& config, double* arrived) {
  std::vector<Reached> reached = Reach(graph, start, hearing, config).run();
  double sum = 0;
  for (const Reached& end : reached) sum += end.probability;
  for (Reached& end : reached) end.probability /= sum;
  if (arrived != nullptr) *arrived = sum;
  return reached;
}

}  // namespace kgwalk::walker
