// How usual a relation is at an entity that has the relations it has: what directs a question whose words fit
// a relation both ways ("who directed it" of a film, not of a person), and what makes an absence plausible.
// Torch-free, immutable and thread-safe.
#pragma once

#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::walker {

class RelationCompany {
 public:
  // Counted over at most kMostEntities entities, evenly spread.
  explicit RelationCompany(const graph::KnowledgeGraph& graph);

  // log of the mean over the entity's relations q, r itself left out, of the share of q's entities that have
  // r too; at least log(kRarest). fit: [relations].
  void log_fit(graph::EntityId entity, std::span<float> fit) const;

  static constexpr std::size_t kMostEntities = 200'000;
  static constexpr std::size_t kMostRelations = 64;  // of an entity that are counted
  static constexpr float kRarest = 3e-3F;

 private:
  struct Companion {
    graph::RelationId relation;
    float share;
  };
  [[nodiscard]] std::vector<graph::RelationId> relations_of(graph::EntityId entity) const;

  const graph::KnowledgeGraph& graph_;
  std::vector<std::vector<Companion>> companions_;  // of each relation
};

}  // namespace kgwalk::walker
