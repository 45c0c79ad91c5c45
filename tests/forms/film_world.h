// A small graph of films, as its source gives it in Turtle, that the tests of forms share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "kgwalk/form_text.h"
#include "kgwalk/ingest.h"
#include "kgwalk/query.h"
#include "kgwalk/store.h"
#include "tests/temp_folder.h"

namespace kgwalk::forms::testing {

inline constexpr const char* kFilms = R"(@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Documentary rdfs:subClassOf :Film .
:Arrow a :Film ; :director :Ada ; :released "1994"^^xsd:gYear ; :minutes 90 ; :starring :Cyd , :Dan .
:Beacon a :Film ; :director :Ada ; :released "1999-05-01"^^xsd:date ; :minutes 120 ; :starring :Cyd .
:Candle a :Film ; :director :Ada , :Ben ; :released "2005"^^xsd:gYear ; :minutes 120 .
:Delta a :Documentary ; :director :Ben ; :released "1987"^^xsd:gYear ; :starring :Dan , :Eve , :Cyd .
:Ember a :Film ; :directedBy :Ben ; :note "quiet" .
:Ada :height "1.80 m"^^<https://w3id.org/cdt/ucum> . :Ben :height "172 cm"^^<https://w3id.org/cdt/ucum> .
:Ada :born "1950-02-03"^^xsd:date . :Ben :born "1960-02-03"^^xsd:date .
)";

inline graph::KnowledgeGraph graph_of(const std::string& text, const std::string& name = "graph.ttl") {
  test::TempFolder folder;
  std::ofstream(folder / name) << text;
  graph::IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder / name};
  (void)graph::ingest(options);
  return graph::Store::open(folder / "kg", graph::Store::Mode::kReadOnly).load_graph();
}

class FilmWorld : public ::testing::Test {
 protected:
  [[nodiscard]] EntityId entity(std::string_view name) const { return graph_.find_entity(name).value(); }
  [[nodiscard]] Relations relation(std::string_view name) const {
    return {graph_.find_relation(name).value()};
  }
  [[nodiscard]] Set thing(std::string_view name) const { return entities({entity(name)}); }
  [[nodiscard]] Set films() const { return of_type({entity("Film")}); }
  [[nodiscard]] Set by(std::string_view director) const {
    return step(thing(director), relation("~director"));
  }

  [[nodiscard]] std::vector<std::string> names(const std::vector<EntityId>& ids) const {
    std::vector<std::string> all;
    for (const EntityId id : ids) all.emplace_back(graph_.entity_name(id));
    return all;
  }
  // By name, so that ids do not matter.
  [[nodiscard]] std::vector<std::string> found(const Set& set) const {
    std::vector<std::string> all = names(engine_.answer(find(set)).entities);
    if (set.kind != SetKind::kFirst && set.kind != SetKind::kLast) std::sort(all.begin(), all.end());
    return all;
  }

  // Ingested once: a database costs a quarter of a second.
  static const graph::KnowledgeGraph& shared_graph() {
    static const graph::KnowledgeGraph graph = graph_of(kFilms);
    return graph;
  }

  const graph::KnowledgeGraph& graph_ = shared_graph();
  graph::TypedValues values_{graph_};
  Engine engine_{values_};
};

using Names = std::vector<std::string>;

}  // namespace kgwalk::forms::testing
