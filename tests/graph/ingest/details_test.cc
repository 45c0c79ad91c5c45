#include "kgwalk/graph_details.h"

#include <cmath>
#include <cstring>

#include "graph/details.h"
#include "graph/ingest/unique_names.h"
#include "graph/knowledge_graph_impl.h"
#include "kgwalk/export.h"
#include "kgwalk/values.h"
#include "runtime/files.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;
using Views = std::vector<std::string_view>;

class DetailsTest : public testing::FormatTest {
 protected:
  EntityId entity(std::string_view name) const {
    const auto found = graph().find_entity(name);
    EXPECT_TRUE(found) << name;
    return found.value_or(0);
  }
  std::uint64_t edge(std::string_view head, std::string_view relation, std::string_view tail) const {
    return edge_number(graph(), {entity(head), *graph().find_relation(relation), entity(tail)}).value();
  }
  const GraphDetails& given() const { return details(graph()); }
  std::string exported(const std::string& name, GraphFormat format) {
    const Store database = Store::open(options_.database, Store::Mode::kReadOnly);
    (void)export_graph(database, folder_ / name, {.format = format});
    return read_file(folder_ / name);
  }
  static Lines sorted_lines(const std::string& text) {
    Lines lines;
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
      lines.push_back(text.substr(begin, text.find('\n', begin) - begin));
    std::sort(lines.begin(), lines.end());
    return lines;
  }
};

constexpr const char* kTwoTitanics =
    "<x:f/1> <http://www.w3.org/2000/01/rdf-schema#label> \"Titanic\"@en <x:g1> .\n"
    "<x:f/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <x:Film> <x:g1> .\n"
    "<x:f/1> <http://www.w3.org/2004/02/skos/core#altLabel> \"Titanic: the film\"@en <x:g2> .\n"
    "<x:f/1> <x:directedBy> <x:James_Cameron> .\n"
    "<x:f/1> <x:directedBy> <x:James_Cameron> <x:g1> .\n"
    "<x:f/1> <x:directedBy> <x:James_Cameron> <x:g2> .\n"
    "<x:f/1> <x:releaseYear> \"1997\"^^<http://www.w3.org/2001/XMLSchema#gYear> <x:g1> .\n"
    "<x:f/2> <http://www.w3.org/2000/01/rdf-schema#comment> \"It sank.\" .\n"
    "<x:f/2> <http://www.w3.org/2000/01/rdf-schema#label> \"Titanic\" .\n"
    "<x:f/2> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <x:Ship> <x:g1> .\n"
    "<x:f/2> <x:builtIn> _:yard _:notes .\n"
    "<x:directedBy> <http://www.w3.org/2000/01/rdf-schema#label> \"directed by\"@en <x:g1> .\n"
    "_:yard <x:lies> <x:Belfast> .\n";

TEST_F(DetailsTest, KeepIdsTypesAliasesAndSourcesOfNQuads) {
  options_.input.literals = LiteralUse::kValues;
  const IngestReport report = store("t.nq", kTwoTitanics);
  EXPECT_EQ(report.skipped, 0u);
  EXPECT_EQ(report.told_apart, 2u);
  EXPECT_EQ(report.sourced, 4u);
  EXPECT_EQ(report.aliases, 1u);
  const EntityId film = entity("Titanic (1997)"), ship = entity("Titanic (Ship)");
  EXPECT_EQ(given().id(film), "x:f/1");
  EXPECT_EQ(given().find_id("x:f/2"), ship);
  EXPECT_EQ(graph().find_entity("x:f/2"), ship);
  EXPECT_FALSE(given().find_id("x:f/3"));
  EXPECT_EQ(given().label(film), "Titanic");
  EXPECT_EQ(given().label(entity("Belfast")), "");
  EXPECT_EQ(given().aliases(film), Views{"Titanic: the film"});
  EXPECT_TRUE(given().aliases(ship).empty());
  EXPECT_EQ(types_of(graph(), ship), std::vector<EntityId>{entity("Ship")});
  EXPECT_EQ(given().relation_id(*graph().find_relation("directed by")), "x:directedBy");
  const std::uint64_t directed = edge("Titanic (1997)", "directed by", "James Cameron");
  EXPECT_EQ(given().sources(directed), (Views{"x:g1", "x:g2"}));
  EXPECT_TRUE(given().without_source(directed));
  EXPECT_EQ(given().sources(edge("James Cameron", "~directed by", "Titanic (1997)")),
            (Views{"x:g1", "x:g2"}));
  EXPECT_FALSE(given().without_source(edge("Titanic (Ship)", "type", "Ship")));
  EXPECT_FALSE(given().has_weights());
  EXPECT_EQ(given().weight(directed), 1.0F);
  const auto values = Values::load(Store::open(options_.database, Store::Mode::kReadOnly));
  EXPECT_EQ(values->description(ship), "It sank.");
  EXPECT_EQ(values->of(film).at(0).source, "x:g1");
}

TEST_F(DetailsTest, GoOutAsTheyCameByteByByte) {
  options_.input.literals = LiteralUse::kValues;
  (void)store("t.nq", kTwoTitanics);
  const std::string out = exported("out.nq", GraphFormat::kNQuads);
  EXPECT_EQ(sorted_lines(out), sorted_lines(kTwoTitanics));
  (void)store("back.nq", out);
  EXPECT_EQ(exported("again.nq", GraphFormat::kNQuads), out);
}

TEST_F(DetailsTest, LetLiteralsThatAreEntitiesGoOutAsLiterals) {
  const std::string text =
      "<x:a> <x:year> \"1997\"^^<http://www.w3.org/2001/XMLSchema#gYear> <x:g> .\n<x:a> <x:note> \"b "
      "\\\"c\\\"\" .\n";
  (void)store("t.nq", text);
  EXPECT_EQ(sorted_lines(exported("out.nq", GraphFormat::kNQuads)), sorted_lines(text));
  (void)store("t.csv", exported("out.csv", GraphFormat::kCsv));
}

TEST_F(DetailsTest, ComeBackFromCsvWithWeightsIdsAndSources) {
  const std::string entities =
      "id,name,type,aliases,description,year\n"
      "t1,Titanic,film,RMS Titanic; Ship of Dreams,A film.,1997\n"
      "t2,Titanic,film,,,1953\n"
      "p1,James Cameron,person,,,\n";
  options_.entities = folder_.write("entities.csv", entities);
  options_.input.columns = {"a", "r", "b"};
  options_.input.weight_column = "w";
  options_.input.source_column = "s";
  const IngestReport report = store(
      "t.csv", "a,r,b,w,s\nt1,directed_by,p1,0.5,imdb\nt1,directed_by,p1,0.25,wiki\nt2,shown_in,Paris,,\n");
  EXPECT_EQ(report.skipped, 0u);
  EXPECT_EQ(report.weighted, 1u);
  EXPECT_EQ(given().id(entity("Titanic (1997)")), "t1");
  EXPECT_EQ(given().aliases(entity("t1")), (Views{"RMS Titanic", "Ship of Dreams"}));
  EXPECT_EQ(given().id(entity("Paris")), "");
  const std::uint64_t directed = edge("t1", "directed_by", "James Cameron");
  EXPECT_EQ(given().given_weight(directed), 0.5F);  // the greatest of two
  EXPECT_EQ(given().sources(directed), (Views{"imdb", "wiki"}));
  EXPECT_FALSE(given().given_weight(edge("t2", "shown_in", "Paris")));
  EXPECT_EQ(given().weight(edge("t2", "shown_in", "Paris")), 1.0F);
  EXPECT_EQ(given().id(entity("film")), "");

  const std::string csv = exported("out.csv", GraphFormat::kCsv);
  EXPECT_TRUE(contains(csv, "head,relation,tail,head_id,tail_id,relation_id,weight,source\n")) << csv;
  EXPECT_TRUE(contains(csv, "Titanic,directed_by,James Cameron,t1,p1,,0.5,imdb\n")) << csv;
  options_.entities.clear();
  options_.input.columns = {"head", "relation", "tail"};
  options_.input.id_columns = {"head_id", "tail_id", "relation_id"};
  options_.input.weight_column = "weight";
  options_.input.source_column = "source";
  EXPECT_EQ(store("back.csv", csv).skipped, 0u);
  EXPECT_EQ(sorted_lines(exported("again.csv", GraphFormat::kCsv)), sorted_lines(csv));
  const std::string xml = exported("out.graphml", GraphFormat::kGraphMl);
  EXPECT_TRUE(contains(xml, "<data key=\"weight\">0.5</data><data key=\"source\">imdb; wiki</data>")) << xml;
}

TEST_F(DetailsTest, OfATableWithoutIdsBelongToNames) {
  options_.entities =
      folder_.write("entities.tsv", "name\ttype\talias\nIron Man\tfilm\tTony Stark\nAlone\t\t\n");
  (void)store("t.txt", "iron man\tdirected_by\tJon Favreau\n");
  EXPECT_EQ(graph().entity_name(entity("IRON MAN")), "Iron Man");
  EXPECT_EQ(given().aliases(entity("Iron Man")), Views{"Tony Stark"});
  EXPECT_EQ(types_of(graph(), entity("Iron Man")), std::vector<EntityId>{entity("film")});
  EXPECT_FALSE(given().has_ids());
  EXPECT_GE(entity("Alone"), graph().num_connected());
}

TEST_F(DetailsTest, OfNeo4jAreItsIdsAndPropertiesOfRelationships) {
  options_.input.weight_column = "rating";
  options_.input.source_column = "from";
  const IngestReport report = store(
      "n.csv",
      "_id,_labels,name,alias,_start,_end,_type,rating,from\n7,:Film,M,Murder,,,,,\n8,:Person,Lang,,,,,,\n"
      ",,,,7,8,DIRECTED_BY,4.5,imdb\n,,,,7,8,SEEN_BY,many,\n");
  EXPECT_EQ(problems(report), Lines{"n.csv:5: the weight 'many' is no number of 0 or more"});
  EXPECT_EQ(given().id(entity("M")), "7");
  const std::uint64_t directed = edge("M", "directed by", "Lang");
  EXPECT_EQ(given().given_weight(directed), 4.5F);
  EXPECT_EQ(given().sources(directed), Views{"imdb"});
  EXPECT_EQ(given().aliases(entity("M")), Views{"Murder"});
}

TEST_F(DetailsTest, ThatNobodyGaveTakeNoRoom) {
  (void)store("t.txt", "a\tr\tb\n");
  EXPECT_TRUE(given().empty());
  EXPECT_FALSE(given().has_ids() || given().has_weights() || given().has_sources() || given().has_aliases());
  EXPECT_EQ(given().id(0), "");
  EXPECT_TRUE(given().sources(0).empty());
  const Store database = Store::open(options_.database, Store::Mode::kReadOnly);
  EXPECT_EQ(database.blob_names(), Lines{});
}

TEST_F(DetailsTest, ThatAreDamagedAreRefusedOrLieInside) {
  (void)store("t.nq", kTwoTitanics);
  const std::string whole(GraphAccess::details_bytes(graph()));
  KnowledgeGraph copy = KnowledgeGraph::from_triples({}, {});
  std::swap(copy, *graph_);
  const auto set = [&](const std::string& bytes) {
    AlignedBytes laid(bytes.size());
    std::copy(bytes.begin(), bytes.end(), laid.data());
    GraphAccess::set_details(copy, std::move(laid));
  };
  for (std::size_t size = 1; size < whole.size(); size += 61)
    EXPECT_THROW(set(whole.substr(0, size)), StoreError) << size;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x41);
    try {
      set(changed);
      for (EntityId id = 0; id < copy.num_entities(); ++id) {
        EXPECT_LE(details(copy).id(id).size(), whole.size());
        EXPECT_LE(details(copy).aliases(id).size(), whole.size());
      }
      for (std::uint64_t e = 0; e < copy.num_edges(); ++e)
        EXPECT_LE(details(copy).sources(e).size(), whole.size());
      (void)details(copy).find_id("x:f/1");
    } catch (const StoreError&) {
    }
  }
}

TEST_F(DetailsTest, OfBadInputAreReportedWithTheirLine) {
  const std::string long_iri = "<x:" + std::string(100'000, 'a') + ">";
  const IngestReport report = store("t.nq", "<x:a> <x:r> <x:b> " + long_iri + " .\n<x:a> <x:r> " + long_iri +
                                                " .\n<x:a> <x:r> <x:c> <x:\xff> .\n<x:a> <x:r> <x:d> .\n");
  EXPECT_EQ(report.skipped, 3u);
  EXPECT_TRUE(contains(problems(report).at(0), "t.nq:1: 'x:aaa")) << problems(report).at(0);
  EXPECT_EQ(facts(), Lines{"a | r | d"});
  options_.entities =
      folder_.write("e.csv", "id,name\n,x\n" + std::string(5000, 'i') + ",y\na,\xff\xfe\na,ok\n");
  const IngestReport table = store("t.txt", "a\tr\tb\n");
  EXPECT_EQ(table.skipped, 3u);
  EXPECT_EQ(facts(), Lines{"ok | r | b"});
  options_.entities = folder_.write("e.csv", "id,name,type\n");
  options_.input.weight_column = "w";
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)store("t.csv", "head,relation,tail\na,r,b\n"); }),
                       "there is no column 'w'"));
}

constexpr std::string_view kFirstFixture = "/tests/graph/ingest/fixtures/details1.bin";

// Details as KGWDETL1 has them, without a section of housekeeping, of this graph.
TEST(Details, OfTheFirstVersionAreRead) {
  const std::vector<NamedTriple> triples = {{"Ada", "wrote", "Notes"}, {"Ada", "met", "Charles"}};
  KnowledgeGraph graph = KnowledgeGraph::from_triples(triples);
  const EntityId ada = *graph.find_entity("Ada"), notes = *graph.find_entity("Notes");
  const std::filesystem::path file = std::string(KGWALK_SOURCE_DIR) + std::string(kFirstFixture);
  const std::string stored = read_file(file);
  ASSERT_TRUE(stored.starts_with("KGWDETL1"));
  AlignedBytes bytes(stored.size());
  std::memcpy(bytes.data(), stored.data(), stored.size());
  GraphAccess::set_details(graph, std::move(bytes));
  const GraphDetails& given = details(graph);
  EXPECT_EQ(given.find_id("x:ada"), ada);
  EXPECT_EQ(given.aliases(ada), Views{"Countess of Lovelace"});
  const auto edge = edge_number(graph, {ada, *graph.find_relation("wrote"), notes});
  ASSERT_TRUE(edge);
  EXPECT_EQ(given.weight(*edge), 0.5F);
  EXPECT_EQ(given.sources(*edge), Views{"x:letters"});
  EXPECT_FALSE(given.is_housekeeping(0));
  EXPECT_FALSE(given.is_housekeeping(graph.num_relations() - 1));
}

// A million entities with one alias, and an entity with many: no more than linear work.
TEST_F(DetailsTest, TakeManyAliasesOfOneName) {
  std::string table = "id,name,aliases\n";
  for (int i = 0; i < 20'000; ++i) table += "e" + std::to_string(i) + ",Name,the same\n";
  table += "e0,Name,";
  for (int i = 0; i < 20'000; ++i) table += "alias " + std::to_string(i) + ";";
  options_.entities = folder_.write("e.csv", table + "\n");
  const IngestReport report = store("t.txt", "e0\tr\te1\n");
  EXPECT_EQ(report.told_apart, 20'000u);
  EXPECT_EQ(given().aliases(entity("e0")).size(), 20'001u);
  EXPECT_EQ(given().aliases(entity("e19999")), Views{"the same"});
}

TEST(UniqueNames, AreMadeOfTheFirstThatTellsAllApart) {
  std::vector<Named> names{{"A", "x:f/1"}, {"A", "x:f/2"}, {"B", "x:1"},
                           {"B", "x:2"},   {"C", "x:1"},   {"C", "x:2"}};
  const std::vector<Hints> hints{{"1997", "Film", {}},         {"", "Ship", {}},
                                 {"2000", "Film", {{1, "P"}}}, {"2000", "Film", {{0, "Q"}, {1, "R"}}},
                                 {"2000", "Film", {}},         {"2001", "Film", {}}};
  const auto hints_of = [&](std::span<const std::uint32_t> places) {
    std::vector<Hints> found;
    for (const std::uint32_t place : places) found.push_back(hints[place]);
    return found;
  };
  EXPECT_EQ(make_unique(names, hints_of), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  std::vector<std::string> made;
  for (const Named& named : names) made.push_back(named.name);
  EXPECT_EQ(made,
            (std::vector<std::string>{"A (1997)", "A (Ship)", "B (P)", "B (R)", "C (2000)", "C (2001)"}));
}

TEST(UniqueNames, LeaveTheNameToTheOneThatTheFactsAreOf) {
  const auto made = [](std::vector<std::size_t> facts, std::vector<Named> names) {
    const auto hints_of = [&](std::span<const std::uint32_t> places) {
      std::vector<Hints> found;
      for (const std::uint32_t place : places) found.push_back({"", "", {{0, "P"}}, facts[place]});
      return found;
    };
    (void)make_unique(names, hints_of);
    std::vector<std::string> texts;
    for (const Named& named : names) texts.push_back(named.name);
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(made({1, 10}, {{"drama", "x:1"}, {"Drama", "x:2"}}), (Texts{"drama (P)", "Drama"}));
  EXPECT_EQ(made({1, 9}, {{"drama", "x:1"}, {"Drama", "x:2"}}), (Texts{"drama (1)", "Drama (2)"}));
  EXPECT_EQ(made({0, 10}, {{"drama", "x:1"}, {"Drama", "x:2"}}), (Texts{"drama (P)", "Drama"}));
  EXPECT_EQ(made({1, 20, 2}, {{"a", "x:1"}, {"A", "x:2"}, {"A", "x:3"}}), (Texts{"a (1)", "A", "A (3)"}));
  // A name without an id is nobody else's.
  EXPECT_EQ(made({1, 10}, {{"Drama", ""}, {"Drama", "x:2"}}), (Texts{"Drama", "Drama (P)"}));
}

}  // namespace
}  // namespace kgwalk::graph
