// Tables with a row per thing: from csv, from folders, from SQLite files; guessed and by a mapping.
#include <sqlite3.h>

#include "graph/ingest/tables/cell_types.h"
#include "graph/ingest/tables/table_names.h"
#include "kgwalk/table_plan.h"
#include "runtime/files.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

constexpr const char* kFilmTable =
    "id,title,director_id,genres,release_year,price\n"
    "1,Metropolis,2,drama;future,1927,\"1,5\"\n"
    "2,M,2,crime;drama,1931,\"2,25\"\n"
    "3,Sunrise,1,drama,1927,3\n";
constexpr const char* kPersonTable =
    "id,name,born\n1,F. W. Murnau,1888-12-28\n2,Fritz Lang,1890-12-05\n3,Peter Lorre,1904-06-26\n";

class ThingsTest : public testing::FormatTest {
 protected:
  void add(const std::string& name, std::string_view text) {
    options_.triples.push_back(folder_.write(name, text));
  }
  [[nodiscard]] const TableMapping& table(const std::string& name) {
    plan_ = plan_tables(options_);
    for (const TableMapping& mapping : plan_.tables)
      if (mapping.table == name) return mapping;
    throw Error("no table " + name);
  }
  // A SQLite file made by these statements.
  std::filesystem::path sqlite(const std::string& name, const std::string& sql) {
    const std::filesystem::path file = folder_ / name;
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
    return file;
  }
  TablePlan plan_;
};

TEST_F(ThingsTest, ATableAloneGivesNamesTypesAndValues) {
  const IngestReport report = read("people.csv", kPersonTable);
  EXPECT_EQ(facts(), (Lines{"F. W. Murnau | born | 1888-12-28", "F. W. Murnau | type | person",
                            "Fritz Lang | born | 1890-12-05", "Fritz Lang | type | person",
                            "Peter Lorre | born | 1904-06-26", "Peter Lorre | type | person"}));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(contains(report.notes[0], "a row per thing, a 'person', id id, name name; born date"));
}

TEST_F(ThingsTest, PeopleAreCalledByBothNamesAndNotByATitle) {
  for (const char* names :
       {"firstname,lastname", "First Name,Last Name", "first_name,last_name", "givenName,familyName"}) {
    options_ = {};
    add("employee.csv",
        "id,title," + std::string(names) + "\n1,Manager,Ada,Ley\n2,Agent,Nora,Ott\n3,Agent,Ada,Ott\n");
    EXPECT_EQ(table("employee").name.size(), 2u) << names;
  }
}

TEST_F(ThingsTest, ANumberInAColumnOfSeveralIsACount) {
  add("persons.csv", "id,name\n1,Ada\n2,Bob\n3,Cleo\n");
  add("towns.csv", "id,name,people,person\n1,Ulm,3,1\n2,Jena,2,3\n3,Bonn,1,2\n");
  EXPECT_EQ(read().skipped, 0u);
  const Lines all = facts();
  EXPECT_NE(std::find(all.begin(), all.end(), "Ulm | people | 3"), all.end());
  EXPECT_NE(std::find(all.begin(), all.end(), "Ulm | person | Ada"), all.end());
}

TEST_F(ThingsTest, TablesAreLinkedAndEqualNumbersStayApart) {
  add("films.csv", kFilmTable);
  add("people.csv", kPersonTable);
  EXPECT_EQ(read().skipped, 0u);
  EXPECT_EQ(facts(), (Lines{"F. W. Murnau | born | 1888-12-28",
                            "F. W. Murnau | type | person",
                            "Fritz Lang | born | 1890-12-05",
                            "Fritz Lang | type | person",
                            "M | director | Fritz Lang",
                            "M | genres | crime",
                            "M | genres | drama",
                            "M | price | 2.25",
                            "M | release year | 1931",
                            "M | type | film",
                            "Metropolis | director | Fritz Lang",
                            "Metropolis | genres | drama",
                            "Metropolis | genres | future",
                            "Metropolis | price | 1.5",
                            "Metropolis | release year | 1927",
                            "Metropolis | type | film",
                            "Peter Lorre | born | 1904-06-26",
                            "Peter Lorre | type | person",
                            "Sunrise | director | F. W. Murnau",
                            "Sunrise | genres | drama",
                            "Sunrise | price | 3",
                            "Sunrise | release year | 1927",
                            "Sunrise | type | film"}));
}

TEST_F(ThingsTest, AJoinTableBecomesEdges) {
  add("films.csv", kFilmTable);
  add("people.csv", kPersonTable);
  add("film_actors.csv", "film_id,person_id\n2,3\n1,1\n");
  EXPECT_EQ(table("film_actors").use, TableUse::kEdges);
  EXPECT_EQ(table("film_actors").relation, "actor");
  (void)read();
  EXPECT_TRUE(graph().find_entity("Peter Lorre").has_value());
  const Lines all = facts();
  EXPECT_TRUE(std::find(all.begin(), all.end(), "M | actor | Peter Lorre") != all.end());
  options_.triples.back() =
      folder_.write("film_people.csv", "film_id,person_id,job\n2,3,actor\n1,1,writer\n2,1,actor\n");
  EXPECT_EQ(table("film_people").relation_column, "job");
  (void)read();
  const Lines by_job = facts();
  EXPECT_TRUE(std::find(by_job.begin(), by_job.end(), "Metropolis | writer | F. W. Murnau") != by_job.end());
}

TEST_F(ThingsTest, ARowThatNoTableHasIsTold) {
  add("films.csv", "id,title,director_id\n1,Metropolis,2\n2,M,7\n3,Sunrise,1\n4,Faust,1\n");
  add("people.csv", kPersonTable);
  options_.input.links = {"director_id=people.id"};
  const IngestReport report = read();
  EXPECT_EQ(problems(report), Lines{"films.csv:3: no file has the node 'people/7' of this relationship"});
}

TEST_F(ThingsTest, CyclesOfLinksAreRead) {
  add("a.csv", "id,name,b_id\n1,Ann,2\n2,Ada,1\n");
  add("b.csv", "id,name,a_id\n1,Ben,2\n2,Bob,1\n");
  (void)read();
  EXPECT_EQ(facts(), (Lines{"Ada | b | Ben", "Ada | type | a", "Ann | b | Bob", "Ann | type | a",
                            "Ben | a | Ada", "Ben | type | b", "Bob | a | Ann", "Bob | type | b"}));
}

TEST_F(ThingsTest, NamesOfOtherRowsAreLinks) {
  add("films.csv", "id,title,director\n1,Metropolis,Fritz Lang\n2,M,Fritz Lang\n3,Sunrise,F. W. Murnau\n");
  add("people.csv", kPersonTable);
  EXPECT_EQ(table("films").columns[0].to, "people.name");
  EXPECT_EQ(read().skipped, 0u);
  EXPECT_EQ(graph().num_entities(), 3u + 3u + 2u + 3u) << "films, people, types, days";
}

TEST_F(ThingsTest, NamesHoldCommasAndWordsAreNoNumbersOfOtherRows) {
  add("books.csv",
      "id,title,note\n1,\"Book, 1\",1 or 2\n2,\"Book, 2\",2\n3,\"Book, 3\",3\n4,\"Book, 1\",4\n");
  add("people.csv", kPersonTable);
  EXPECT_EQ(table("books").name, Lines{"title"});
  EXPECT_EQ(table("books").columns.size(), 1u);
  EXPECT_EQ(table("books").columns[0].use, ColumnUse::kValue);
}

TEST_F(ThingsTest, TheMappingDecides) {
  add("films.csv", kFilmTable);
  add("people.csv", kPersonTable);
  Json json = plan_tables(options_).to_json();
  EXPECT_EQ(TablePlan::from_json(json, "plan").to_json(), json);
  json["tables"][0]["columns"][0]["relation"] = "made by";
  json["tables"][0]["columns"][1]["use"] = "skip";
  json["tables"][1]["type"] = "";
  options_.mapping = folder_.write("plan.json", json.dump());
  (void)read();
  const Lines all = facts();
  EXPECT_TRUE(std::find(all.begin(), all.end(), "M | made by | Fritz Lang") != all.end());
  EXPECT_FALSE(graph().find_entity("drama").has_value());
  EXPECT_FALSE(graph().find_entity("person").has_value());
  json["tables"][0]["colums"] = Json::array();
  json["tables"][0]["use"] = "thing";
  options_.mapping = folder_.write("plan.json", json.dump());
  const std::string why = message_of<ConfigError>([&] { (void)read(); });
  EXPECT_TRUE(contains(why, "tables[0].colums")) << why;
  EXPECT_TRUE(contains(why, "did you mean 'columns'")) << why;
  EXPECT_TRUE(contains(why, "'thing' must be one of things, edges, skip")) << why;
}

TEST_F(ThingsTest, AMappingMayNameOnlyWhatIsThere) {
  add("people.csv", kPersonTable);
  options_.mapping = folder_.write("plan.json",
                                   R"({"tables": [{"table": "people", "id": "idd", "name": "name"},
                                                  {"table": "film", "id": "id"}]})");
  const std::string why = message_of<ConfigError>([&] { (void)read(); });
  EXPECT_TRUE(contains(why, "has no column 'idd'")) << why;
  EXPECT_TRUE(contains(why, "is no table that was given")) << why;
}

// A number that "reports to" leads to is a row and no amount; "rank" is one.
TEST_F(ThingsTest, WhatLeadsToOnesOwnKindIsALink) {
  (void)read("staff.csv", "id,name,reports_to,rank\n1,Ann,,1\n2,Bob,1,2\n3,Cleo,1,3\n4,Dan,2,3\n");
  EXPECT_EQ(facts(),
            (Lines{"Ann | rank | 1", "Ann | type | staff", "Bob | rank | 2", "Bob | reports to | Ann",
                   "Bob | type | staff", "Cleo | rank | 3", "Cleo | reports to | Ann", "Cleo | type | staff",
                   "Dan | rank | 3", "Dan | reports to | Bob", "Dan | type | staff"}));
}

TEST_F(ThingsTest, OptionsSayIdNameAndLinks) {
  options_.input.id_column = "nr";
  options_.input.name_column = "who";
  (void)read("staff.csv", "who,nr,desk\nAnn,7,8\nBob,8,\n");
  EXPECT_EQ(facts(), (Lines{"Ann | desk | 8", "Ann | type | staff", "Bob | type | staff"}));
  options_.input.links = {"desk=staff.nr"};
  (void)read();
  EXPECT_EQ(facts(), (Lines{"Ann | desk | Bob", "Ann | type | staff", "Bob | type | staff"}));
  options_.input.links = {"desk=staf.nr"};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)read(); }), "did you mean 'staff.nr'"));
  options_.input = {};
  options_.input.id_column = "number";
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)read(); }), "no table has the column 'number'"));
}

TEST_F(ThingsTest, TriplesAndTablesOfFactsStayWhatTheyAre) {
  (void)read("g.csv", "head,relation,tail\na,r,b\n");
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  (void)read("g.tsv", "a\tr\tb\nc\tr\td\n");
  EXPECT_EQ(facts(), (Lines{"a | r | b", "c | r | d"}));
  (void)read("places.tsv", "id\tname\tland\n1\tUlm\tWurttemberg\n");
  EXPECT_EQ(facts(), (Lines{"Ulm | land | Wurttemberg", "Ulm | type | place"}));
}

TEST_F(ThingsTest, AFolderIsReadAsAWhole) {
  const std::filesystem::path tables = folder_ / "tables";
  std::filesystem::create_directory(tables);
  (void)folder_.write("tables/films.csv", kFilmTable);
  (void)folder_.write("tables/people.csv", kPersonTable);
  (void)folder_.write("tables/readme.md", "x");
  (void)folder_.write("tables/empty.csv", "");
  (void)folder_.write("tables/more.json", R"([{"name": "Ulm", "river": "Danube"}, {"name": "Linz"}])");
  (void)folder_.write("tables/rest.ttl", "<x:Bonn> <x:river> <x:Rhine> .\n");
  options_.triples = {tables};
  const IngestReport report = store();
  EXPECT_EQ(report.files.size(), 4u);
  const auto told = [&](const char* what) {
    return std::any_of(report.notes.begin(), report.notes.end(),
                       [&](const std::string& note) { return contains(note, what); });
  };
  EXPECT_TRUE(told("empty.csv: is empty"));
  EXPECT_TRUE(told("readme.md: not read"));
  for (const char* name : {"Fritz Lang", "Ulm", "Rhine"}) EXPECT_TRUE(graph().find_entity(name).has_value());
  std::filesystem::create_directory(folder_ / "none");
  options_.triples = {folder_ / "none"};
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)read(); }), "has no file whose ending"));
}

TEST_F(ThingsTest, AThingWithARowForEachYearIsOne) {
  const IngestReport report =
      read("towns.csv",
           "town,land,year,pop\nUlm,Swabia,1990,110\nUlm,Swabia,2000,117\nUlm,Swabia,2010,\n"
           "Linz,Austria,2000,183\nLinz,Austria,1990,203\nLinz,Austria,2010,190\n");
  EXPECT_TRUE(contains(report.notes[0], "a row per thing and year, a 'town'"));
  EXPECT_EQ(facts(),
            (Lines{"Linz | 1990 pop | 203", "Linz | 2000 pop | 183", "Linz | 2010 pop | 190",
                   "Linz | land | Austria", "Linz | pop | 190", "Linz | type | town", "Ulm | 1990 pop | 110",
                   "Ulm | 2000 pop | 117", "Ulm | land | Swabia", "Ulm | pop | 117", "Ulm | type | town"}))
      << "the latest that there is counts where no year is said";
  std::string text = "town,year,pop\n,2000,5\nBonn,,6\n";
  for (int year = 1980; year < 2000; ++year)
    for (const char* town : {"Bonn,", "Ulm,"})
      text += town + std::to_string(year) + ",7" + std::to_string(year) + "\n";
  EXPECT_EQ(read("towns.csv", text).skipped, 1u) << "of what has no name nothing is told";
  EXPECT_EQ(facts().size(), 44u) << "twenty years, the latest and the kind of either";
  options_.mapping = folder_.write("plan.json", R"({"tables": [{"table": "towns", "id": "town", "columns": [
      {"column": "pop", "use": "series"}]}]})");
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)store(); }), "no 'series' says"));
}

TEST_F(ThingsTest, NumbersOfRowsSayNothing) {
  for (const char* called : {"", "Unnamed: 0"}) {
    (void)read("towns.csv",
               std::string(called) + ",name,land\n1,Ulm,Swabia\n2,Linz,Austria\n3,Graz,Austria\n");
    EXPECT_EQ(facts(), (Lines{"Graz | land | Austria", "Graz | type | town", "Linz | land | Austria",
                              "Linz | type | town", "Ulm | land | Swabia", "Ulm | type | town"}));
  }
  (void)read("years.csv", ",name\n1927,Sunrise\n1931,M\n");
  EXPECT_EQ(facts().size(), 4u) << "what counts no rows is a value";
}

TEST_F(ThingsTest, AYearBesideRowsThatDifferIsAColumn) {
  (void)read("films.csv",
             "title,year,director\nHeat,1995,Mann\nM,1931,Lang\nM,1951,Losey\nSalt,1995,Noyce\n");
  const Lines all = facts();
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const std::string& fact) { return contains(fact, " | year | "); }),
            4)
      << "few of one name are no series";
}

TEST_F(ThingsTest, OddTablesAreReadOrTold) {
  std::string header = "id,name", row = "1,Ann";
  for (int i = 0; i < 2000; ++i) header += ",c" + std::to_string(i), row += ",v" + std::to_string(i);
  EXPECT_EQ(read("wide.csv", header + "\n" + row + "\n").skipped, 0u);
  EXPECT_EQ(facts().size(), 2001u);
  (void)read("twice.csv", "id,name,color,color\n1,Ann,red,blue\n2,Bob,green,gray\n");
  const Lines twice = facts();
  EXPECT_TRUE(std::find(twice.begin(), twice.end(), "Ann | color | red") != twice.end());
  EXPECT_EQ(twice.size(), 6u);
  const IngestReport report =
      read("big.csv", "id,name\n1,Ann\n2," + std::string(10'000'000, 'x') + "\n3\n4,Bob,more\n5,Eve\n");
  EXPECT_EQ(problems(report),
            (Lines{"big.csv:3: the row has 10000002 bytes; at most 1048576 are taken",
                   "big.csv:4: 1 field, the header has 2", "big.csv:5: 3 fields, the header has 2"}));
  EXPECT_TRUE(graph().find_entity("Eve").has_value());
}

TEST_F(ThingsTest, TypesAreThoseThatAllCellsHave) {
  const auto type_of = [](std::initializer_list<const char*> cells) {
    TypeTally tally;
    for (const char* cell : cells) tally.add(cell);
    return tally.type();
  };
  EXPECT_EQ(type_of({"1", "-20"}), ValueType::kInteger);
  EXPECT_EQ(type_of({"007", "12"}), ValueType::kText) << "a code";
  EXPECT_EQ(type_of({"1.5", "2"}), ValueType::kNumber);
  EXPECT_EQ(type_of({"1,5", "2"}), ValueType::kCommaNumber);
  EXPECT_EQ(type_of({"1,5", "1.5"}), ValueType::kText);
  EXPECT_EQ(type_of({"1,500", "12,000"}), ValueType::kText) << "thousands, or three places";
  EXPECT_EQ(type_of({"1999-12-31", "1999-12-31 10:30"}), ValueType::kDate);
  EXPECT_EQ(type_of({"1999-13-31"}), ValueType::kText);
  EXPECT_EQ(type_of({"31.12.1999"}), ValueType::kPointDate);
  EXPECT_EQ(type_of({"Yes", "no"}), ValueType::kBoolean);
  EXPECT_EQ(typed_cell("31.12.1999", ValueType::kPointDate).text, "1999-12-31");
  EXPECT_EQ(typed_cell("1,5", ValueType::kCommaNumber).text, "1.5");
  EXPECT_FALSE(typed_cell("many", ValueType::kInteger).fits);
}

// What keeps a column from being numbers or dates is told with the cell.
TEST_F(ThingsTest, MarkersOfWhatIsMissingAreNoValues) {
  (void)read("animals.csv",
             "name,sleep,eats,seen\nOwl,17,mice,2001-05-04\nCow,NA,grass,NA\nCat,12.5,NA,2003-01-02\n");
  EXPECT_EQ(facts(), (Lines{"Cat | seen | 2003-01-02", "Cat | sleep | 12.5", "Cat | type | animal",
                            "Cow | eats | grass", "Cow | type | animal", "Owl | eats | mice",
                            "Owl | seen | 2001-05-04", "Owl | sleep | 17", "Owl | type | animal"}));
  options_.triples.clear();
  add("nations.csv", "name,code,head\nNamibia,NA,Nangolo\nOman,OM,Haitham\nPeru,PE,Dina\n");
  EXPECT_TRUE(table("nations").missing.empty()) << "one column of texts has it";
  options_.triples.clear();
  add("rows.csv", "name,sleep,eats\nOwl,17,NA\nCow,NA,grass\n");
  EXPECT_EQ(table("rows").missing, std::vector<std::string>{"NA"});
  EXPECT_TRUE(contains(table("rows").told(), "'NA' is no value")) << table("rows").told();
  const TablePlan again = TablePlan::from_json(plan_.to_json(), "plan");
  EXPECT_EQ(again.tables.at(0).missing, std::vector<std::string>{"NA"});
  (void)read(
      "pets.json",
      R"([{"name": "Mia", "age": 3, "breed": "N/A"}, {"name": "Tom", "age": "N/A", "breed": "Manx"}])");
  EXPECT_EQ(facts(), (Lines{"Mia | age | 3", "Mia | type | pet", "Tom | breed | Manx", "Tom | type | pet"}));
}

TEST_F(ThingsTest, CellsThatBreakTheirColumnAreTold) {
  const auto told = [&](const std::string& text) {
    options_.triples = {folder_.write("t.csv", text)};
    return plan_tables(options_).tables.at(0).told();
  };
  EXPECT_TRUE(contains(told("id;name;born\n1;A;2001-02-28\n2;B;2001-02-31\n3;C;-0043-03-13\n"),
                       "'born' text, since '2001-02-31' is no date, as 2 of 3 cells are"));
  EXPECT_TRUE(contains(told("id;name;height\n1;A;1.5\n2;B;1,5\n3;C;1.75\n"),
                       "'height' text, since '1,5' is no number, as 2 of 3 cells are"));
  EXPECT_TRUE(contains(told("id;name;born\n1;A;-0043-03-13\n2;B;2000-02-29\n"), "born date"));
  EXPECT_FALSE(contains(told("id;name;note\n1;A;good\n2;B;2\n3;C;bad\n"), "since"));
  EXPECT_TRUE(contains(told("id,name,color,color\n1,A,red,blue\n2,B,green,red\n"),
                       "'color (2)' is another column called 'color'"));
  (void)read("t.csv", "id,name,color,color\n1,A,red,blue\n2,B,green,red\n");
  EXPECT_EQ(facts().size(), 6u) << "both columns are read";
}

TEST_F(ThingsTest, TypesOfThingsAreSingular) {
  for (const auto& [table, type] : {std::pair("films", "film"),
                                    {"People", "person"},
                                    {"countries", "country"},
                                    {"boxes", "box"},
                                    {"series", "series"},
                                    {"status", "status"},
                                    {"film_actors", "film actor"},
                                    {"movies", "movie"}})
    EXPECT_EQ(type_of_table(table), type);
}

constexpr const char* kSqlOfFilms =
    "CREATE TABLE people (pid INTEGER PRIMARY KEY, name TEXT, picture BLOB);"
    "CREATE TABLE films (fid INTEGER PRIMARY KEY, title TEXT, maker INTEGER REFERENCES people(pid));"
    "CREATE TABLE cast (f INTEGER REFERENCES films, p INTEGER REFERENCES people, PRIMARY KEY (f, p));"
    "INSERT INTO people VALUES (1, 'Fritz Lang', x'00ff'), (2, 'Peter Lorre', NULL);"
    "INSERT INTO films VALUES (1, 'M', 1), (2, 'Faust', NULL);"
    "INSERT INTO cast VALUES (1, 2);";

TEST_F(ThingsTest, SqliteIsReadByItsDeclaredKeys) {
  options_.triples = {sqlite("films.db", kSqlOfFilms)};
  const IngestReport report = store();
  EXPECT_EQ(facts(), (Lines{"Faust | type | film", "Fritz Lang | type | person", "M | cast | Peter Lorre",
                            "M | maker | Fritz Lang", "M | type | film", "Peter Lorre | type | person"}));
  EXPECT_EQ(report.files[0].second.format, "sqlite");
  EXPECT_TRUE(report.files[0].first.ends_with("films.db:people"));
}

TEST_F(ThingsTest, SqliteNumbersKeepAllTheirDigits) {
  options_.triples = {
      sqlite("t.db",
             "CREATE TABLE prices (id INTEGER PRIMARY KEY, name TEXT, price REAL);"
             "INSERT INTO prices VALUES (1, 'a', 43.080999999999996), (2, 'b', 5.0), (3, 'c', 0.1);")};
  (void)read();
  EXPECT_EQ(facts(), (Lines{"a | price | 43.080999999999996", "a | type | price", "b | price | 5.0",
                            "b | type | price", "c | price | 0.1", "c | type | price"}));
}

TEST_F(ThingsTest, SqliteInWalModeIsReadAndNothingIsWrittenBesideIt) {
  options_.triples = {sqlite("wal.db", std::string("PRAGMA journal_mode=WAL;") + kSqlOfFilms)};
  (void)read();
  EXPECT_EQ(facts().size(), 6u);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "wal.db-shm"));
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open((folder_ / "wal.db").c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(writer, "INSERT INTO people VALUES (3, 'Brigitte Helm', NULL)", nullptr, nullptr, nullptr),
      SQLITE_OK);
  (void)read();
  EXPECT_TRUE(graph().find_entity("Brigitte Helm").has_value()) << "what is in the log only";
  sqlite3_close(writer);
}

TEST_F(ThingsTest, SqliteFilesThatCannotBeReadAreTold) {
  const auto why = [&]<class E>(E*) { return message_of<E>([&] { (void)read(); }); };
  options_.triples = {sqlite("none.db", "CREATE TABLE t (a); DROP TABLE t;")};
  EXPECT_TRUE(contains(why(static_cast<DataError*>(nullptr)), "has no tables"));
  options_.triples = {folder_.write("secret.sqlite", std::string(4096, '\x7f'))};
  EXPECT_TRUE(contains(why(static_cast<DataError*>(nullptr)), "or an encrypted one"));
  options_.triples = {folder_.write("empty.sqlite", "")};
  EXPECT_TRUE(contains(why(static_cast<DataError*>(nullptr)), "is empty"));

  const std::filesystem::path file = sqlite("films.db", kSqlOfFilms);
  std::string bytes = read_file(file);
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = '\x55';
  options_.triples = {folder_.write("damaged.db", bytes)};
  EXPECT_TRUE(contains(why(static_cast<DataError*>(nullptr)), "is damaged"));

  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  options_.triples = {file};
  EXPECT_TRUE(contains(why(static_cast<IoError*>(nullptr)), "another program has the SQLite file locked"));
  sqlite3_close(writer);
}

}  // namespace
}  // namespace kgwalk::graph
