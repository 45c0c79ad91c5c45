// Triples sorted into the rows of a graph: inverses added, repeats dropped. Many triples are sorted by parts
// of the entities, so that memory holds one part at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "graph/spooled_array.h"
#include "kgwalk/graph_types.h"

namespace kgwalk::graph {

// What building found; all counts are of directed edges.
struct BuildCounts {
  std::uint64_t duplicates = 0;      // added triples that were there already
  std::uint64_t added_inverses = 0;  // edges that no added triple gave
  std::uint64_t self_loops = 0;      // edges from an entity to itself, kept; distances ignore them
};

// As the snapshot has them (graph/snapshot.h).
struct GraphRows {
  std::vector<std::uint64_t> offsets, neighbor_offsets;  // [entities + 1]
  SpooledArray<Edge> edges;
  SpooledArray<EntityId> neighbors;
  BuildCounts counts;
};

// Edges of one part, unless a single entity has more.
inline constexpr std::uint64_t kPartEdges = 1 << 23;

// `inverses` of each relation; `folder`: for files without names, or empty, and all is made in memory, in one
// part. Rows are sorted by several threads.
[[nodiscard]] GraphRows make_rows(const SpooledArray<Triple>& triples, std::size_t num_entities,
                                  std::span<const RelationId> inverses, const std::filesystem::path& folder,
                                  std::uint64_t part_edges = kPartEdges);

}  // namespace kgwalk::graph
