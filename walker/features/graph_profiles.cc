#include "walker/features/graph_profiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kgwalk::walker {

GraphProfiles::GraphProfiles(const graph::KnowledgeGraph& graph, int num_flags)
    : graph_(graph), neighbor_offsets_(graph.neighbor_offsets()), neighbors_(graph.all_neighbors()) {
  const std::uint32_t n = graph.num_entities();
  std::vector<std::uint32_t> entities_with(graph.num_relations(), 0);
  const auto for_each_relation = [&](graph::EntityId e, auto&& fn) {
    graph::RelationId last = graph.num_relations();
    for (const graph::Edge& edge : graph.out_edges(e)) {
      if (edge.relation != last) fn(edge.relation);
      last = edge.relation;
    }
  };
  for (graph::EntityId e = 0; e < n; ++e)
    for_each_relation(e, [&](graph::RelationId r) { ++entities_with[r]; });
  std::vector<graph::RelationId> order(graph.num_relations());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](graph::RelationId a, graph::RelationId b) {
    return entities_with[a] > entities_with[b];
  });
  std::vector<std::uint32_t> place(graph.num_relations(), kWidth);
  for (std::size_t i = 0; i < std::min(order.size(), kWidth); ++i)
    place[order[i]] = static_cast<std::uint32_t>(i);

  flags_.assign(n, 0);
  starts_.push_back(0);
  for (graph::EntityId e = 0; e < n; ++e) {
    double squares = 0;
    for_each_relation(e, [&](graph::RelationId r) {
      if (place[r] >= kWidth) return;
      const float weight = std::log(static_cast<float>(n) / (1.0F + static_cast<float>(entities_with[r])));
      entries_.push_back({place[r], weight});
      squares += static_cast<double>(weight) * weight;
      if (place[r] < static_cast<std::uint32_t>(num_flags)) flags_[e] |= 1U << place[r];
    });
    const auto norm = static_cast<float>(std::max(std::sqrt(squares), 1e-6));
    for (std::size_t i = starts_.back(); i < entries_.size(); ++i) entries_[i].weight /= norm;
    starts_.push_back(static_cast<std::uint32_t>(entries_.size()));
    rarity_.push_back(1 / std::log(2.0F + static_cast<float>(graph.out_edges(e).size())));
  }
}

std::vector<float> GraphProfiles::dense(graph::EntityId entity) const {
  std::vector<float> values(kWidth, 0);
  for (std::size_t i = starts_[entity]; i < starts_[entity + 1]; ++i)
    values[entries_[i].relation] = entries_[i].weight;
  return values;
}

float GraphProfiles::cosine(graph::EntityId entity, std::span<const float> dense) const {
  if (dense.empty()) return 0;
  float sum = 0;
  for (std::size_t i = starts_[entity]; i < starts_[entity + 1]; ++i)
    sum += entries_[i].weight * dense[entries_[i].relation];
  return sum;
}

std::vector<std::uint64_t> GraphProfiles::neighborhood(std::span<const graph::EntityId> entities) const {
  std::vector<std::uint64_t> bits;
  if (entities.empty()) return bits;
  bits.assign((graph_.num_entities() + 63) / 64, 0);
  for (const graph::EntityId e : entities)
    for (const graph::EntityId n : graph_.neighbors(e)) bits[n / 64] |= std::uint64_t{1} << (n % 64);
  return bits;
}

std::array<float, 2> GraphProfiles::shared(graph::EntityId entity, std::span<const std::uint64_t> either,
                                           const std::array<std::span<const std::uint64_t>, 2>& sets,
                                           graph::EntityId without) const {
  std::array<float, 2> sums{};
  if (either.empty()) return sums;
  const auto holds = [](std::span<const std::uint64_t> set, graph::EntityId n) {
    return !set.empty() && ((set[n / 64] >> (n % 64)) & 1U) != 0;
  };
  for (std::uint64_t i = neighbor_offsets_[entity]; i < neighbor_offsets_[entity + 1]; ++i) {
    const graph::EntityId n = neighbors_[i];
    if (((either[n / 64] >> (n % 64)) & 1U) == 0 || n == without) continue;
    for (std::size_t s = 0; s < 2; ++s)
      if (holds(sets[s], n)) sums[s] += rarity_[n];
  }
  return sums;
}

}  // namespace kgwalk::walker
