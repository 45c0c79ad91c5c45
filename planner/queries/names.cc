#include "planner/queries/names.h"

#include <fmt/format.h>

#include <utility>

#include "kgwalk/error.h"
#include "planner/hop_details.h"
#include "runtime/text.h"

namespace kgwalk {

graph::RelationId relation_named(const graph::KnowledgeGraph& graph, std::string_view name) {
  if (const auto found = graph.find_relation(name)) return *found;
  throw ConfigError(fmt::format("relation '{}' is not in the graph{}", name,
                                did_you_mean(name, graph.suggest_relations(name))));
}

NamedHop named_hop(const graph::KnowledgeGraph& graph, const graph::Triple& triple) {
  NamedHop hop{std::string(graph.entity_name(triple.head)), std::string(graph.relation_name(triple.relation)),
               std::string(graph.entity_name(triple.tail))};
  add_details(graph, triple, hop);
  return hop;
}

NamedHop forward_hop(const graph::KnowledgeGraph& graph, graph::Triple triple) {
  if (graph.relation_name(triple.relation).starts_with('~')) {
    triple.relation = graph.inverse(triple.relation);
    std::swap(triple.head, triple.tail);
  }
  return named_hop(graph, triple);
}

}  // namespace kgwalk
