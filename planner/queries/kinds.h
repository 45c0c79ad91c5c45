// What the entities of a graph are: films, persons, places. Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/explore.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk {

// An entity is of the type that the graph's source gave it, of several the one that most entities have; a
// type that nearly all have tells nothing. Where there are no types its relations tell: who directs is a
// person. Thread-safe.
class EntityKinds {
 public:
  // Borrows the graph. Reads the types, or the names of the relations, once.
  explicit EntityKinds(const graph::KnowledgeGraph& graph);
  // Empty where nothing tells it.
  [[nodiscard]] std::string_view of(graph::EntityId entity) const;
  // Most entities first; those of no kind left out.
  [[nodiscard]] std::vector<KindCount> counts() const;

 private:
  void read_types(graph::RelationId type);
  void read_relations();
  [[nodiscard]] std::size_t place_of(graph::EntityId entity) const;  // in names_; 0: none

  const graph::KnowledgeGraph& graph_;
  std::vector<std::string> names_{""};
  std::vector<std::uint32_t> of_type_;      // by entity; empty where the relations tell
  std::vector<std::uint32_t> of_relation_;  // by relation: what has it
};

}  // namespace kgwalk
