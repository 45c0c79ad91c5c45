// A small graph of films, people and places that the tests of telling share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "dialogue/telling/about.h"
#include "dialogue/telling/tell.h"
#include "dialogue/telling/why.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/ingest.h"
#include "kgwalk/query.h"
#include "kgwalk/store.h"
#include "tests/temp_folder.h"

namespace kgwalk::dialogue::testing {

inline constexpr const char* kFacts = R"(@prefix : <http://example.org/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Harbor a :Film ; :directed_by :Ida_Marsh ; :release_year "1994"^^xsd:gYear ; :runtime 90 ;
  :starred_actors :Olaf_Reed , :Mona_Field ; :has_genre :Drama ;
  dct:modified "2020-01-01T10:00:00Z"^^xsd:dateTime .
:Lantern a :Film ; :directed_by :Ida_Marsh ; :release_year "1999"^^xsd:gYear ; :runtime 120 ;
  :starred_actors :Olaf_Reed ; :has_genre :Drama , :Comedy .
:Orchard a :Film ; :directed_by :Ida_Marsh , :Tom_Vale ; :release_year "2006"^^xsd:gYear ; :runtime 120 ;
  :has_genre :Comedy .
:Quarry a :Film ; :directed_by :Tom_Vale ; :release_year "1987"^^xsd:gYear ; :starred_actors :Mona_Field .
:Ida_Marsh a :Person ; :birth_date "1950-02-03"^^xsd:date ; :height "1.80 m"^^<https://w3id.org/cdt/ucum> ;
  :Place_of_birth :Oslo ; :children :Pia_Marsh , :Leo_Marsh .
:Tom_Vale a :Person ; :birth_date "1960-02-03"^^xsd:date ; :height "172 cm"^^<https://w3id.org/cdt/ucum> ;
  :Place_of_birth :Bergen ; :children :Uma_Vale .
:Olaf_Reed a :Person ; :Place_of_birth :Oslo .
:Oslo a :City ; :population 700000 . :Bergen a :City ; :population 280000 .
:Narvik a :City ; :population 14000 .
:Acme_Pictures a :Company ; :founded "2004-04-01"^^xsd:date ; :headquarters :Oslo .
:Borg_Films a :Company ; :founded "1990-05-01"^^xsd:date .
)";

inline graph::KnowledgeGraph graph_of(const std::string& text) {
  test::TempFolder folder;
  std::ofstream(folder / "graph.ttl") << text;
  graph::IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder / "graph.ttl"};
  (void)graph::ingest(options);
  return graph::Store::open(folder / "kg", graph::Store::Mode::kReadOnly).load_graph();
}

class FilmFacts : public ::testing::Test {
 protected:
  [[nodiscard]] graph::EntityId entity(std::string_view name) const {
    return graph_.find_entity(name).value();
  }
  [[nodiscard]] forms::Relations relation(std::string_view name) const {
    return {graph_.find_relation(name).value()};
  }
  [[nodiscard]] forms::Set thing(std::string_view name) const { return forms::entities({entity(name)}); }
  [[nodiscard]] forms::Set type(std::string_view name) const { return forms::of_type({entity(name)}); }
  [[nodiscard]] forms::Set by(std::string_view director) const {
    return forms::step(thing(director), relation("~directed by"));
  }
  [[nodiscard]] std::string told(const forms::Query& query, const TellOptions& options = {}) const {
    return tell(query, engine_.answer(query, options.before), engine_, builtin_wordings(), options).sentence;
  }

  // Ingested once: a database costs a quarter of a second.
  static const graph::KnowledgeGraph& shared_graph() {
    static const graph::KnowledgeGraph graph = graph_of(kFacts);
    return graph;
  }

  const graph::KnowledgeGraph& graph_ = shared_graph();
  graph::TypedValues values_{graph_};
  forms::Engine engine_{values_};
};

}  // namespace kgwalk::dialogue::testing
