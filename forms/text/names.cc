#include "forms/text/names.h"

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::forms {

EntityId entity_of(std::string_view name, const graph::KnowledgeGraph& graph, std::string_view where) {
  return graph::entity_named(graph, name, std::string(where) + ": entity");
}

std::optional<RelationId> relation_with_id(std::string_view id, const graph::KnowledgeGraph& graph) {
  const graph::GraphDetails& details = graph::details(graph);
  for (RelationId r = 0; r < graph.num_relations(); ++r)
    if (!graph.relation_name(r).starts_with('~') && details.relation_id(r) == id) return r;
  return std::nullopt;
}

RelationId relation_of(std::string_view name, const graph::KnowledgeGraph& graph, std::string_view where) {
  if (const auto relation = graph.find_relation(name)) return *relation;
  const bool backwards = name.starts_with('~');
  if (const auto relation = relation_with_id(backwards ? name.substr(1) : name, graph))
    return backwards ? graph.inverse(*relation) : *relation;
  std::string near;
  for (const std::string& other : graph.suggest_relations(name))
    near += (near.empty() ? "; did you mean '" : ", '") + other + "'";
  throw ConfigError(std::string(where) + ": relation '" + std::string(name) + "' is not in the graph" + near +
                    (near.empty() ? "" : "?"));
}

std::string written_name(EntityId entity, const graph::KnowledgeGraph& graph) {
  const std::string_view name = graph.entity_name(entity);
  const std::string_view id = graph::details(graph).id(entity);
  return std::string(id.empty() || graph.find_entity(name) == entity ? name : id);
}

std::string written_name_of_relation(RelationId relation, const graph::KnowledgeGraph& graph) {
  const std::string_view name = graph.relation_name(relation);
  if (graph.find_relation(name) == relation) return std::string(name);
  const bool backwards = name.starts_with('~');
  const RelationId forward = backwards ? graph.inverse(relation) : relation;
  return (backwards ? "~" : "") + std::string(graph::details(graph).relation_id(forward));
}

}  // namespace kgwalk::forms
