// Ids as Python gives them, checked against the graph: the engine takes them as they are.
#pragma once

#include <cstdint>

#include "kgwalk/knowledge_graph.h"
#include "python/binding/errors.h"

namespace kgwalk::python {

// IndexError for an id that the graph does not have.
inline graph::EntityId checked_entity(const graph::KnowledgeGraph& graph, std::int64_t id) {
  check_id(id, graph.num_entities(), "entity");
  return static_cast<graph::EntityId>(id);
}

inline graph::RelationId checked_relation(const graph::KnowledgeGraph& graph, std::int64_t id) {
  check_id(id, graph.num_relations(), "relation");
  return static_cast<graph::RelationId>(id);
}

inline graph::Triple checked_triple(const graph::KnowledgeGraph& graph, std::int64_t head,
                                    std::int64_t relation, std::int64_t tail) {
  return {checked_entity(graph, head), checked_relation(graph, relation), checked_entity(graph, tail)};
}

}  // namespace kgwalk::python
