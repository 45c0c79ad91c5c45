#include "walker/features/relation_company.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace kgwalk::walker {

using graph::EntityId;
using graph::RelationId;

std::vector<RelationId> RelationCompany::relations_of(EntityId entity) const {
  std::vector<RelationId> relations;
  for (const graph::Edge& edge : graph_.out_edges(entity)) {
    if (!relations.empty() && relations.back() == edge.relation) continue;
    if (relations.size() == kMostRelations) break;
    relations.push_back(edge.relation);
  }
  return relations;
}

RelationCompany::RelationCompany(const graph::KnowledgeGraph& graph) : graph_(graph) {
  std::vector<std::unordered_map<RelationId, std::uint32_t>> together(graph.num_relations());
  std::vector<std::uint32_t> count(graph.num_relations(), 0);
  const std::size_t entities = graph.num_connected();
  const std::size_t step = std::max<std::size_t>(1, (entities + kMostEntities - 1) / kMostEntities);
  for (std::size_t e = 0; e < entities; e += step) {
    const std::vector<RelationId> here = relations_of(static_cast<EntityId>(e));
    for (const RelationId q : here) {
      ++count[q];
      for (const RelationId r : here)
        if (r != q) ++together[q][r];
    }
  }
  companions_.resize(together.size());
  for (std::size_t q = 0; q < together.size(); ++q) {
    for (const auto& [relation, n] : together[q])
      companions_[q].push_back({relation, static_cast<float>(n) / static_cast<float>(count[q])});
    std::sort(companions_[q].begin(), companions_[q].end(),
              [](const Companion& a, const Companion& b) { return a.relation < b.relation; });
  }
}

void RelationCompany::log_fit(EntityId entity, std::span<float> fit) const {
  std::fill(fit.begin(), fit.end(), 0.0F);
  const std::vector<RelationId> here = relations_of(entity);
  for (const RelationId q : here)
    for (const Companion& companion : companions_[q]) fit[companion.relation] += companion.share;
  // A relation that the entity has says nothing of itself: it is judged by the others.
  const auto all = static_cast<float>(std::max<std::size_t>(1, here.size()));
  const auto others = static_cast<float>(std::max<std::size_t>(2, here.size()) - 1);
  for (float& f : fit) f /= all;
  for (const RelationId q : here) fit[q] *= all / others;
  for (float& f : fit) f = std::log(std::max(f, kRarest));
}

}  // namespace kgwalk::walker
