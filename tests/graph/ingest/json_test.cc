// Objects of JSON as things, and JSON that is cut off, broken or too deep.
#include "graph/ingest/formats/json_tree.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

class JsonTest : public testing::FormatTest {};

TEST_F(JsonTest, ObjectsAreThingsAndKeysTheirProperties) {
  const IngestReport report = read(
      "a.jsonl",
      R"({"id": "f1", "name": "Heat", "type": "film", "year": 1995, "rating": 8.3, "seen": true, "none": null,)"
      R"( "director": {"id": "p1", "name": "Michael Mann"}, "cast": [{"name": "Al Pacino"}, {"name": "Val Kilmer"}]})"
      "\n"
      R"({"name": "Al Pacino", "born in": "New York", "aliases": ["Alfredo Pacino"], "empty": ""})"
      "\n");
  EXPECT_EQ(facts(),
            (Lines{"Al Pacino | born in | New York", "Heat | cast | Al Pacino", "Heat | cast | Val Kilmer",
                   "Heat | director | Michael Mann", "Heat | rating | 8.3", "Heat | seen | true",
                   "Heat | type | film", "Heat | year | 1995"}));
  EXPECT_EQ(report.aliases, 1u);
  EXPECT_EQ(report.files.at(0).second.format, "json");
  EXPECT_EQ(report.skipped, 0u);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(contains(report.notes[0], "objects are known by 'id' (2) and named by 'name' (5)"));
}

TEST_F(JsonTest, IdsAndTypesOfLiteralsAreKept) {
  (void)store(
      "a.json",
      R"([{"@id": "http://e/heat", "label": "Heat", "year": 1995, "mass": 1.5, "far": 2e9, "n": 12345678901234567890123}])");
  const GraphDetails& d = details(graph());
  EXPECT_EQ(graph().entity_name(*d.find_id("http://e/heat")), "Heat");
  const auto has = [&](const char* text, const char* type) {
    return d.find_id("\"" + std::string(text) + "\"^^<http://www.w3.org/2001/XMLSchema#" + type + ">")
        .has_value();
  };
  EXPECT_TRUE(has("1995", "integer"));
  EXPECT_TRUE(has("1.5", "decimal"));
  EXPECT_TRUE(has("2e9", "double"));
  EXPECT_TRUE(has("12345678901234567890123", "integer"));
}

TEST_F(JsonTest, AnObjectWithoutIdOrNameIsAThingOfItsOwn) {
  (void)read("a.jsonl", R"({"name": "Heat", "award": [{"year": 1996}, {"year": 1997}]})");
  EXPECT_EQ(facts(), (Lines{"Heat | award | year 1996", "Heat | award | year 1997", "year 1996 | year | 1996",
                            "year 1997 | year | 1997"}));
}

TEST_F(JsonTest, ThingsOfAListAreWhatItIsCalled) {
  const IngestReport report =
      read("movies.json", R"([{"Title": "Heat", "Year": 1995}, {"Title": "Salt"}, {"Year": 1996}])");
  EXPECT_EQ(facts(), (Lines{"Heat | type | movie", "Heat | year | 1995", "Salt | type | movie",
                            "movie 3 | type | movie", "movie 3 | year | 1996"}))
      << "what has no name is told by its number";
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(contains(report.notes[0], "each is 'movie' (3)")) << report.notes[0];
  (void)read("a.json", R"({"total": 2, "film_actors": [{"name": "Ada"}, {"name": "Ben"}]})");
  EXPECT_EQ(facts(), (Lines{"Ada | type | film actor", "Ben | type | film actor"}));
  for (const char* general : {"data.json", "results.json", "items.jsonl", "entities.json"}) {
    (void)read(general, R"([{"name": "Ada"}, {"name": "Ben"}])");
    EXPECT_EQ(facts(), Lines()) << general;
  }
  (void)read("movies.json", R"([{"name": "Heat", "type": "film"}, {"name": "Salt", "type": "novel"}])");
  EXPECT_EQ(facts(), (Lines{"Heat | type | film", "Heat | type | movie", "Salt | type | movie",
                            "Salt | type | novel"}))
      << "and what they say themselves";
  (void)read(
      "a.json",
      R"({"pokemon": [{"name": "Onix"}, {"name": "Abra"}], "data": [{"name": "Ada"}, {"name": "Ben"}]})");
  EXPECT_EQ(facts(), (Lines{"Abra | type | pokemon", "Onix | type | pokemon"})) << "a key need be no plural";
  (void)read("movies.json",
             R"([{"name": "Heat", "type": ["crime", "drama"]}, {"name": "Salt", "type": ["crime"]}])");
  EXPECT_EQ(facts(), (Lines{"Heat | movie type | crime", "Heat | movie type | drama", "Heat | type | movie",
                            "Salt | movie type | crime", "Salt | type | movie"}));
  (void)read("movies.json", R"({"name": "Heat", "year": 1995})");
  EXPECT_EQ(facts(), (Lines{"Heat | year | 1995"})) << "one object is no list";
}

// Names in several forms, parts, and what is filed under codes, as collections of countries have them.
TEST_F(JsonTest, WhatAnObjectWithinSaysIsSaidOfTheThing) {
  const IngestReport report = read(
      "a.json",
      R"([{"name": {"native": {"que": {"common": "Piruw"}}, "official": "Republic of Peru", "common": "Peru"},
      "dialing": {"root": "+5", "suffixes": ["1", "2"]}, "languages": {"spa": "Spanish", "que": "Quechua"},
      "currencies": {"PEN": {"name": "sol", "symbol": "S/"}}, "gini": {"2019": 41.5}, "place": {"lat": -10, "lng": -76},
      "altName": {"deu": {"common": "Peru, Land"}}}])");
  EXPECT_EQ(facts(),
            (Lines{"Peru | alt name common | Peru, Land", "Peru | currencies | sol",
                   "Peru | dialing root | +5", "Peru | dialing suffixes | 1", "Peru | dialing suffixes | 2",
                   "Peru | gini | 41.5", "Peru | languages | Quechua", "Peru | languages | Spanish",
                   "Peru | place lat | -10", "Peru | place lng | -76", "sol | symbol | S/"}));
  EXPECT_EQ(report.aliases, 2u) << "its official name, and that in its language";
  EXPECT_TRUE(contains(report.notes.at(0), "named by 'name' (2)")) << report.notes.at(0);
  (void)read("b.json", R"([{"name": {"id": "n1", "kind": "given"}, "age": 3}])");
  EXPECT_EQ(facts(), (Lines{"b 1 | age | 3", "b 1 | name | n1", "n1 | kind | given"}))
      << "a thing of its own is no name";
}

TEST_F(JsonTest, WhatATextNamesIsTheThing) {
  (void)store("a.json",
              R"([{"name": "Chile", "near": "Peru"}, {"name": "Peru", "near": "Chile", "code": "PE"}])");
  EXPECT_EQ(facts(), (Lines{"Chile | near | Peru", "Peru | code | PE", "Peru | near | Chile"}));
  const GraphDetails& d = details(graph());
  EXPECT_EQ(d.id(*graph().find_entity("Peru")), "") << "no literal";
  EXPECT_EQ(d.id(*graph().find_entity("PE")), "\"PE\"");
}

TEST_F(JsonTest, AMarkAloneIsAText) {
  const IngestReport report = read("a.json", R"([{"id": "a", "relation": "~", "sign": "<"}])");
  EXPECT_EQ(facts(), (Lines{"a | relation | ~", "a | sign | <"}));
  EXPECT_EQ(report.skipped, 0u);
}

TEST_F(JsonTest, LinesAnArrayAndPrettyPrintedValuesAreOne) {
  const std::string one = R"({"id": "a", "r": {"id": "b"}})", two = R"({"id": "c", "r": {"id": "d"}})";
  const std::string pretty = "{\n  \"id\": \"a\",\n  \"r\": {\n    \"id\": \"b\"\n  }\n}";
  const Lines wanted{"a | r | b", "c | r | d"};
  for (const std::string& text :
       {one + "\n" + two + "\n", "[" + one + "," + two + "]", "[\n" + one + ",\n" + two + "\n]\n", one + two,
        pretty + "\n" + two, "[\n" + pretty + ",\n" + two + "]", "\xef\xbb\xbf" + one + "\r\n\r\n" + two,
        one + ",\n" + two + ",\n]\n"}) {  // the tail of an array, as `tail` cuts it out
    const IngestReport report = read("a.json", text);
    EXPECT_EQ(facts(), wanted) << text;
    EXPECT_EQ(report.skipped, 0u) << text;
  }
}

TEST_F(JsonTest, AWordOfJsonLdIsNoContext) {
  EXPECT_EQ(read("a.json", R"({"id": "a", "handle": "@context"})").files.at(0).second.format, "json");
  EXPECT_EQ(facts(), Lines{"a | handle | @context"});
  options_.input.format = InputFormat::kJson;
  EXPECT_EQ(read("a.json", R"({"id": "a", "@context": "x"})").files.at(0).second.format, "json");
}

TEST_F(JsonTest, ASlipCostsItsLine) {
  const std::string good = R"({"id": "a", "r": {"id": "b"}})";
  for (const auto& [bad, why] : std::vector<std::pair<std::string, std::string>>{
           {R"({"id": "x)", "a string does not end on its line"},
           {R"({"id": "x", "r": [1, 2)", "a value does not end on its line"},
           {R"({"id": "x", "r": 1]})", "']' where '}' was expected"},
           {R"({"id": "x", "r": tru})", "no JSON: invalid literal"},
           {R"({"id": "x", "id": "y"})", "the key 'id' stands twice in one object"},
           {R"({"id": "x", "r": "\ud800"})", "surrogate"},
           {"{\"id\": \"x\", \"r\": \"\xff\"}", "ill-formed UTF-8"},
           {R"({"id": "x", "r": 1e999})", "number overflow"},
           {R"([1, 2])", "the value is no object"},
           {R"({"id": "x", "r": )" + std::string(600, '[') + std::string(600, ']') + "}",
            "nested more than 500 deep"},
           {std::string(100000, '['), "a value does not end on its line"}}) {
    const IngestReport report =
        read("a.jsonl", good + "\n" + bad + "\n" + R"({"id": "c", "r": {"id": "d"}})" + "\n");
    EXPECT_EQ(facts(), (Lines{"a | r | b", "c | r | d"})) << bad.substr(0, 80);
    ASSERT_EQ(report.skipped, 1u) << bad.substr(0, 80);
    EXPECT_TRUE(problems(report)[0].starts_with("a.jsonl:2: ")) << problems(report)[0];
    EXPECT_TRUE(contains(problems(report)[0], why)) << problems(report)[0];
  }
}

TEST_F(JsonTest, ASlipInPrettyPrintedTextCostsItsValue) {
  const IngestReport report = read("a.json",
                                   "[\n  {\n    \"id\": \"a\",\n    \"r\": {\"id\": \"b\"}\n  },\n"
                                   "  {\n    \"id\": \"x\",\n    \"r\": [1, 2\n  },\n"
                                   "  {\n    \"id\": \"y\n  },\n"
                                   "  {\"id\": \"c\", \"r\": {\"id\": \"d\"}}\n]\n");
  EXPECT_EQ(facts(), (Lines{"a | r | b", "c | r | d"}));
  EXPECT_EQ(problems(report),
            (Lines{"a.json:9: '}' where ']' was expected", "a.json:11: a string does not end on its line"}));
}

TEST_F(JsonTest, TextThatIsCutOffGivesWhatIsWhole) {
  const std::string text = R"([{"id": "a", "r": {"id": "b"}},{"id": "c", "r": {"id": "d"}}])";
  IngestReport report = read("a.json", text.substr(0, 31));  // behind the first comma
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  EXPECT_EQ(problems(report), Lines{"a.json:1: the text ends before its array does; is the file cut off?"});
  report = read("a.json", text.substr(0, 40));
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  EXPECT_TRUE(contains(problems(report)[0], "is the file cut off?"));
  for (std::size_t length = 0; length <= text.size(); ++length)
    EXPECT_NO_THROW((void)read("a.json", text.substr(0, length))) << length;
}

TEST_F(JsonTest, LongTextsAreRefusedByTheirKey) {
  const IngestReport report =
      read("a.jsonl", R"({"id": "a", "r": {"id": "b"}, "text": ")" + std::string(10 << 20, 'x') + "\"}\n");
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  EXPECT_EQ(problems(report),
            Lines{"a.jsonl:1: the text of 'text' has 10485760 bytes; at most 1048576 are taken"});
}

TEST_F(JsonTest, StrictStopsAtTheFirstSlip) {
  options_.strict = true;
  EXPECT_TRUE(contains(
      message_of<DataError>([&] { (void)read("a.jsonl", "{\"id\": \"a\", \"r\": 1}\n{\"id\": }\n"); }),
      "a.jsonl:2: no JSON"));
}

TEST(JsonTree, TakesEveryKindOfValueAndNoOther) {
  JsonNode node;
  JsonProblem problem;
  ASSERT_TRUE(parse_json(R"({"a": [null, true, -1, 2.50, "x\u00e9"], "b": {}})", node, problem));
  const JsonNode& list = *node.find("a");
  EXPECT_EQ(list.items[2].text, "-1");
  EXPECT_EQ(list.items[3].text, "2.50");
  EXPECT_EQ(list.items[4].text, "x\xc3\xa9");
  EXPECT_TRUE(node.find("b")->is_object());
  for (const char* bad : {"", "{", "nul", "{\"a\" 1}", "[1,]", "1 2", "'a'", "{\"a\":1,}", "\x01"})
    EXPECT_FALSE(parse_json(bad, node, problem)) << bad;
  std::string wide = "{";  // as many keys as a map may have
  for (int i = 0; i < 100000; ++i) wide += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  EXPECT_TRUE(parse_json(wide + "}", node, problem));
  EXPECT_FALSE(parse_json(wide + ",\"k7\":2}", node, problem));
  EXPECT_EQ(problem.why, "the key 'k7' stands twice in one object");
}

}  // namespace
}  // namespace kgwalk::graph
