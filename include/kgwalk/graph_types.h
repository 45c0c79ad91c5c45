// Ids and edges of the knowledge graph.
#pragma once

#include <compare>
#include <cstdint>

namespace kgwalk::graph {

using EntityId = std::uint32_t;
using RelationId = std::uint32_t;

struct Edge {  // an out-edge; 8 bytes, sorted by (relation, tail)
  RelationId relation;
  EntityId tail;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Triple {
  EntityId head;
  RelationId relation;
  EntityId tail;
  friend auto operator<=>(const Triple&, const Triple&) = default;
};

}  // namespace kgwalk::graph
