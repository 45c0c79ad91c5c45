// Base and delta as one graph. Rows that no edit touches are copied whole, so it takes as long as reading the
// base does.
#pragma once

#include "graph/changes/delta.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// With the checksum of the base, and `last_edit` as last_edit() of kgwalk/edits.h.
[[nodiscard]] KnowledgeGraph edited_graph(const Delta& delta, std::uint64_t last_edit);

}  // namespace kgwalk::graph
