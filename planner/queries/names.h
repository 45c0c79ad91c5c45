// Names to ids and back, as the queries need them.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan.h"

namespace kgwalk {

// ConfigError with the nearest names when the graph has no such relation.
[[nodiscard]] graph::RelationId relation_named(const graph::KnowledgeGraph& graph, std::string_view name);
[[nodiscard]] NamedHop named_hop(const graph::KnowledgeGraph& graph, const graph::Triple& triple);
// The same fact read forward: "~directed_by" turned around.
[[nodiscard]] NamedHop forward_hop(const graph::KnowledgeGraph& graph, graph::Triple triple);

}  // namespace kgwalk
