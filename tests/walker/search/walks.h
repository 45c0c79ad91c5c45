// All walks from a start one by one, with their probabilities: the oracle of what sums over them.
#pragma once

#include <cmath>
#include <functional>
#include <map>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::walker::testing {

class Walks {
 public:
  // How well a relation is heard at a hop after another relation; the number of relations stands for
  // stopping, and for no relation before.
  using Heard = std::function<float(int hop, graph::RelationId before, std::size_t relation)>;
  using Visit = std::function<void(graph::EntityId end, double probability)>;

  Walks(const graph::KnowledgeGraph& graph, graph::EntityId start, int max_hops, Heard heard)
      : graph_(graph), start_(start), max_hops_(max_hops), heard_(std::move(heard)) {}

  void each(const Visit& visit) const { walk(0, start_, graph_.num_relations(), 1, visit); }
  [[nodiscard]] double total() const {
    double sum = 0;
    each([&](graph::EntityId /*end*/, double probability) { sum += probability; });
    return sum;
  }

 private:
  void walk(int hop, graph::EntityId at, graph::RelationId before, double probability,
            const Visit& visit) const {
    if (hop == max_hops_) return visit(at, probability);
    std::map<graph::RelationId, std::vector<graph::EntityId>> tails;
    for (const graph::Edge& edge : graph_.out_edges(at))
      if (edge.tail != start_) tails[edge.relation].push_back(edge.tail);
    double all = 0;
    for (std::size_t r = 0; r < graph_.num_relations() + (hop > 0 ? 1U : 0U); ++r)
      all += std::exp(heard_(hop, before, r));
    if (hop > 0) visit(at, probability * std::exp(heard_(hop, before, graph_.num_relations())) / all);
    for (const auto& [relation, ends] : tails)
      for (const graph::EntityId end : ends)
        walk(hop + 1, end, relation,
             probability * std::exp(heard_(hop, before, relation)) / all / static_cast<double>(ends.size()),
             visit);
  }

  const graph::KnowledgeGraph& graph_;
  const graph::EntityId start_;
  const int max_hops_;
  const Heard heard_;
};

}  // namespace kgwalk::walker::testing
