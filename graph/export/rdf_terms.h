// Entities and relations as the terms that stand for them in exported RDF.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/graph_details.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// A scheme and nothing that an IRI must not have.
[[nodiscard]] bool is_iri(std::string_view id) noexcept;

// Borrows the graph.
class RdfTerms {
 public:
  RdfTerms(const KnowledgeGraph& graph, std::string base);

  // "<IRI>" as the source gave it, else of the name under the base; a blank node or literal as it is.
  [[nodiscard]] std::string entity(EntityId id) const;
  // "<IRI>"; of an inverse, the relation's name has its mark.
  [[nodiscard]] std::string relation(RelationId id) const;
  [[nodiscard]] std::string relation_named(std::string_view name) const;
  [[nodiscard]] const std::string& base() const noexcept { return base_; }

 private:
  const KnowledgeGraph& graph_;
  const GraphDetails& details_;
  std::string base_;
};

}  // namespace kgwalk::graph
