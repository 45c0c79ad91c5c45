// Rows of edges of a base and a delta as one, and where the base's edges went.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "graph/changes/delta.h"
#include "graph/snapshot.h"

namespace kgwalk::graph {

struct MergedRows {
  struct Run {  // edges of the base that stand together in the new graph, too
    std::uint64_t old_begin, new_begin, length;
  };
  struct NewEdge {
    std::uint64_t place;
    std::shared_ptr<const FactNote> note;
  };
  std::vector<std::uint64_t> offsets, neighbor_offsets;
  std::vector<Edge> edges;
  std::vector<EntityId> neighbors;
  std::vector<Run> runs;  // ascending
  std::vector<NewEdge> added;
};

[[nodiscard]] MergedRows merge_rows(const SnapshotView& base, const Delta& delta);

// Values of the base's edges at their new places; `others` elsewhere.
template <class T>
[[nodiscard]] std::vector<T> moved(std::span<const T> old, const MergedRows& rows, T others) {
  std::vector<T> values(rows.edges.size(), others);
  if (!old.empty())
    for (const MergedRows::Run& run : rows.runs)
      std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(run.old_begin), run.length,
                  values.begin() + static_cast<std::ptrdiff_t>(run.new_begin));
  return values;
}

}  // namespace kgwalk::graph
