// Steps that ask for what a statement says beside its fact.
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "tests/forms/film_world.h"

namespace kgwalk::forms {
namespace {

using graph::year_value;
using testing::Names;

// What is said of the facts stands as RDF's reification has it.
constexpr const char* kTowns = R"(@prefix : <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Skipton :population 900 , 1200 , 1500 ; :mayor :Ada , :Ben .
:Malham :mayor :Ada .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :population ; rdf:object 900 ; :date "1990"^^xsd:gYear .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :population ; rdf:object 1200 ; :date "2010-05-01"^^xsd:date .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :mayor ; rdf:object :Ada ; :start 1990 ; :end 1994 .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :mayor ; rdf:object :Ada ; :start 2002 ; :end 2006 ; :party :Greens .
[] a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :mayor ; rdf:object :Ben ; :start 1994 ; :end 2002 .
)";

class QualifiedSteps : public ::testing::Test {
 protected:
  [[nodiscard]] EntityId entity(std::string_view name) const { return graph_.find_entity(name).value(); }
  [[nodiscard]] Relations relation(std::string_view name) const {
    return {graph_.find_relation(name).value()};
  }
  [[nodiscard]] Set from(std::string_view name, std::string_view by, std::vector<Qualified> with) const {
    return step(entities({entity(name)}), relation(by), std::move(with));
  }
  [[nodiscard]] Qualified when(std::string_view name, Comparison test, double year) const {
    return {relation(name), {test, graph::number_value(year)}};
  }
  [[nodiscard]] Names found(const Set& set) const {
    Names all;
    for (const EntityId id : engine_.answer(find(set)).entities) all.emplace_back(graph_.entity_name(id));
    std::sort(all.begin(), all.end());
    return all;
  }

  graph::KnowledgeGraph graph_ = testing::graph_of(kTowns);
  graph::TypedValues values_{graph_};
  Engine engine_{values_};
  const Qualified in_2010{relation("date"), {Comparison::kEqual, year_value(2010)}};
};

TEST_F(QualifiedSteps, TakeTheFactsWhoseStatementSaysSo) {
  EXPECT_EQ(found(from("Skipton", "population", {in_2010})), Names{"1200"}) << "a day of the year";
  EXPECT_EQ(found(from("Skipton", "population", {when("date", Comparison::kLess, 2000)})), Names{"900"});
  EXPECT_EQ(found(from("Skipton", "population", {when("date", Comparison::kNotEqual, 1990)})), Names{"1200"})
      << "1500 has no date";
  EXPECT_EQ(found(from("Skipton", "mayor", {{relation("date"), {Comparison::kEqual, year_value(2010)}}})),
            Names{});
  EXPECT_EQ(found(from("Ada", "~mayor", {when("start", Comparison::kAtLeast, 2000)})), Names{"Skipton"})
      << "Malham's statement says nothing, and facts are read backwards as forwards";
  EXPECT_EQ(
      found(from("Skipton", "mayor", {{.relations = relation("party"), .entities = {entity("Greens")}}})),
      Names{"Ada"});
  const Relations both = {relation("start").front(), relation("date").front()};
  EXPECT_EQ(found(from("Skipton", "population", {{both, {Comparison::kGreater, year_value(2005)}}})),
            Names{"1200"})
      << "several relations stand for one";
}

TEST_F(QualifiedSteps, WantAllOfItFromOneStatement) {
  const auto at = [&](double year) {
    return found(from("Skipton", "mayor",
                      {when("start", Comparison::kAtMost, year), when("end", Comparison::kAtLeast, year)}));
  };
  EXPECT_EQ(at(1998), Names{"Ben"}) << "Ada began before and ended behind, by two statements";
  EXPECT_EQ(at(1992), Names{"Ada"});
  EXPECT_EQ(at(2005), Names{"Ada"});
}

TEST_F(QualifiedSteps, AreMembersOfSetsLikeOthers) {
  const Set mayors = from("Skipton", "mayor", {when("start", Comparison::kGreater, 1993)});
  EXPECT_EQ(engine_.answer(count(mayors)).number, graph::number_value(2));
  EXPECT_EQ(found(both(mayors, step(entities({entity("Malham")}), relation("mayor")))), Names{"Ada"});
  EXPECT_EQ(engine_.answer(check_among(entities({entity("Ben")}), mayors)).truth, true);
  EXPECT_EQ(
      found(step(from("Ben", "~mayor", {when("end", Comparison::kEqual, 2002)}), relation("population")))
          .size(),
      3u);
  const auto evidence = engine_.evidence(find(from("Skipton", "population", {in_2010})), entity("1200"));
  ASSERT_EQ(evidence.size(), 1u);
  EXPECT_EQ(evidence[0].tail, entity("1200"));
}

TEST_F(QualifiedSteps, AreWrittenAsJsonAndWords) {
  const Query asked =
      find(from("Skipton", "population",
                {in_2010, {.relations = relation("party"), .entities = {entity("Greens"), entity("Ada")}}}));
  const Json json = to_json(asked, values_);
  EXPECT_EQ(json, Json::parse(R"({"find": {"step": "population", "from": "Skipton", "with": [
      {"qualifier": "date", "test": "=", "value": {"year": 2010}}, {"qualifier": "party", "is": ["Greens", "Ada"]}]}})"));
  EXPECT_EQ(query_of_json(json, values_), asked);
  EXPECT_EQ(in_words(asked, values_), "population of Skipton in 2010, with party Greens or Ada");
  const Json one = Json::parse(
      R"({"find": {"step": "population", "from": "Skipton", "with": {"qualifier": "date", "between": [1980, 2000]}}})");
  EXPECT_EQ(found(query_of_json(one, values_).set), Names{"900"});
  const auto error = [&](const char* with) {
    try {
      (void)query_of_json(
          Json::parse(std::string(R"({"find": {"step": "population", "from": "Skipton", "with": )") + with +
                      "}}"),
          values_);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error("5"), "find.step.with: expected an object or a list of them, not 5");
  EXPECT_EQ(error(R"({"qualifier": "dote", "value": 1})").substr(0, 22), "find.step.with.qualifi");
  EXPECT_EQ(error(R"({"qualifier": "date"})"), "find.step.with: 'test' is missing");
  EXPECT_EQ(error(R"({"qualifier": "date", "is": "Ada", "test": "="})"),
            "find.step.with: there is no 'test' here");
}

TEST_F(QualifiedSteps, AreSparqlOverWhatExportWrites) {
  EXPECT_EQ(to_sparql(find(from("Skipton", "population", {in_2010})), values_),
            "SELECT DISTINCT ?x WHERE { "
            "?q1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#subject> <http://example.org/Skipton> . "
            "?q1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#predicate> <http://example.org/population> . "
            "?q1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#object> ?x . "
            "VALUES ?v2 { \"2010-05-01\"^^<http://www.w3.org/2001/XMLSchema#date> } "
            "?q1 <http://example.org/date> ?v2 . }");
}

TEST_F(QualifiedSteps, AreReadBackFromSparql) {
  const std::vector<Qualified> by_greens = {{.relations = relation("party"), .entities = {entity("Greens")}}};
  const Relations several = {relation("mayor").front(), relation("population").front()};
  const Relations either_way = {relation("mayor").front(), relation("~population").front()};
  const Set from_town = entities({entity("Skipton")});
  const Set towns = both(having(relation("mayor")), having(relation("population")));
  for (const Query& asked : {find(from("Skipton", "mayor", by_greens)),
                             find(from("Ada", "~mayor", by_greens)), find(step(towns, several, by_greens)),
                             check_among(entities({entity("Ada")}), from("Skipton", "mayor", by_greens)),
                             check_among(entities({entity("Ada")}), step(from_town, either_way, by_greens)),
                             count(from("Skipton", "population", {in_2010}))}) {
    const Answer want = engine_.answer(asked);
    const Answer have = engine_.answer(query_of_sparql(to_sparql(asked, values_), values_));
    EXPECT_EQ(have.entities, want.entities);
    EXPECT_EQ(have.number, want.number);
    EXPECT_EQ(have.truth, want.truth);
  }
  const Query by_hand = query_of_sparql(
      "PREFIX : <http://example.org/> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> "
      "SELECT ?x { ?q a rdf:Statement ; rdf:subject :Skipton ; rdf:predicate :mayor ; rdf:object ?x ; :start "
      "?s "
      "FILTER(?s >= 1994) }",
      values_);
  EXPECT_EQ(found(by_hand.set), (Names{"Ada", "Ben"}));
  EXPECT_THROW((void)query_of_sparql(
                   "SELECT ?x { ?q <http://www.w3.org/1999/02/22-rdf-syntax-ns#object> ?x }", values_),
               ConfigError);
}

}  // namespace
}  // namespace kgwalk::forms
