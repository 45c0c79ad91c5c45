// Entities as users name them on the command line.
#pragma once

#include <string>

#include "graph/knowledge_graph.h"
#include "runtime/error.h"

namespace kgwalk::cli {

// ConfigError with the nearest names when the graph has none of that name.
inline graph::EntityId entity_named(const graph::KnowledgeGraph& graph, const std::string& name) {
  if (const auto id = graph.find_entity(name)) return *id;
  std::string near;
  for (const std::string& other : graph.suggest_entities(name))
    near += (near.empty() ? "'" : ", '") + other + "'";
  throw ConfigError("no entity '" + name + "'" + (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace kgwalk::cli
