#include "planner/queries/connecting_search.h"

#include <algorithm>

#include "planner/speakers.h"

namespace kgwalk {

using graph::EntityId;

ConnectingSearch::ConnectingSearch(const PlannerCore& planner, EntityId from, EntityId to,
                                   std::span<const Utterance> history)
    : planner_(planner), from_(from), to_(to) {
  begin_.context = chats_of(history);
  begin_.start = from;
  begin_.goal = to;
}

int ConnectingSearch::hops_left(EntityId entity) const { return planner_.distances().distance(entity, to_); }

std::optional<int> ConnectingSearch::distance() const {
  const int hops = hops_left(from_);
  return hops == graph::kUnreachable ? std::nullopt : std::optional(hops);
}

walker::Example ConnectingSearch::situation(const WalkedPath& path) const {
  walker::Example example = begin_;
  for (const graph::Triple& hop : path.hops) {
    example.walked.push_back(hop);
    example.path_ends.push_back(static_cast<std::uint32_t>(example.walked.size()));
    example.start = hop.tail;
  }
  return example;
}

bool ConnectingSearch::visits(const WalkedPath& path, EntityId entity) const {
  return entity == from_ || std::any_of(path.hops.begin(), path.hops.end(),
                                        [entity](const graph::Triple& hop) { return hop.tail == entity; });
}

// Every path one hop longer, where at most `left` hops more lead to the goal.
std::vector<WalkedPath> ConnectingSearch::extended(const std::vector<WalkedPath>& paths, int left) const {
  std::vector<walker::Example> situations;
  for (const WalkedPath& path : paths) situations.push_back(situation(path));
  const std::vector<std::vector<float>> weights = planner_.weigh(situations);
  std::vector<WalkedPath> out;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const EntityId at = situations[i].start;
    const std::span<const graph::Edge> edges = planner_.graph().out_edges(at);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (hops_left(edges[e].tail) > left || visits(paths[i], edges[e].tail)) continue;
      WalkedPath& path = out.emplace_back(paths[i]);
      path.hops.push_back({at, edges[e].relation, edges[e].tail});
      path.log_prob += weights[i][e];
    }
  }
  return out;
}

std::vector<WalkedPath> ConnectingSearch::paths(int longest, std::size_t beam) const {
  // Ties by the hops themselves, so that the order is the same everywhere.
  const auto likelier = [](const WalkedPath& a, const WalkedPath& b) {
    return a.log_prob != b.log_prob ? a.log_prob > b.log_prob : a.hops < b.hops;
  };
  std::vector<WalkedPath> arrived, partial{{}};
  for (int left = longest - 1; left >= 0 && !partial.empty(); --left) {
    std::vector<WalkedPath> next = extended(partial, left);
    std::sort(next.begin(), next.end(), likelier);
    partial.clear();
    std::size_t kept = 0;  // of those that have arrived after this many hops
    for (WalkedPath& path : next) {
      if (path.hops.back().tail == to_) {
        if (kept++ < beam) arrived.push_back(std::move(path));
      } else if (partial.size() < beam) {
        partial.push_back(std::move(path));
      }
    }
  }
  std::sort(arrived.begin(), arrived.end(), likelier);
  if (arrived.size() > beam) arrived.resize(beam);
  return arrived;
}

}  // namespace kgwalk
