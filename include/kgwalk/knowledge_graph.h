// The graph in memory: an immutable CSR snapshot with names. Edges come with their inverses
// (relation name with a leading `~`), without duplicates. A model of Boost.Graph's VertexListGraph
// and IncidenceGraph (kgwalk/boost_graph.h).
//
// Self-loops are edges like others (a walk may take them); neighbors() and distances leave them out.
//
// Ids: entities with at least one edge come first, [0, num_connected()); names known without edges follow.
// Thread-safe for reading. Copying is not allowed; share by reference or shared_ptr.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/graph_types.h"

namespace kgwalk::graph {

struct NamedTriple {
  std::string head, relation, tail;
};

// Made from names here, or by Store::load_graph() from what ingestion stored.
class KnowledgeGraph {
 public:
  // Builds from names, as ingestion does: inverses added, names compared folded (the first spelling is kept),
  // duplicates dropped. Ids follow first appearance; `extra_entities` are names that may lack edges.
  [[nodiscard]] static KnowledgeGraph from_triples(std::span<const NamedTriple> triples,
                                                   std::span<const std::string> extra_entities = {});

  KnowledgeGraph(KnowledgeGraph&&) noexcept;
  KnowledgeGraph& operator=(KnowledgeGraph&&) noexcept;
  ~KnowledgeGraph();

  [[nodiscard]] std::uint32_t num_entities() const noexcept;   // all names
  [[nodiscard]] std::uint32_t num_connected() const noexcept;  // those with an edge: ids below this
  [[nodiscard]] std::uint32_t num_relations() const noexcept;  // inverses included
  [[nodiscard]] std::uint64_t num_edges() const noexcept;      // directed, inverses included

  // Sorted by (relation, tail); empty for an entity without edges. The id must be below num_entities().
  [[nodiscard]] std::span<const Edge> out_edges(EntityId entity) const noexcept;
  // Distinct neighbors in ascending order (parallel edges once, self-loops left out): the undirected graph
  // that distances are defined on.
  [[nodiscard]] std::span<const EntityId> neighbors(EntityId entity) const noexcept;
  // Row starts of out_edges: [num_entities() + 1]; edge i of the whole graph is edges()[i].
  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept;
  [[nodiscard]] std::span<const Edge> edges() const noexcept;
  [[nodiscard]] std::span<const std::uint64_t> neighbor_offsets() const noexcept;
  [[nodiscard]] std::span<const EntityId> all_neighbors() const noexcept;

  [[nodiscard]] bool has_edge(const Triple& triple) const noexcept;
  [[nodiscard]] RelationId inverse(RelationId relation) const noexcept;
  // True for triples marked at ingestion as known only from an annotation.
  [[nodiscard]] bool annotation_only(const Triple& triple) const noexcept;

  [[nodiscard]] std::string_view entity_name(EntityId entity) const noexcept;
  [[nodiscard]] std::string_view relation_name(RelationId relation) const noexcept;
  // By name, case-insensitive and Unicode-normalized (graph/names.h); names that differ only in runs of
  // spaces are found by their own spelling first. Text that is not UTF-8 is nobody's name.
  [[nodiscard]] std::optional<EntityId> find_entity(std::string_view name) const;
  [[nodiscard]] std::optional<RelationId> find_relation(std::string_view name) const;
  // Nearest names, best first; for "did you mean". About 20 ms on 100,000 names.
  [[nodiscard]] std::vector<std::string> suggest_entities(std::string_view name, std::size_t count = 3) const;
  [[nodiscard]] std::vector<std::string> suggest_relations(std::string_view name,
                                                           std::size_t count = 3) const;

  // XXH3 over names and edges: tables made for another graph are told by it.
  [[nodiscard]] const std::string& checksum() const noexcept;

 private:
  friend struct GraphAccess;  // the builder and the loader
  struct Impl;
  explicit KnowledgeGraph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::graph
