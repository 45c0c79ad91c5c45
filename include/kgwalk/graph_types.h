// Ids and edges of the knowledge graph.
//
// Example:
//   const kgwalk::graph::Triple fact{.head = 0, .relation = 2, .tail = 5};
//   const kgwalk::graph::Edge edge{fact.relation, fact.tail};  // the same as an out-edge of entity 0
//   std::cout << edge.tail << '\n';
//
// Plain values. An id means something together with one graph only: names are told by KnowledgeGraph, and ids
// change when a database is ingested anew.
#pragma once

#include <compare>
#include <cstdint>

namespace kgwalk::graph {

// From 0, without gaps. Entities with an edge come first: KnowledgeGraph::num_connected() of num_entities().
using EntityId = std::uint32_t;
// From 0 to KnowledgeGraph::num_relations() - 1; a relation and its inverse are two. At most 2^31.
using RelationId = std::uint32_t;

// An out-edge: what is left of a fact when its head is known. 8 bytes, ordered by (relation, tail).
struct Edge {
  RelationId relation;
  EntityId tail;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

// A fact: `head` stands in `relation` to `tail`. Ordered by (head, relation, tail).
struct Triple {
  EntityId head;
  RelationId relation;
  EntityId tail;
  friend auto operator<=>(const Triple&, const Triple&) = default;
};

// Sizes of a graph before its edits (kgwalk/edits.h).
struct BaseSize {
  EntityId entities = 0, connected = 0;
  RelationId relations = 0;
};

}  // namespace kgwalk::graph
