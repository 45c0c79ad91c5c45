#include "graph/ingest/iri_names.h"

#include "graph/ingest/unique_names.h"
#include "kgwalk/input_format.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

TEST(IriNames, OfEntitiesAreTheirLastPartReadable) {
  EXPECT_EQ(entity_name_of("http://example.org/resource/Iron_Man_(film)"), "Iron Man (film)");
  EXPECT_EQ(entity_name_of("http://example.org/onto#DiCaprio"), "DiCaprio");
  EXPECT_EQ(entity_name_of("http://example.org/a/Caf%C3%A9%20M%C3%BCller/"), "Caf\xc3\xa9 M\xc3\xbcller");
  EXPECT_EQ(entity_name_of("http://example.org/50%25_off"), "50% off");
  EXPECT_EQ(entity_name_of("http://example.org/person/mia-orme"), "mia orme");
  EXPECT_EQ(entity_name_of("http://example.org/covid-19"), "covid-19");
  EXPECT_EQ(entity_name_of("http://example.org/Jean-Luc"), "Jean-Luc");
  EXPECT_EQ(entity_name_of("http://example.org/%FF"), "%FF");  // no UTF-8: as it is written
  EXPECT_EQ(entity_name_of("http://example.org/a%0Ab"), "a b");
  EXPECT_EQ(entity_name_of("urn:isbn:123"), "123");
  EXPECT_EQ(entity_name_of("http://example.org/"), "example.org");
  EXPECT_EQ(entity_name_of("/"), "/");
  EXPECT_EQ(entity_name_of("plain"), "plain");
}

TEST(IriNames, OfRelationsAreWords) {
  EXPECT_EQ(relation_words_of("http://example.org/ontology/birthPlace"), "birth place");
  EXPECT_EQ(relation_words_of("http://example.org/ontology#starred_actors"), "starred actors");
  EXPECT_EQ(relation_words_of("ACTED_IN"), "acted in");
  EXPECT_EQ(relation_words_of("x:hasIMDbURL"), "has IMDb URL");
  EXPECT_EQ(relation_words_of("x:height2m"), "height2m");
  EXPECT_EQ(relation_words_of("areakm2"), "area km2");
  EXPECT_EQ(relation_words_of("x:~not-an.inverse"), "not an inverse");
  EXPECT_EQ(relation_words_of("x:P31"), "p31");
  EXPECT_EQ(relation_words_of("http://example.org/___"), "http://example.org/___");
}

std::vector<std::string> unique(std::vector<Named> names) {
  make_unique(names);
  std::vector<std::string> list;
  for (const Named& named : names) list.push_back(named.name);
  return list;
}

TEST(UniqueNames, TellApartByWhatDiffers) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(unique({{"Titanic", "http://e/Q1"}, {"titanic", "http://e/Q2"}, {"Ship", "http://e/Q3"}}),
            (Names{"Titanic (Q1)", "titanic (Q2)", "Ship"}));
  EXPECT_EQ(unique({{"Titanic", "http://e/film/Titanic"}, {"Titanic", "http://e/ship/Titanic"}}),
            (Names{"Titanic (film)", "Titanic (ship)"}));
  EXPECT_EQ(unique({{"T", "http://a/x/T"}, {"T", "http://b/x/T"}}),
            (Names{"T (http://a/x/T)", "T (http://b/x/T)"}));
  // A literal keeps its name, and equal ones are one.
  EXPECT_EQ(unique({{"Drama", "http://e/genre"}, {"drama", ""}, {"Drama", ""}}),
            (Names{"Drama (genre)", "drama", "Drama"}));
  EXPECT_EQ(unique({{"a", ""}, {"A", ""}}), (Names{"a", "A"}));
  // What comes out is nobody else's name.
  EXPECT_EQ(unique({{"T", "http://e/one/Q1"}, {"T", "http://e/two/Q2"}, {"T (Q1)", ""}}),
            (Names{"T (one)", "T (two)", "T (Q1)"}));
}

TEST(UniqueNames, TakeLittleTimeForManyOfOneName) {
  std::vector<std::string> ids;
  for (int i = 0; i < 300000; ++i) ids.push_back("http://e/Q" + std::to_string(i));
  std::vector<Named> names;
  for (const std::string& id : ids) names.push_back({"Titanic", id});
  make_unique(names);
  EXPECT_EQ(names.front().name, "Titanic (Q0)");
  EXPECT_EQ(names.back().name, "Titanic (Q299999)");
}

TEST(InputFormat, IsKnownByExtensionNameAndMediaType) {
  EXPECT_EQ(format_of("a/b.nt"), InputFormat::kNTriples);
  EXPECT_EQ(format_of("b.NQ.gz"), InputFormat::kNQuads);
  EXPECT_EQ(format_of("b.ttl.zst"), InputFormat::kTurtle);
  EXPECT_EQ(format_of("b.trig"), InputFormat::kTrig);
  EXPECT_EQ(format_of("b.json.bz2"), InputFormat::kJson);
  EXPECT_EQ(format_of("b.ndjson"), InputFormat::kJson);
  EXPECT_EQ(format_of("b.jsonld"), InputFormat::kJsonLd);
  EXPECT_EQ(format_of("b.graphml"), InputFormat::kGraphMl);
  EXPECT_EQ(format_of("b.owl"), InputFormat::kRdfXml);
  EXPECT_EQ(format_of("b.csv.gz"), InputFormat::kCsv);
  EXPECT_EQ(format_of("b.tsv.gz"), InputFormat::kTsv);
  for (const char* name : {"b.txt", "b", "nt", ".gz", "b.v2"})
    EXPECT_EQ(format_of(name), InputFormat::kTriples) << name;
  EXPECT_EQ(format_named("turtle"), InputFormat::kTurtle);
  EXPECT_EQ(format_named(".ttl"), InputFormat::kTurtle);
  EXPECT_EQ(format_named("Text/Turtle; charset=utf-8"), InputFormat::kTurtle);
  EXPECT_EQ(format_named("application/rdf+xml"), InputFormat::kRdfXml);
  EXPECT_EQ(format_named("neo4j"), InputFormat::kNeo4j);
  EXPECT_EQ(format_named("application/ld+json"), InputFormat::kJsonLd);
  EXPECT_EQ(format_named("application/json"), InputFormat::kJson);
  EXPECT_EQ(format_named("wikidata"), InputFormat::kWikidata);
  EXPECT_EQ(format_named("graphson"), std::nullopt);
  EXPECT_EQ(format_named(""), std::nullopt);
}

}  // namespace
}  // namespace kgwalk::graph
