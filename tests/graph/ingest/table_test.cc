// Tables with columns, Neo4j's csv, numbers with their maps.
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::advice_of;
using testing::contains;
using testing::message_of;

class TableTest : public testing::FormatTest {};

TEST_F(TableTest, FindsTheUsualColumnsOfACsvHeader) {
  EXPECT_EQ(read("g.csv",
                 "id,Source,TARGET,type\n1,\"Lang, Fritz\",M,directed\n2,M,1931,\"release\n\"\"year\"\"\"\n")
                .skipped,
            0u);
  EXPECT_EQ(facts(), (Lines{"Lang, Fritz | directed | M", "M | release \"year\" | 1931"}));
}

TEST_F(TableTest, TakesTheColumnsThatAreNamed) {
  options_.input.columns = {"who", "how", "whom"};
  (void)read("g.csv", "whom,how,who,type\nb,knows,a,x\n");
  EXPECT_EQ(facts(), Lines{"a | knows | b"});
  (void)read("g.tsv", "how\twho\twhom\nknows\t\"a\"\tb\n");
  EXPECT_EQ(facts(), Lines{"\"a\" | knows | b"}) << "in tsv a quote is a letter";
  options_.input.separator = ';';
  (void)read("g.csv", "whom;how;who\nb;knows;a,c\n");
  EXPECT_EQ(facts(), Lines{"a,c | knows | b"});
}

TEST_F(TableTest, TakesColumnsByNumberWhereThereIsNoHeader) {
  options_.input.columns = {"1", "3", "2"};
  const IngestReport report = read("g.tsv", "a\tb\tr\nc\td\ns\tt\tr\tmore\n");
  EXPECT_EQ(facts(), (Lines{"a | r | b", "s | r | t"}));
  EXPECT_EQ(problems(report), Lines{"g.tsv:2: the row has 2 fields only"});
  options_.input.columns = {"0", "1", "2"};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)read("g.tsv", "a\tb\tr\n"); }), "counted from 1"));
}

TEST_F(TableTest, ATsvWithoutColumnsIsPlainTriples) {
  const IngestReport report = read("kb.tsv", "a\tr\tb\nc\tr\td\n");
  EXPECT_EQ(facts(), (Lines{"a | r | b", "c | r | d"}));
  EXPECT_EQ(report.files[0].second.format, "triples");
}

TEST_F(TableTest, SaysWhichColumnIsMissing) {
  EXPECT_EQ(message_of<DataError>([&] {
              (void)store("g.csv", "from,what,to\na,r,b\n");
            }).substr(folder_.path().string().size() + 1),
            "g.csv:1: no column is known for the relation; say which, of from, what, to, are head, relation "
            "and tail "
            "(columns)");
  options_.input.columns = {"from", "whta", "to"};
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)store("g.csv", "from,what,to\na,r,b\n"); }),
                       "there is no column 'whta' (did you mean 'what'?); the header has from, what, to"));
  options_.input.columns = {"from", "", "to"};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)store("g.csv", "from,what,to\n"); }),
                       "columns are three"));
  options_.input.columns = {};
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)store("g.csv", ""); }), "the file is empty"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg"));
}

TEST_F(TableTest, SkipsBadRowsWithTheirLine) {
  const IngestReport report =
      read("g.csv", "head,relation,tail\na,r,b\na,r\n\"a\nb\",r,\na,r,\"c\xff\"\na,r,d\n");
  EXPECT_EQ(problems(report), (Lines{"g.csv:3: 2 fields, the header has 3", "g.csv:4: the tail is empty",
                                     "g.csv:6: not valid UTF-8"}));
  EXPECT_EQ(facts(), (Lines{"a | r | b", "a | r | d"}));
}

TEST_F(TableTest, RowsThatAreAllBadAreNoGraph) {
  EXPECT_TRUE(contains(message_of<FormatError>([&] { (void)store("g.csv", "head,relation,tail\na,r\nb\n"); }),
                       "no fact could be read, 2 lines are bad; the first is"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg"));
  (void)store("g.csv", "head,relation,tail\n");  // nothing in it, nothing wrong
}

constexpr const char* kPeople =
    "personId:ID(Person),name,born:int,:LABEL,nick:string[],skip:IGNORE\n"
    "1,Keanu Reeves,1964,Person;Actor,The One;Neo,x\n"
    "2,,,Person,,x\n"
    ",Nobody,,Person,,x\n";
constexpr const char* kRoles =
    ":START_ID(Person),role,:END_ID(Movie),:TYPE\n"
    "1,Neo,1,ACTED_IN\n"
    "2,,1,PRODUCED\n"
    "1,,,ACTED_IN\n";

TEST_F(TableTest, ReadsTheFilesOfNeo4jAdmin) {
  options_.triples = {
      folder_.write("people.csv", kPeople),
      folder_.write("movies.csv", "movieId:ID(Movie),title,:LABEL\n1,The Matrix,Movie\n3,Unseen,\n"),
      folder_.write("roles.csv", kRoles)};
  const IngestReport report = read();
  EXPECT_EQ(
      facts(),
      (Lines{"2 | produced | The Matrix", "2 | type | Person", "Keanu Reeves | acted in | The Matrix",
             "Keanu Reeves | born | 1964", "Keanu Reeves | nick | Neo", "Keanu Reeves | nick | The One",
             "Keanu Reeves | type | Actor", "Keanu Reeves | type | Person", "The Matrix | type | Movie"}));
  EXPECT_EQ(problems(report), (Lines{"people.csv:4: the node's id is empty",
                                     "roles.csv:4: an end or the type of a relationship is empty"}));
  EXPECT_EQ(graph().find_entity("Unseen"), graph().num_connected()) << "a node without facts is an entity";
  EXPECT_EQ(report.files[0].second.format, "neo4j");
  EXPECT_EQ(report.files[2].second.qualifiers, 1u) << "the role";
}

TEST_F(TableTest, PointsOfNeo4jAreAValueForEachCoordinate) {
  (void)read("cities.csv",
             "cityId:ID(City){id-type:int},name,place:point{crs:WGS-84},:LABEL\n"
             "1,Ulm,\"{latitude:48.4, longitude:10.0}\",City\n"
             "2,Bonn,\"{ x : -3, Y : 1e2, crs: cartesian }\",\n"
             "3,Kiel,by the sea,\n"
             "4,Jena,\"{latitude:north, longitude:11.6}\",\n");
  EXPECT_EQ(facts(),
            (Lines{"Bonn | place x | -3", "Bonn | place y | 1e2",
                   "Jena | place | {latitude:north, longitude:11.6}", "Kiel | place | by the sea",
                   "Ulm | place latitude | 48.4", "Ulm | place longitude | 10.0", "Ulm | type | City"}));
}

TEST_F(TableTest, ReadsTheExportOfNeo4j) {
  const IngestReport report =
      read("all.csv",
           "\"_id\",\"_labels\",\"born\",\"name\",\"title\",\"_start\",\"_end\",\"_type\",\"roles\"\n"
           "\"0\",\":Movie:Film\",\"\",\"\",\"The Matrix\",,,,\n"
           "\"1\",\":Person\",\"1964\",\"Keanu Reeves\",\"\",,,,\n"
           ",,,,,\"1\",\"0\",\"ACTED_IN\",\"[\"\"Neo\"\"]\"\n");
  EXPECT_EQ(report.skipped, 0u);
  EXPECT_EQ(facts(),
            (Lines{"Keanu Reeves | acted in | The Matrix", "Keanu Reeves | born | 1964",
                   "Keanu Reeves | type | Person", "The Matrix | type | Film", "The Matrix | type | Movie"}));
  options_.input.format = InputFormat::kNeo4j;
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)read("x.csv", "a,b\n1,2\n"); }), "none of Neo4j's"));
}

TEST_F(TableTest, LooksUpTheNumbersOfPykeenAndDglKe) {
  options_.input.entity_ids = folder_.write("entity_to_id.tsv", "id\tlabel\n0\tParis\n1\tFrance\n2\t1984\n");
  options_.input.relation_ids = folder_.write("relations.dict", "capital of\t0\n");
  const IngestReport report =
      read("numeric_triples.tsv", "head\trelation\ttail\n0\t0\t1\n0\t0\t7\n2\t0\t1\n");
  EXPECT_EQ(facts(), (Lines{"1984 | capital of | France", "Paris | capital of | France"}));
  EXPECT_EQ(problems(report), Lines{"numeric_triples.tsv:3: the tail '7' is no id of its map"});
  options_.input.columns = {"1", "3", "2"};  // head, tail, relation, as DGL-KE may have them
  (void)read("train.tsv", "0\t1\t0\n");
  EXPECT_EQ(facts(), Lines{"Paris | capital of | France"});
  options_.input.relation_ids.clear();
  EXPECT_TRUE(
      contains(advice_of<ConfigError>([&] { (void)store("t.tsv", "0\t0\t1\n"); }), "{give relation_ids}"));
  options_.input.relation_ids = folder_.write("bad.tsv", "a\tb\nc\td\n");
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)read("t.tsv", "0\t0\t1\n"); }),
                       "neither column has a number"));
}

}  // namespace
}  // namespace kgwalk::graph
