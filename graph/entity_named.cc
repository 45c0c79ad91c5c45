#include "graph/entity_named.h"

#include <string>

#include "kgwalk/error.h"

namespace kgwalk::graph {

EntityId entity_named(const KnowledgeGraph& graph, std::string_view name, std::string_view what) {
  if (const auto id = graph.find_entity(name)) return *id;
  std::string near;
  for (const std::string& other : graph.suggest_entities(name))
    near += (near.empty() ? "; did you mean '" : ", '") + other + "'";
  throw ConfigError(std::string(what) + " '" + std::string(name) + "' is not in the graph" + near +
                    (near.empty() ? "" : "?"));
}

}  // namespace kgwalk::graph
