// Objects of JSON that lead to each other by the values of their keys, and fixtures of Django as tables.
#include "kgwalk/table_plan.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

class ObjectsTest : public testing::FormatTest {
 protected:
  void add(const std::string& name, std::string_view text) {
    options_.triples.push_back(folder_.write(name, text));
  }
  [[nodiscard]] bool has(const std::string& fact) const {
    const Lines all = facts();
    return std::find(all.begin(), all.end(), fact) != all.end();
  }
};

constexpr const char* kCountries =
    R"([{"name": {"common": "Chile"}, "cca3": "CHL", "cioc": "CHI", "borders": ["ARG", "BOL", "PER"], "union": "A"},
 {"name": {"common": "Peru"}, "cca3": "PER", "cioc": "PER", "borders": ["BOL", "CHL"], "union": "B"},
 {"name": {"common": "Argentina"}, "cca3": "ARG", "cioc": "ARG", "borders": ["BOL", "CHL"], "union": "A"},
 {"name": {"common": "Bolivia"}, "cca3": "BOL", "cioc": "BOL", "borders": ["ARG", "CHL", "PER"], "union": "B"}])";

TEST_F(ObjectsTest, CodesLeadToTheObjectsThatHaveThem) {
  const IngestReport report = read("countries.json", kCountries);
  EXPECT_TRUE(has("Chile | borders | Peru"));
  EXPECT_TRUE(has("Peru | borders | Chile"));
  EXPECT_TRUE(has("Peru | cca3 | PER")) << "a code is a value of its own object";
  EXPECT_TRUE(has("Peru | cioc | PER")) << "another code of the object leads nowhere";
  EXPECT_FALSE(has("Chile | borders | PER"));
  ASSERT_FALSE(report.notes.empty());
  EXPECT_TRUE(contains(report.notes[0], "'borders' holds what leads to countries.cca3"));
}

TEST_F(ObjectsTest, ACodeIsNoNameWhereAnotherKeyTellsOne) {
  (void)read("heroes.json", R"([{"name": "npc_hero_axe", "attack": "Melee", "localized_name": "Axe"},
 {"name": "npc_hero_lina", "attack": "Ranged", "localized_name": "Lina"}])");
  EXPECT_TRUE(has("Axe | attack | Melee"));
  EXPECT_TRUE(has("Lina | type | hero"));
  EXPECT_FALSE(graph().find_entity("npc_hero_axe"));
}

TEST_F(ObjectsTest, AListThatIsWrappedIsReadAsIfItWereNot) {
  const IngestReport report = read("towns.json", R"({"count": 2, "next": null, "results": [
 {"name": "Ulm", "river": "Danube"},
 {"name": "Graz", "river": "Mur"}]})");
  EXPECT_EQ(facts(), (Lines{"Graz | river | Mur", "Ulm | river | Danube"}));
  EXPECT_TRUE(contains(report.notes.at(0), "not read: 'count', 'next'"));
  (void)read(
      "both.json",
      R"({"towns": [{"name": "Ulm", "river": "Danube"}], "rivers": [{"name": "Danube", "sea": "Black Sea"}]})");
  EXPECT_EQ(facts(), (Lines{"Danube | sea | Black Sea", "Ulm | river | Danube"}));
  EXPECT_EQ(
      read("page.json", R"({"meta": {"page": 2}, "data": [{"name": "Ulm", "river": "Danube"}]})").skipped,
      0u);
  EXPECT_EQ(facts(), Lines{"Ulm | river | Danube"});
  const char* broken = R"({"results": [
 {"name": "Ulm", "river": "Danube"},
 {"name": "Bern", "river": ["Aare"},
 {"name": "Graz", "river": "Mur"}
]})";
  EXPECT_GE(read("broken.json", broken).skipped, 1u);
  EXPECT_EQ(facts(), (Lines{"Graz | river | Mur", "Ulm | river | Danube"})) << "a slip costs its object";
  EXPECT_GE(read("cut.json", std::string_view(broken).substr(0, 60)).skipped, 1u);
  EXPECT_EQ(facts(), Lines{"Ulm | river | Danube"});
  (void)read("thing.json", R"({"name": "Ulm", "parts": [{"name": "Old Town"}, {"name": "Donautal"}]})");
  EXPECT_EQ(facts(), (Lines{"Ulm | parts | Donautal", "Ulm | parts | Old Town"})) << "this one is a thing";
}

TEST_F(ObjectsTest, ThingsOfOneNameAreKnownByTheirCodes) {
  const char* towns = R"([
 {"code": "ES-GR", "name": "Granada", "type": "Province", "parent": "ES-AN"},
 {"code": "NI-GR", "name": "Granada", "type": "Department"},
 {"code": "ES-CA", "name": "Cadiz", "type": "Province", "parent": "ES-AN"},
 {"code": "ES-MA", "name": "Malaga", "type": "Province", "parent": "ES-AN"},
 {"code": "FR-75", "name": "Paris", "type": "Department", "parent": "FR-IF"},
 {"code": "FR-77", "name": "Melun", "type": "Department", "parent": "FR-IF"},
 {"code": "DE-MU", "name": "Munich", "type": "City", "parent": "DE-BY"},
 {"code": "DE-NU", "name": "Nuremberg", "type": "City", "parent": "DE-BY"},
 {"code": "ES-AN", "name": "Andalusia", "type": "Region"},
 {"code": "FR-IF", "name": "Ile-de-France", "type": "Region"},
 {"code": "DE-BY", "name": "Bavaria", "type": "State"}])";
  options_.triples = {folder_.write("towns.json", towns)};
  (void)read();
  EXPECT_TRUE(has("Granada (Province) | code | ES-GR"));
  EXPECT_TRUE(has("Granada (Department) | code | NI-GR"));
  EXPECT_TRUE(has("Cadiz | parent | Andalusia"));
  options_.mapping = folder_.write("plan.json", plan_tables(options_).to_json().dump());
  (void)read();
  EXPECT_TRUE(has("Granada (Province) | parent | Andalusia"));
}

TEST_F(ObjectsTest, WhatNoObjectHasStaysAText) {
  std::string text = kCountries;
  text.replace(text.find("\"BOL\", \"PER\"], \"union\""), 22, "\"XXX\", \"PER\"], \"union\"");
  options_.input.links = {"borders=countries.cca3"};
  (void)read("countries.json", text);
  EXPECT_TRUE(has("Chile | borders | XXX"));
  EXPECT_TRUE(has("Chile | borders | Argentina"));
}

TEST_F(ObjectsTest, TheMappingDecides) {
  options_.triples = {folder_.write("countries.json", kCountries)};
  Json json = plan_tables(options_).to_json();
  for (Json& column : json["tables"][0]["columns"]) {
    if (column["column"] == "borders") column["relation"] = "neighbor";
    if (column["column"] == "cioc") column["use"] = "skip";
    if (column["column"] == "union") column["relation"] = "member of";
  }
  options_.mapping = folder_.write("plan.json", json.dump());
  (void)read();
  EXPECT_TRUE(has("Chile | neighbor | Peru"));
  EXPECT_TRUE(has("Chile | member of | A"));
  EXPECT_FALSE(has("Peru | cioc | PER"));
  json["tables"][0]["use"] = "skip";
  options_.mapping = folder_.write("plan.json", json.dump());
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { (void)read(); }), "has objects, which are things"));
}

TEST_F(ObjectsTest, WhatHasNoNameIsCalledByTheKeyThatTellsItApart) {
  const IngestReport report = read("nations.json", R"([
 {"country": "japan", "currency": "yen", "drives on": "left"},
 {"country": "ghana", "currency": "cedi", "drives on": "right"},
 {"country": "france", "currency": "euro", "drives on": "right"}])");
  EXPECT_TRUE(has("japan | currency | yen"));
  EXPECT_TRUE(has("japan | type | country")) << "the key says what it is";
  EXPECT_TRUE(has("ghana | type | nation")) << "and so does the list";
  EXPECT_FALSE(has("japan | country | japan"));
  EXPECT_TRUE(contains(report.notes.at(0), "named by 'country' (3)")) << report.notes.at(0);
  (void)read("people.json", R"([{"id": 7, "first_name": "Ada", "last_name": "Blom", "age": 30},
                                {"id": 8, "first_name": "Ben", "last_name": "Carr", "age": 30}])");
  EXPECT_EQ(facts(), (Lines{"Ada Blom | age | 30", "Ada Blom | type | person", "Ben Carr | age | 30",
                            "Ben Carr | type | person"}));
  (void)read("users.json", R"([{"email": "a@b.c", "age": 30}, {"email": "d@e.f", "age": 31}])");
  EXPECT_TRUE(has("a@b.c | type | user"));
  EXPECT_FALSE(has("a@b.c | type | email")) << "an address is nobody's kind";
}

TEST_F(ObjectsTest, AFileThatIsByItsThingsSaysWhatItTellsOfThem) {
  (void)read("country-by-capital-city.json", R"([{"country": "Japan", "city": "Tokyo"},
 {"country": "Ghana", "city": "Accra"}, {"country": "France", "city": "Paris"}])");
  EXPECT_EQ(facts(),
            (Lines{"France | capital city | Paris", "France | type | country", "Ghana | capital city | Accra",
                   "Ghana | type | country", "Japan | capital city | Tokyo", "Japan | type | country"}));
  (void)read("rainfall-by-city.csv", "city,value\nBrask,812\nTell,340\nOrme,601\n");
  EXPECT_TRUE(has("Brask | rainfall | 812"));
  EXPECT_TRUE(has("Brask | type | city"));
}

TEST_F(ObjectsTest, AMapOfObjectsIsAListWhoseKeysAreNames) {
  (void)read("natures.json", R"({"Gentle": {"raises": "defense", "likes": "Bitter"},
                                  "Rash": {"raises": "attack", "likes": "Dry"},
                                  "Mild": {"raises": null, "likes": "Dry"}})");
  EXPECT_EQ(facts(), (Lines{"Gentle | likes | Bitter", "Gentle | raises | defense", "Gentle | type | nature",
                            "Mild | likes | Dry", "Mild | type | nature", "Rash | likes | Dry",
                            "Rash | raises | attack", "Rash | type | nature"}));
  (void)read("a.json", R"({"version": 3, "countries": {
 "CL": {"name": "Chile", "near": ["PE", "BO"]}, "PE": {"name": "Peru", "near": ["BO", "CL"]},
 "BO": {"name": "Bolivia", "near": ["CL", "PE"]}, "EC": {"name": "Ecuador", "near": ["PE"]}}})");
  EXPECT_TRUE(has("Chile | near | Peru")) << "what has a name is known by its key";
  EXPECT_TRUE(has("Ecuador | type | country"));
  EXPECT_EQ(
      read("slip.json", R"({"Ulm": {"river": "Danube"}, "Bern": {"river": tru}, "Graz": {"river": "Mur"}})")
          .skipped,
      1u);
  EXPECT_EQ(facts(), (Lines{"Graz | river | Mur", "Ulm | river | Danube"})) << "a slip costs its object";
  (void)read("b.json",
             R"({"ID": {"name": "Indonesia", "near": "TL,MY,PG"}, "MY": {"name": "Malaysia", "near": "ID,TH"},
 "TL": {"name": "Timor", "near": "ID,PG"}, "PG": {"name": "Papua", "near": "ID,TL"}, "TH": {"name": "Thailand", "near": "MY,ID"},
 "A": {"name": "Aa"}, "B": {"name": "Bb"}, "C": {"name": "Cc"}, "D": {"name": "Dd"}, "E": {"name": "Ee"}})");
  EXPECT_TRUE(has("Indonesia | near | Malaysia")) << "a list in a text is one, as in a table's cell";
  (void)read("c.json", R"([{"id": 1, "address": "Rua A, 155"}, {"id": 2, "address": "Rua A, 155"},
 {"id": 3, "address": "Rua A, 155"}, {"id": 4, "address": "Rua B, 12"}, {"id": 5, "address": "Rua B, 12"}])");
  EXPECT_TRUE(has("1 | address | Rua A, 155")) << "who comes again with it makes it no list";
  (void)read("one.json", R"({"address": {"city": "Ulm"}, "owner": {"person": "Ada"}, "size": {"rooms": 3}})");
  EXPECT_TRUE(has("one 1 | address city | Ulm") || has("_:object1 | address city | Ulm"))
      << "what is of different kinds is of one thing";
}

TEST_F(ObjectsTest, WhatLiesInARowAndBearsTheNameOfAnotherIsThatRow) {
  const char* pokemon = R"([
 {"id": 1, "num": "001", "name": "Abra", "height": "0.9 m", "next_evolution": [{"num": "002", "name": "Kadabra"}, {"num": "003", "name": "Alakazam"}]},
 {"id": 2, "num": "002", "name": "Kadabra", "height": "1.3 m", "next_evolution": [{"num": "003", "name": "Alakazam", "level": 40}]},
 {"id": 3, "num": "003", "name": "Alakazam", "height": "1.5 m"},
 {"id": 4, "num": "004", "name": "Onix", "height": "8.8 m", "trainer": {"name": "Brock", "town": "Pewter"}}])";
  EXPECT_EQ(read("pokemon.json", pokemon).told_apart, 0u);
  EXPECT_TRUE(has("Abra | next evolution | Kadabra"));
  EXPECT_TRUE(has("Kadabra | height | 1.3 m"));
  EXPECT_TRUE(has("Alakazam | level | 40")) << "what is said of it there stays";
  EXPECT_TRUE(has("Brock | town | Pewter"));
}

TEST_F(ObjectsTest, CodesLeadFromTablesToObjectsAndBack) {
  add("countries.json", kCountries);
  add("cities.csv", "id,name,country\n1,Lima,PER\n2,La Paz,BOL\n3,Arica,CHL\n4,Tacna,PER\n");
  add("rivers.json", R"([{"name": "Apurimac", "through": "PER"}, {"name": "Beni", "through": ["BOL", "PER"]},
                          {"name": "Loa", "through": "CHL"}])");
  EXPECT_EQ(read().skipped, 0u);
  EXPECT_TRUE(has("Lima | country | Peru"));
  EXPECT_TRUE(has("Beni | through | Bolivia"));
  EXPECT_TRUE(has("Loa | through | Chile"));
  options_.triples.clear();
  add("letters.csv", "code,name\nA,Alpha\nB,Beta\nC,Gamma\n");
  add("words.json",
      R"([{"id": 1, "name": "One", "letters": ["A", "B"]}, {"id": 2, "name": "Two", "letters": ["C"]}])");
  (void)read();
  EXPECT_TRUE(has("One | letters | Beta"));
  EXPECT_TRUE(has("Two | letters | Gamma"));
}

TEST_F(ObjectsTest, FilesOfOneSetAreWhatTheOthersCallThem) {
  const auto customers = folder_.write("customer.json", R"([{"Id": "A1", "CompanyName": "Alfa"},
 {"Id": "B2", "CompanyName": "Beta"}])");
  const auto suppliers = folder_.write("supplier.json", R"([{"Id": 1, "CompanyName": "Gamma"},
 {"Id": 2, "CompanyName": "Delta"}, {"Id": 3, "CompanyName": "Zeta"}])");
  const auto products = folder_.write("product.json", R"([{"Id": 1, "ProductName": "Tea", "SupplierId": 2},
 {"Id": 2, "ProductName": "Jam", "SupplierId": 1}])");
  const auto orders =
      folder_.write("order.json", R"([{"Id": 10, "CustomerId": "A1", "EmployeeId": 1, "ProductId": 2},
 {"Id": 11, "CustomerId": "B2", "EmployeeId": 2, "ProductId": 1}, {"Id": 12, "CustomerId": "A1", "EmployeeId": 1, "ProductId": 1}])");
  options_.triples = {customers, suppliers, products, orders};
  (void)store();
  EXPECT_TRUE(has("Alfa | type | customer"));
  EXPECT_TRUE(has("Delta | type | supplier"));
  EXPECT_TRUE(has("Tea | supplier | Delta"));
  EXPECT_FALSE(has("Alfa | type | company"));
  EXPECT_TRUE(has("10 | employee id | 1")) << "numbers of people that no file has are no suppliers";
}

TEST_F(ObjectsTest, OneForEachYearAreRowsOfOneThing) {
  (void)read("towns.json",
             R"([{"year": 1990, "town": "Ulm", "pop": 110}, {"year": 2000, "town": "Ulm", "pop": 117.5},
 {"year": 1990, "town": "Linz", "pop": 203}, {"year": 2000, "town": "Linz", "pop": null}])");
  for (const char* fact :
       {"Ulm | 1990 pop | 110", "Ulm | pop | 117.5", "Linz | pop | 203", "Linz | type | town"})
    EXPECT_TRUE(has(fact)) << fact;
  EXPECT_FALSE(has("Linz | year | 1990"));
}

TEST_F(ObjectsTest, NumbersAreIdsAmongWhatLiesUnderOneKey) {
  (void)read("posts.json", R"([
 {"id": 1, "title": "Hello", "user": {"id": 1, "name": "Ada"}, "tags": [{"id": 1, "name": "news"}]},
 {"id": 2, "title": "Again", "user": {"id": 1, "name": "Ada"}, "related": [{"id": 1, "title": "Hello"}], "parent": {"id": 1}}])");
  for (const char* fact : {"Hello | user | Ada", "Again | user | Ada", "Hello | tags | news",
                           "Again | related | Hello", "Again | parent | Hello"})
    EXPECT_TRUE(has(fact)) << fact;
}

TEST_F(ObjectsTest, TablesOfOneSetHaveTheirOwnNumbers) {
  const auto makers =
      folder_.write("makers.json", R"([{"id": 1, "name": "Alfa"}, {"id": 2, "name": "Beta"}])");
  const auto goods = folder_.write("goods.json", R"([{"id": 1, "name": "Tea", "maker_id": 2},
 {"id": 2, "name": "Jam", "maker_id": 1}])");
  const auto marks = folder_.write("marks.json", R"([{"id": 1, "stars": 4}, {"id": 2, "stars": 5}])");
  options_.triples = {makers, goods};
  (void)store();
  EXPECT_TRUE(has("Tea | maker | Beta"));
  EXPECT_TRUE(has("Jam | maker | Alfa"));
  const auto orders = folder_.write("orders.json", R"([{"id": 1, "good_id": 2}, {"id": 2, "good_id": 1}])");
  options_.triples = {makers, goods, orders};
  (void)store();
  EXPECT_TRUE(has("order 1 | good | Jam"));
  options_.triples = {goods, marks};
  (void)store();
  EXPECT_TRUE(has("Tea | stars | 4")) << "what has no name says more of the same things";
}

TEST_F(ObjectsTest, FixturesOfDjangoAreTablesWithKeys) {
  const IngestReport report = read("music.json", R"([
 {"model": "app.artist", "pk": 1, "fields": {"name": "AC/DC"}},
 {"model": "app.artist", "pk": 2, "fields": {"name": "Accept"}},
 {"model": "app.genre", "pk": 1, "fields": {"name": "Rock"}},
 {"model": "app.genre", "pk": 2, "fields": {"name": "Metal"}},
 {"model": "app.album", "pk": 3, "fields": {"title": "Powerage", "artist": 1, "year": 1978, "genres": [1, 2]}},
 {"model": "app.album", "pk": 4, "fields": {"title": "Breaker", "artist": 2, "year": 1981, "genres": [2]}},
 {"model": "app.track", "pk": 1, "fields": {"name": "Gimme a Bullet", "album": 3}},
 {"model": "app.track", "pk": 2, "fields": {"name": "Breaker", "album": 4}},
 {"model": "app.track", "pk": 3, "fields": {"name": "Lost", "album": 9}}])");
  EXPECT_TRUE(has("Powerage | artist | AC/DC"));
  EXPECT_TRUE(has("Powerage | genres | Metal"));
  EXPECT_TRUE(has("Powerage | year | 1978"));
  EXPECT_TRUE(has("Powerage | type | album"));
  EXPECT_TRUE(has("Gimme a Bullet | album | Powerage"));
  EXPECT_EQ(problems(report),
            Lines{"music.json:track:10: no file has the node 'album/9' of this relationship"});
}

}  // namespace
}  // namespace kgwalk::graph
