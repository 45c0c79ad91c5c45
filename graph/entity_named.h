// Entities by the names that people give: found, or an error with the nearest names.
#pragma once

#include <string_view>

#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// As KnowledgeGraph::find_entity; ConfigError "WHAT 'NAME' is not in the graph; did you mean ...?" when there
// is none of that name.
[[nodiscard]] EntityId entity_named(const KnowledgeGraph& graph, std::string_view name,
                                    std::string_view what = "entity");

}  // namespace kgwalk::graph
