// The candidates of a batch of walk states: all out-edges of the entity stood on, then eop; ragged, nothing
// padded and nothing cut (fan-out runs from one to thousands).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "walker/example.h"

namespace kgwalk::walker {

// CSR over the states. Candidate j of state i lies at offsets[i] + j; the last of each segment is eop,
// whose relation is the graph's num_relations() and whose tail is its num_entities() (one past the real ids
// in each table).
struct Candidates {
  std::vector<std::int64_t> offsets;    // [N + 1]
  std::vector<std::int64_t> relations;  // [K]
  std::vector<std::int64_t> tails;      // [K]
  std::vector<std::int32_t> states;     // [K] state of each candidate
  std::vector<std::int64_t> entities;   // [N] entity stood on
  [[nodiscard]] std::int64_t num_states() const { return static_cast<std::int64_t>(entities.size()); }
  [[nodiscard]] std::int64_t size() const { return offsets.back(); }
};

// Entity that a partial path stands on.
[[nodiscard]] graph::EntityId entity_of(const PartialPath& path, graph::EntityId start) noexcept;

[[nodiscard]] Candidates candidates_of(const graph::KnowledgeGraph& graph,
                                       std::span<const graph::EntityId> entities);

// Place of `edge` in out_edges(entity), by binary search; -1 when there is no such edge.
[[nodiscard]] std::int64_t place_of(const graph::KnowledgeGraph& graph, graph::EntityId entity,
                                    const graph::Edge& edge) noexcept;

}  // namespace kgwalk::walker
