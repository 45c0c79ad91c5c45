// What the entities of a graph stand for, and how relations read them.
#include "kgwalk/typed_values.h"

#include <algorithm>
#include <fstream>
#include <thread>

#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::TempFolder;

EntityId entity(const KnowledgeGraph& graph, std::string_view name) {
  return graph.find_entity(name).value();
}
RelationId relation(const KnowledgeGraph& graph, std::string_view name) {
  return graph.find_relation(name).value();
}

KnowledgeGraph films() {
  return KnowledgeGraph::from_triples(std::vector<NamedTriple>{{"1917", "release_year", "2019"},
                                                               {"1917", "directed_by", "Sam Mendes"},
                                                               {"300", "release_year", "2006"},
                                                               {"300", "directed_by", "Zack Snyder"},
                                                               {"2012", "release_year", "2009"},
                                                               {"2012", "sequel_of", "300"},
                                                               {"1917", "budget", "95000000"},
                                                               {"300", "budget", "65000000"},
                                                               {"2012", "born on", "14 March 1902"}});
}

TEST(TypedValues, OfPlainNamesGoByTheRelation) {
  const KnowledgeGraph graph = films();
  const TypedValues values(graph);
  EXPECT_EQ(values.value(entity(graph, "2019")), year_value(2019));
  EXPECT_EQ(values.kind(entity(graph, "1917")), ValueKind::kThing);
  EXPECT_EQ(values.kind(entity(graph, "300")), ValueKind::kThing);
  EXPECT_EQ(values.value(entity(graph, "95000000")), number_value(95e6));
  EXPECT_EQ(values.value(entity(graph, "14 March 1902")), date_value(1902, 3, 14));
  EXPECT_EQ(values.ends(relation(graph, "release_year")).tails, ValueKind::kYear);
  EXPECT_EQ(values.ends(relation(graph, "release_year")).heads, ValueKind::kThing);
  EXPECT_EQ(values.ends(relation(graph, "~release_year")).heads, ValueKind::kYear);
  EXPECT_EQ(values.ends(relation(graph, "directed_by")).tails, ValueKind::kThing);
  EXPECT_EQ(values.shown(entity(graph, "95000000")), "95,000,000");
  EXPECT_EQ(values.shown(entity(graph, "1917")), "1917");
}

TEST(TypedValues, StandInTheirOrder) {
  const KnowledgeGraph graph = films();
  const TypedValues values(graph);
  std::vector<std::string> names;
  for (const RankedValue& each : values.ranked(relation(graph, "release_year")))
    names.emplace_back(graph.entity_name(each.value));
  EXPECT_EQ(names, (std::vector<std::string>{"2006", "2009", "2019"}));
  EXPECT_TRUE(values.ranked(relation(graph, "directed_by")).empty());
}

TEST(TypedValues, OneSlipInTenLeavesARelationWhatItIs) {
  std::vector<NamedTriple> triples;
  for (int i = 0; i < 20; ++i)
    triples.push_back({"film " + std::to_string(i), "year", std::to_string(1950 + i)});
  triples.push_back({"film 3", "year", "unknown"});
  triples.push_back({"film 4", "year", "99999"});
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(triples);
  const TypedValues values(graph);
  EXPECT_EQ(values.value(relation(graph, "year"), entity(graph, "1950")), year_value(1950));
  EXPECT_EQ(values.kind(entity(graph, "unknown")), ValueKind::kThing);
  EXPECT_EQ(values.value(entity(graph, "99999")), year_value(99999));
}

TEST(TypedValues, WithoutWordsThatSayItTwoNumbersAreNames) {
  const KnowledgeGraph two =
      KnowledgeGraph::from_triples(std::vector<NamedTriple>{{"a", "likes", "300"}, {"b", "likes", "21"}});
  EXPECT_EQ(TypedValues(two).kind(entity(two, "300")), ValueKind::kThing);
  const KnowledgeGraph mixed = KnowledgeGraph::from_triples(std::vector<NamedTriple>{
      {"a", "likes", "300"}, {"b", "likes", "21"}, {"b", "likes", "Alien"}, {"b", "likes", "8 1/2"}});
  EXPECT_EQ(TypedValues(mixed).kind(entity(mixed, "300")), ValueKind::kThing);
}

// What is written with a nought in front, or as a prefix of telephones, orders nothing and measures nothing.
TEST(TypedValues, CodesAreNoNumbers) {
  std::vector<NamedTriple> facts;
  for (int i = 0; i < 30; ++i) {
    const std::string place = "Place " + std::to_string(i);
    facts.push_back({place, "numeric code", i < 4 ? "00" + std::to_string(i) : std::to_string(100 + i)});
    facts.push_back({place, "dialing", "+" + std::to_string(30 + i)});
    facts.push_back({place, "area", std::to_string(7 * i + 1)});
    facts.push_back({place, "share", "0." + std::to_string(i + 1)});
  }
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(facts);
  const TypedValues values(graph);
  EXPECT_EQ(values.ends(relation(graph, "numeric code")).tails, ValueKind::kThing);
  EXPECT_EQ(values.ends(relation(graph, "dialing")).tails, ValueKind::kThing);
  EXPECT_EQ(values.ends(relation(graph, "area")).tails, ValueKind::kNumber);
  EXPECT_EQ(values.ends(relation(graph, "share")).tails, ValueKind::kNumber);
}

class LiteralValues : public ::testing::Test {
 protected:
  static KnowledgeGraph ingested(const std::string& turtle) {
    TempFolder folder;
    std::ofstream(folder / "graph.ttl") << "@prefix : <http://example.org/> . @prefix xsd: "
                                           "<http://www.w3.org/2001/XMLSchema#> .\n"
                                        << turtle;
    IngestOptions options;
    options.database = folder / "kg";
    options.triples = {folder / "graph.ttl"};
    (void)ingest(options);
    return Store::open(folder / "kg", Store::Mode::kReadOnly).load_graph();
  }
};

TEST_F(LiteralValues, AreWhatTheirDatatypeSays) {
  const KnowledgeGraph graph = ingested(
      ":a :pages 1984 ; :released \"1984\"^^xsd:gYear ; :height \"1.72 m\"^^<https://w3id.org/cdt/ucum> ; "
      ":note \"7\" .\n"
      ":b :pages 310 ; :released \"1999-05-01\"^^xsd:date ; :note \"seven\" .\n");
  const TypedValues values(graph);
  EXPECT_EQ(values.ends(relation(graph, "pages")).tails, ValueKind::kNumber);
  EXPECT_EQ(values.value(entity(graph, "\"1999-05-01\"^^<http://www.w3.org/2001/XMLSchema#date>")),
            date_value(1999, 5, 1));
  EXPECT_EQ(values.shown(entity(graph, "1.72 m")), "1.72 m");
  EXPECT_EQ(values.value(entity(graph, "seven")), text_value("seven"));
  EXPECT_EQ(values.value(entity(graph, "7")), text_value("7"));  // not nearly all of the notes are numbers
}

TEST_F(LiteralValues, WholeNumbersAreYearsWhereTheRelationSaysATime) {
  const KnowledgeGraph graph = ingested(":a :founded 1871 ; :pages 1871 . :b :founded -753 ; :pages 12 .");
  const TypedValues values(graph);
  const EntityId both = entity(graph, "1871");
  EXPECT_EQ(values.value(relation(graph, "founded"), both), year_value(1871));
  EXPECT_EQ(values.value(relation(graph, "pages"), both), number_value(1871));
  EXPECT_EQ(values.value(both), number_value(1871));
  EXPECT_EQ(values.value(entity(graph, "-753")), year_value(-753));
}

// A literal is one entity by its text: a datatype elsewhere does not make a year of an amount.
TEST_F(LiteralValues, OneTextIsAYearHereAndANumberThere) {
  std::string turtle = ":z :since \"2000\"^^xsd:gYear . :z :since \"2001\"^^xsd:gYear . :c :people 2000 .\n";
  for (int i = 1; i < 12; ++i)
    turtle += ":t" + std::to_string(i) + " :people " + std::to_string(i) + "500 .\n";
  for (const bool number_first : {false, true}) {
    const KnowledgeGraph graph = ingested((number_first ? ":y :people 2000 ." : "") + turtle);
    const TypedValues values(graph);
    EXPECT_EQ(values.value(relation(graph, "people"), entity(graph, "2000")), number_value(2000));
    EXPECT_EQ(values.ranked(relation(graph, "people")).size(), 12U);
  }
}

TEST_F(LiteralValues, OfAPopulationWithTimeWordsStayNumbers) {
  const KnowledgeGraph graph = ingested(":a :populationStart 120000 . :b :populationStart 8000 .");
  const TypedValues values(graph);
  EXPECT_EQ(values.ends(relation(graph, "population start")).tails, ValueKind::kNumber);
}

TEST(TypedValues, AreSortedOnceForAllThreads) {
  const KnowledgeGraph graph = films();
  const TypedValues values(graph);
  std::vector<std::size_t> sizes(8);
  std::vector<std::thread> threads;
  for (std::size_t& size : sizes)
    threads.emplace_back([&] { size = values.ranked(relation(graph, "release_year")).size(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sizes, std::vector<std::size_t>(8, 3));
}

TEST(TypedValues, OfAGraphWithoutAnyCostNothing) {
  const KnowledgeGraph graph = KnowledgeGraph::from_triples(std::vector<NamedTriple>{{"a", "r", "b"}});
  const TypedValues values(graph);
  EXPECT_EQ(values.kind(0), ValueKind::kThing);
  EXPECT_EQ(values.group(0), 0);
  EXPECT_TRUE(values.ranked(0).empty());
}

}  // namespace
}  // namespace kgwalk::graph
