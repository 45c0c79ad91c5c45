// IRIs and literals of a query as entities and relations.
#include "forms/sparql/group_reader.h"
#include "forms/text/names.h"
#include "graph/export/graph_text.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::forms {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    result += coded ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return result;
}

}  // namespace

EntityId SparqlNames::entity(const SparqlTerm& term) const {
  if (const auto known = graph::details(graph()).find_id(term.text)) return *known;
  const std::string below = base_ + "entity/";
  if (term.kind == SparqlTerm::kIri && term.text.starts_with(below))
    return entity_of(percent_decoded(term.text.substr(below.size())), graph(), "SPARQL");
  return entity_of(term.text, graph(), "SPARQL");
}

std::optional<RelationId> SparqlNames::known_relation(const std::string& iri) const {
  if (const auto known = relation_with_id(iri, graph())) return known;
  const std::string below = base_ + "relation/";
  if (!iri.starts_with(below)) return std::nullopt;
  return graph().find_relation(percent_decoded(iri.substr(below.size())));
}

RelationId SparqlNames::relation(const std::string& iri) const {
  if (iri.starts_with('?'))
    throw ConfigError("SPARQL: a variable in the place of a relation is taken alone only");
  if (const auto known = known_relation(iri)) return *known;
  return relation_of(iri, graph(), "SPARQL");
}

std::vector<Relations> SparqlNames::steps(const SparqlPath& path, bool turned) const {
  switch (path.kind) {
    case SparqlPath::kIri: {
      const RelationId forwards = relation(path.iri);
      return {{turned ? graph().inverse(forwards) : forwards}};
    }
    case SparqlPath::kInverse:
      return steps(path.parts.front(), !turned);
    case SparqlPath::kSequence: {
      std::vector<Relations> all;
      for (std::size_t i = 0; i < path.parts.size(); ++i)
        for (Relations& each : steps(path.parts[turned ? path.parts.size() - 1 - i : i], turned))
          all.push_back(std::move(each));
      return all;
    }
    case SparqlPath::kEither: {
      Relations family;
      for (const SparqlPath& part : path.parts) {
        const std::vector<Relations> one = steps(part, turned);
        if (one.size() != 1)
          throw ConfigError("SPARQL: alternatives of several steps are not taken; use UNION");
        family.insert(family.end(), one.front().begin(), one.front().end());
      }
      return {family};
    }
    case SparqlPath::kAnyTimes:
      break;
  }
  throw ConfigError("SPARQL: a path with * is taken for rdf:type/rdfs:subClassOf* only");
}

}  // namespace kgwalk::forms
