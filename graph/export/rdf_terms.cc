#include "graph/export/rdf_terms.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "graph/export/graph_text.h"

namespace kgwalk::graph {
namespace {

bool may_stand_in_iri(char c) {
  return static_cast<unsigned char>(c) > 0x20 &&
         std::string_view("<>\"{}|^`\\").find(c) == std::string_view::npos;
}

}  // namespace

bool is_iri(std::string_view id) noexcept {
  const std::size_t colon = id.find(':');
  if (colon == std::string_view::npos || colon == 0 || std::isalpha(static_cast<unsigned char>(id[0])) == 0)
    return false;
  return std::all_of(id.begin(), id.end(), may_stand_in_iri);
}

RdfTerms::RdfTerms(const KnowledgeGraph& graph, std::string base)
    : graph_(graph), details_(details(graph)), base_(std::move(base)) {}

std::string RdfTerms::entity(EntityId id) const {
  const std::string_view given = details_.id(id);
  if (given.starts_with("_:") || given.starts_with('"')) return std::string(given);
  if (is_iri(given)) return '<' + std::string(given) + '>';
  return '<' + base_ + "entity/" + percent_coded(given.empty() ? graph_.entity_name(id) : given) + '>';
}

std::string RdfTerms::relation(RelationId id) const {
  const std::string_view given = details_.relation_id(id);
  return is_iri(given) ? '<' + std::string(given) + '>' : relation_named(graph_.relation_name(id));
}

std::string RdfTerms::relation_named(std::string_view name) const {
  return '<' + base_ + "relation/" + percent_coded(name) + '>';
}

}  // namespace kgwalk::graph
