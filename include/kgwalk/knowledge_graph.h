// The graph: an immutable snapshot of all facts with their names, in compressed sparse rows. One that a store
// gives is mapped from its file, page by page as it is used, and processes that use it share the pages.
//
// Example:
//   #include "kgwalk/store.h"
//
//   const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   const kgwalk::graph::KnowledgeGraph graph = store.load_graph();
//   const auto film = graph.find_entity("iron man");  // case does not matter
//   if (!film) {
//     for (const std::string& name : graph.suggest_entities("iron man"))
//       std::cout << "did you mean " << name << "?\n";
//     return;
//   }
//   for (const kgwalk::graph::Edge& edge : graph.out_edges(*film))
//     std::cout << graph.relation_name(edge.relation) << ' ' << graph.entity_name(edge.tail) << '\n';
//
// Every fact is kept in both directions: the inverse of relation `r` is named `~r` (and the inverse of `~r`
// is `r`). Edges are distinct, parallel ones of different relations allowed. Self-loops are edges like others
// (a walk may take them); neighbors() and distances leave them out.
//
// Ids: entities with at least one edge come first, [0, num_connected()); names known without edges follow, up
// to num_entities(). Functions do not check their ids: one beyond is undefined behavior.
//
// Errors: a block of the file is compared with its checksum when it is first touched; StoreError, which names
// file and block, where it is damaged. Functions that are noexcept touch what was checked at opening.
//
// Spans and string_views borrow from the graph and are valid until it is destroyed or assigned to; moving it
// keeps them valid. Thread-safe: all functions are const, so any number of threads may call them. Copying is
// not allowed; share the graph by reference or std::shared_ptr. Boost's algorithms: kgwalk/boost_graph.h.
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

// A fact by its names: UTF-8, none empty.
struct NamedTriple {
  std::string head, relation, tail;
};

// Made from names here, or by Store::load_graph() from what ingestion stored.
class KnowledgeGraph {
 public:
  // Builds from names, as ingestion does: inverses added, duplicates dropped, names compared folded (case and
  // Unicode form do not matter; the first spelling is kept).
  //
  // triples: in any order; ids follow first appearance, head before relation before tail. May be empty.
  // extra_entities: names that may lack edges; those that have some are known already.
  //
  // ConfigError for a name that is empty or not UTF-8. Takes memory for two copies while it builds.
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
  [[nodiscard]] std::span<const Edge> out_edges(EntityId entity) const;
  // Distinct neighbors in ascending order (parallel edges once, self-loops left out): the undirected graph
  // that distances are defined on.
  [[nodiscard]] std::span<const EntityId> neighbors(EntityId entity) const;
  // Edges are numbered from 0, those of entity 0 first: out_edges(e)[i] is edge(first_edge(e) + i).
  [[nodiscard]] std::uint64_t first_edge(EntityId entity) const;
  [[nodiscard]] const Edge& edge(std::uint64_t number) const;
  // Of an edge that the graph gave by reference.
  [[nodiscard]] std::uint64_t number_of(const Edge& edge) const noexcept;

  // Whole arrays, for those that read all of them: the first call checks every block, which takes as long as
  // reading it. Row starts of out_edges: [num_entities() + 1]; edge i of the whole graph is edges()[i].
  [[nodiscard]] std::span<const std::uint64_t> offsets() const;
  [[nodiscard]] std::span<const Edge> edges() const;
  [[nodiscard]] std::span<const std::uint64_t> neighbor_offsets() const;
  [[nodiscard]] std::span<const EntityId> all_neighbors() const;
  [[nodiscard]] std::uint64_t num_neighbors() const noexcept;  // their number

  // Whether the fact is known; O(log out-degree of the head).
  [[nodiscard]] bool has_edge(const Triple& triple) const;
  // The relation of the same facts read backwards; inverse(inverse(r)) == r.
  [[nodiscard]] RelationId inverse(RelationId relation) const noexcept;
  // True for facts that ingestion marked as known only from an annotation of a dialogue; false for one that
  // is unknown.
  [[nodiscard]] bool annotation_only(const Triple& triple) const;

  // The first spelling that was read; an inverse has a leading `~`.
  [[nodiscard]] std::string_view entity_name(EntityId entity) const;
  [[nodiscard]] std::string_view relation_name(RelationId relation) const noexcept;
  // By name, case-insensitive and Unicode-normalized; names that differ only in runs of spaces are found by
  // their own spelling first. nullopt when nothing has this name; text that is not UTF-8 is nobody's name.
  // About 1 us.
  [[nodiscard]] std::optional<EntityId> find_entity(std::string_view name) const;
  [[nodiscard]] std::optional<RelationId> find_relation(std::string_view name) const;
  // Nearest names, best first; for "did you mean". At most `count`, fewer (or none) when no others are near.
  // About 20 ms on 100,000 names.
  [[nodiscard]] std::vector<std::string> suggest_entities(std::string_view name, std::size_t count = 3) const;
  [[nodiscard]] std::vector<std::string> suggest_relations(std::string_view name,
                                                           std::size_t count = 3) const;

  // XXH3 over names and edges, in hexadecimal: tables made for another graph are told by it.
  [[nodiscard]] const std::string& checksum() const noexcept;

 private:
  friend struct GraphAccess;  // the builder and the loader
  struct Impl;
  explicit KnowledgeGraph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kgwalk::graph
