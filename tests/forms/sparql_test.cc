#include "kgwalk/error.h"
#include "tests/forms/film_world.h"

namespace kgwalk::forms {
namespace {

using graph::number_value;
using graph::year_value;
using testing::FilmWorld;
using testing::Names;

class Sparql : public FilmWorld {
 protected:
  [[nodiscard]] Query read(const std::string& text) const {
    return query_of_sparql(
        "PREFIX : <http://example.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> " + text, values_);
  }
  [[nodiscard]] Names answers(const std::string& text) const {
    Names all = names(engine_.answer(read(text)).entities);
    std::sort(all.begin(), all.end());
    return all;
  }
  [[nodiscard]] std::string error(const std::string& text) const {
    try {
      (void)read(text);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "no error";
  }
};

TEST_F(Sparql, IsWrittenOverTheIrisOfTheExport) {
  EXPECT_EQ(to_sparql(find(by("Ada")), values_),
            "SELECT DISTINCT ?x WHERE { ?x <http://example.org/director> <http://example.org/Ada> . }");
  EXPECT_EQ(to_sparql(check_among(thing("Arrow"), by("Ada")), values_),
            "ASK { <http://example.org/Arrow> <http://example.org/director> <http://example.org/Ada> . }");
}

TEST_F(Sparql, OfPlainNamesGoesThroughLabels) {
  const graph::KnowledgeGraph plain = graph::KnowledgeGraph::from_triples(
      std::vector<graph::NamedTriple>{{"Alien", "release_year", "1979"}, {"Aliens", "release_year", "1986"}});
  const graph::TypedValues values(plain);
  const Relations year = {*plain.find_relation("release_year")};
  const Query late = find(where(having(year), year, {Comparison::kGreater, year_value(1980)}));
  const std::string text = to_sparql(late, values);
  EXPECT_NE(
      text.find("rdfs:label ?k3l . BIND(xsd:decimal(?k3l) AS ?k3) FILTER(BOUND(?k3)) FILTER(?k3 >= 1981)"),
      std::string::npos)
      << text;
  EXPECT_EQ(Engine(values).answer(query_of_sparql(text, values)).entities,
            Engine(values).answer(late).entities);
}

TEST_F(Sparql, IsReadBackWithTheSameAnswer) {
  const Measure released = value_of(relation("released")), cast = count_of(relation("starring"));
  const Query all[] = {
      find(step(by("Ada"), relation("starring"))),
      count(either(by("Ada"), but(films(), by("Ben")))),
      find(where(films(), relation("released"), between(year_value(1990), year_value(1999)))),
      find(where(films(), relation("released"), {Comparison::kNotEqual, year_value(1999)})),
      find(where(films(), relation("note"), {Comparison::kEqual, graph::text_value("quiet")})),
      find(where(having(relation("height")), relation("height"), {Comparison::kLess, number_value(1.75)})),
      find(last(films(), released, 2)),
      find(first(films(), cast)),
      find(where_count(films(), cast, {Comparison::kLess, number_value(2)})),
      sum(by("Ada"), relation("minutes")),
      average(films(), relation("minutes")),
      which({thing("Ada"), thing("Ben")}, value_of(relation("height"))),
      whether(thing("Ada"), Comparison::kLess, thing("Ben"), value_of(relation("born"))),
      whether(thing("Beacon"), Comparison::kEqual, thing("Candle"), value_of(relation("minutes"))),
      whether(thing("Beacon"), Comparison::kNotEqual, thing("Candle"), cast),
      difference(thing("Delta"), thing("Beacon"), cast),
      check(by("Cyd")),
      check_among(by("Ada"), films()),
      check_among(entities({entity("Arrow"), entity("Delta")}), films()),
      check_count(by("Ada"), {Comparison::kGreater, number_value(2)}),
      relations_between(thing("Arrow"), thing("Ada"))};
  for (const Query& query : all) {
    const std::string text = to_sparql(query, values_);
    const Answer ours = engine_.answer(query), back = engine_.answer(query_of_sparql(text, values_));
    EXPECT_EQ(back.entities, ours.entities) << text;
    EXPECT_EQ(back.number, ours.number) << text;
    EXPECT_EQ(back.truth, ours.truth) << text;
    EXPECT_EQ(back.relations, ours.relations) << text;
  }
}

TEST_F(Sparql, IsTakenAsPeopleWriteIt) {
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f :director :Ada ; :starring :Cyd . }"), (Names{"Arrow", "Beacon"}));
  EXPECT_EQ(answers("select distinct ?f { ?f (:director|:directedBy) :Ben }"),
            (Names{"Candle", "Delta", "Ember"}));
  EXPECT_EQ(answers("SELECT ?p WHERE { :Ada ^:director/:starring ?p }"), (Names{"Cyd", "Dan"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f :minutes ?m . FILTER(?m > 90 && ?m <= 120) }"),
            (Names{"Beacon", "Candle"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f :released ?d . FILTER(YEAR(?d) < 1990) }"), (Names{"Delta"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f :released ?d . FILTER(?d >= \"1999-01-01\"^^xsd:date) }"),
            (Names{"Beacon", "Candle"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f :director :Ada . FILTER NOT EXISTS { ?f :starring :Dan } }"),
            (Names{"Beacon", "Candle"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f :director :Ada . FILTER(?f != :Arrow) }"),
            (Names{"Beacon", "Candle"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f :director ?d ; :minutes ?m } ORDER BY DESC(?m) LIMIT 1"),
            (Names{"Beacon", "Candle"}));
  EXPECT_EQ(
      answers("SELECT ?f WHERE { ?f :starring ?s } GROUP BY ?f ORDER BY DESC(COUNT(DISTINCT ?s)) LIMIT 1"),
      (Names{"Delta"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f a/<http://www.w3.org/2000/01/rdf-schema#subClassOf>* :Film . :Ben "
                    "^:director ?f }"),
            (Names{"Candle", "Delta"}));
  EXPECT_EQ(answers("SELECT ?f WHERE { ?f a :Film . :Ben ^:director ?f }"), (Names{"Candle"}));
  EXPECT_EQ(engine_.answer(read("SELECT (COUNT(DISTINCT ?f) AS ?n) { ?f :director :Ada }")).number,
            number_value(3));
  EXPECT_EQ(engine_.answer(read("ASK { :Arrow :director :Ben }")).truth, false);
}

TEST_F(Sparql, SaysWhatItDoesNotTake) {
  EXPECT_EQ(error("SELECT * { ?f :director :Ada }").substr(0, 40),
            "line 1, column 87: SELECT * is not taken");
  EXPECT_NE(error("SELECT ?f { GRAPH :g { ?f :director :Ada } }").find("GRAPH is not taken"),
            std::string::npos);
  EXPECT_NE(error("SELECT ?f { ?f :director ?d . ?d :knows ?f }").find("is not in the graph"),
            std::string::npos);
  EXPECT_NE(error("SELECT ?f { ?f :director ?d . ?f :starring ?d }").find("circle"), std::string::npos);
  EXPECT_NE(error("SELECT ?f { ?f :director+ :Ada }").find("+ or ?"), std::string::npos);
  EXPECT_NE(error("SELECT ?f { ?f :direktor :Ada }").find("is not in the graph"), std::string::npos);
  EXPECT_NE(error("SELECT ?f { ?f :director :Ada } LIMIT 5").find("LIMIT is taken with ORDER BY"),
            std::string::npos);
  EXPECT_NE(error("SELECT ?f { ?f :minutes ?m . FILTER(?m * 2 > 100) }").find("filter is not taken"),
            std::string::npos);
  EXPECT_NE(error("SELECT ?f { ?f :director :Ada . ?a :director ?b }").find("does not hang on"),
            std::string::npos);
  EXPECT_NE(error("SELECT (COUNT(?s) AS ?n) { ?f :starring ?s . ?f :director :Ada }").find("DISTINCT"),
            std::string::npos);
  EXPECT_NE(error("DESCRIBE :Ada").find("only SELECT and ASK"), std::string::npos);
}

TEST_F(Sparql, OfAnyBytesIsAnErrorAtMost) {
  const std::string good = to_sparql(find(last(films(), value_of(relation("released")), 2)), values_);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string cut = good.substr(0, i), changed = good;
    changed[i] = "{}()<>?\"'^|;.&"[i % 14];
    for (const std::string& text : {cut, changed}) {
      try {
        (void)query_of_sparql(text, values_);
      } catch (const ConfigError&) {
      }
    }
  }
  EXPECT_THROW((void)query_of_sparql(std::string(100'000, '('), values_), ConfigError);
  EXPECT_THROW((void)query_of_sparql("SELECT ?x { " + std::string(100'000, '{'), values_), ConfigError);
  EXPECT_THROW((void)query_of_sparql("SELECT ?x { ?x " + std::string(100'000, '^'), values_), ConfigError);
}

}  // namespace
}  // namespace kgwalk::forms
