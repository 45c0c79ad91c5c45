// Breadth-first search from one to 64 sources at once, one bit a source in a machine word a vertex. Where
// sources are few it beats lane_search.h: it needs at most 24 bytes a vertex and nothing made before. For the
// sources of graph/ only.
//
// A level is pushed from the vertices of the frontier, or pulled by those that some source has not reached,
// whichever reads less (direction optimization: Beamer, Asanovic, Patterson, SC 2012).
#pragma once

#include <span>

#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

inline constexpr std::size_t kNarrowSources = 64;  // at once

// rows[i][v] = distance from sources[i] to v, [num_connected] each. At most kNarrowSources sources; ids that
// are not connected reach nobody. Pulled levels use all threads. Error when a distance would be 255 or more.
void search_narrow(const KnowledgeGraph& graph, std::span<const EntityId> sources,
                   std::span<Distance* const> rows);

}  // namespace kgwalk::graph
