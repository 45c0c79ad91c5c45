#include "forms/evaluation/relation_index.h"

#include <algorithm>

#include "forms/rows.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::forms {
namespace {

constexpr std::string_view kSubclassIri = "http://www.w3.org/2000/01/rdf-schema#subClassOf";

}  // namespace

RelationIndex::RelationIndex(const graph::KnowledgeGraph& graph) : graph_(graph) {
  const graph::GraphDetails& details = graph::details(graph);
  type_relation_ = details.type_relation();
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    if (details.relation_id(r) == kSubclassIri && !graph.relation_name(r).starts_with('~'))
      subclass_relation_ = r;
}

void RelationIndex::make() const {
  num_edges_.assign(graph_.num_relations(), 0);
  begins_.assign(graph_.num_relations() + std::size_t{1}, 0);
  const auto for_each_head = [&](auto&& meet) {
    for (EntityId head = 0; head < graph_.num_connected(); ++head) {
      const auto edges = graph_.out_edges(head);
      for (std::size_t i = 0; i < edges.size(); ++i)
        if (i == 0 || edges[i].relation != edges[i - 1].relation) meet(head, edges[i].relation);
    }
  };
  for (const graph::Edge& edge : graph_.edges()) ++num_edges_[edge.relation];
  for_each_head([&](EntityId, RelationId relation) { ++begins_[relation + std::size_t{1}]; });
  for (std::size_t r = 1; r < begins_.size(); ++r) begins_[r] += begins_[r - 1];
  heads_.resize(begins_.back());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for_each_head([&](EntityId head, RelationId relation) { heads_[next[relation]++] = head; });
}

std::span<const EntityId> RelationIndex::heads(RelationId relation) const {
  std::call_once(once_, [this] { make(); });
  return std::span(heads_).subspan(begins_[relation], begins_[relation + 1] - begins_[relation]);
}

std::uint64_t RelationIndex::num_edges(RelationId relation) const {
  std::call_once(once_, [this] { make(); });
  return num_edges_[relation];
}

std::vector<EntityId> RelationIndex::with_subtypes(const std::vector<EntityId>& types) const {
  std::vector<EntityId> all = types;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (!subclass_relation_) return all;
  const RelationId below = graph_.inverse(*subclass_relation_);
  std::vector<EntityId> fresh = all;
  while (!fresh.empty()) {
    std::vector<EntityId> next;
    for (const EntityId type : fresh)
      for (const graph::Edge& edge : row(graph_, type, below)) next.push_back(edge.tail);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    fresh.clear();
    std::set_difference(next.begin(), next.end(), all.begin(), all.end(), std::back_inserter(fresh));
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), fresh.begin(), fresh.end());
    std::inplace_merge(all.begin(), all.begin() + middle, all.end());
  }
  return all;
}

}  // namespace kgwalk::forms
