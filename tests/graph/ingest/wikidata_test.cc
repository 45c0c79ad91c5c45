// The dump of Wikidata into a graph.
#include "graph/ingest/formats/wikidata_values.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/typed_values.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;

std::string claim(const std::string& property, const std::string& type, const std::string& value,
                  const std::string& more = R"("rank":"normal")", const std::string& datatype = "string") {
  return R"({"mainsnak":{"snaktype":"value","property":")" + property + R"(","datavalue":{"value":)" + value +
         R"(,"type":")" + type + R"("},"datatype":")" + datatype + R"("},"type":"statement",)" + more + "}";
}
std::string item(const std::string& id) { return R"({"entity-type":"item","id":")" + id + R"("})"; }
std::string entity(const std::string& id, const std::string& label, const std::string& rest) {
  return R"({"type":"item","id":")" + id + R"(","labels":{"de":{"language":"de","value":"DE )" + label +
         R"("},"en":{"language":"en","value":")" + label + R"("}})" + (rest.empty() ? "" : "," + rest) + "}";
}
std::string claims(const std::string& property, const std::string& list) {
  return R"("claims":{")" + property + "\":[" + list + "]}";
}

class WikidataTest : public testing::FormatTest {
 protected:
  static std::optional<WikidataValue> value(const std::string& type, const std::string& content,
                                            std::string_view datatype = "") {
    JsonNode node;
    JsonProblem problem;
    EXPECT_TRUE(parse_json(R"({"type":")" + type + R"(","value":)" + content + "}", node, problem))
        << content;
    std::string why;
    return wikidata_value(node, datatype, why);
  }
  static std::string time(const std::string& text, int precision, const std::string& calendar = "Q1985727") {
    const auto found =
        value("time", R"({"time":")" + text + R"(","precision":)" + std::to_string(precision) +
                          R"(,"calendarmodel":"http://www.wikidata.org/entity/)" + calendar + "\"}");
    if (!found) return "none";
    return found->text +
           (found->datatype.empty() ? "" : " " + found->datatype.substr(found->datatype.find('#') + 1));
  }
};

TEST_F(WikidataTest, EntitiesHaveNamesAliasesAndStatementsOfTheBestRank) {
  const std::string property =
      R"({"type":"property","datatype":"wikibase-item","id":"P9001","labels":{"en":{"language":"en","value":"made by"}},"claims":[]})";
  const std::string dump =
      "[\n" + property + ",\n" +
      entity(
          "Q1", "Heat",
          R"("descriptions":{"en":{"language":"en","value":"a film"}},"aliases":{"en":[{"language":"en","value":"Hot"}],"fr":[{"language":"fr","value":"Chaud"}]},)" +
              claims(
                  "P9001",
                  claim(
                      "P9001", "wikibase-entityid", item("Q2"),
                      R"("rank":"preferred","qualifiers":{"P1":[{"snaktype":"somevalue"},{"snaktype":"novalue"}]},"references":[{}])") +
                      "," + claim("P9001", "wikibase-entityid", item("Q3")) + "," +
                      claim("P9001", "wikibase-entityid", item("Q4"), R"("rank":"deprecated")"))) +
      ",\n" + entity("Q2", "Mann", R"("claims":[])") + ",\n" +
      entity("Q3", "Other",
             R"("claims":{"P31":[{"mainsnak":{"snaktype":"somevalue","property":"P31"},"rank":"normal"}]})") +
      "\n]\n";
  for (const char* name : {"a.json", "a.wikidata"}) {
    options_.input.format = std::string_view(name) == "a.json" ? InputFormat::kAuto : InputFormat::kWikidata;
    const IngestReport report = read(name, dump);
    EXPECT_EQ(facts(), Lines{"Heat | made by | Mann"});
    EXPECT_EQ(report.files.at(0).second.format, "wikidata");
    EXPECT_EQ(report.aliases, 1u);
    EXPECT_EQ(report.descriptions, 1u);
    EXPECT_EQ(report.skipped, 0u);
    ASSERT_EQ(report.notes.size(), 1u);
    EXPECT_TRUE(contains(
        report.notes[0],
        "left out: 4 labels, descriptions and aliases in other languages, 2 statements that are not of "
        "the best rank, 3 values that are unknown or none, 1 references"))
        << report.notes[0];
  }
  options_.input.language = "de";
  (void)read("a.json", dump);
  EXPECT_EQ(facts(), Lines{"DE Heat | made by | DE Mann"});
}

TEST_F(WikidataTest, QualifiersStayBesideTheirFacts) {
  const auto snak = [](const std::string& property, const std::string& type, const std::string& value) {
    return "\"" + property + R"(":[{"snaktype":"value","property":")" + property +
           R"(","datavalue":{"value":)" + value + R"(,"type":")" + type + "\"}}]";
  };
  const auto year = [&](const std::string& property, const std::string& text) {
    return snak(property, "time", R"({"time":"+)" + text + R"(-00-00T00:00:00Z","precision":9})");
  };
  const auto held = [&](const std::string& more) {
    return claim("P39", "wikibase-entityid", item("Q2"), R"("rank":"normal","qualifiers":{)" + more + "}");
  };
  const std::string name =
      R"({"type":"property","datatype":"time","id":"P9002","labels":{"en":{"language":"en","value":"from the year"}},"claims":[]})";
  const std::string dump =
      name + "\n" + entity("Q2", "Mayor", "") + "\n" +
      entity("Q1", "Ada",
             claims("P39",
                    held(year("P9002", "1990") + "," + snak("P9003", "wikibase-entityid", item("Q3"))) + "," +
                        held(year("P9002", "2002")) + "," + claim("P39", "wikibase-entityid", item("Q3")))) +
      "\n" + entity("Q3", "Judge", "") + "\n";
  const IngestReport report = store("a.json", dump);
  EXPECT_EQ(report.qualified, 1u);
  EXPECT_EQ(report.files.at(0).second.qualifiers, 3u);
  const auto said = [&](const KnowledgeGraph& g, const char* head, const char* relation, const char* tail) {
    Lines all;
    const Triple fact{*g.find_entity(head), *g.find_relation(relation), *g.find_entity(tail)};
    for (const std::span<const Qualifier> statement : details(g).qualifiers(*edge_number(g, fact))) {
      std::string line;
      for (const Qualifier& each : statement)
        line += std::string(line.empty() ? "" : ", ") + std::string(g.relation_name(each.relation)) + " " +
                std::string(g.entity_name(each.value));
      all.push_back(line);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const Lines both = {"from the year 1990, p9003 Judge", "from the year 2002"};
  EXPECT_EQ(said(graph(), "Ada", "position held", "Mayor"), both);
  EXPECT_EQ(said(graph(), "Mayor", "~position held", "Ada"), both) << "an inverse has the same";
  EXPECT_EQ(said(graph(), "Ada", "position held", "Judge"), Lines{});
  EXPECT_EQ(details(graph()).all_qualifiers().size(), 6u);
  EXPECT_EQ(facts(), (Lines{"Ada | position held | Judge", "Ada | position held | Mayor"}))
      << "what is only said beside a fact is no fact";
  options_.input.literals = LiteralUse::kDrop;
  EXPECT_EQ(store("a.json", dump).files.at(0).second.lost_qualifiers, 2u) << "literals";
  EXPECT_EQ(said(graph(), "Ada", "position held", "Mayor"), Lines{"p9003 Judge"});
}

TEST_F(WikidataTest, APieceOfADumpIsRead) {
  const std::string piece = entity("Q1", "A", claims("P9", claim("P9", "wikibase-entityid", item("Q2")))) +
                            ",\n" + "{\"type\":\"item\",\"id\":\"Q7\",\n" + entity("Q2", "B", "") + ",\n";
  const IngestReport report = read("a.json", piece);
  EXPECT_EQ(facts(), Lines{"A | p9 | B"});
  EXPECT_EQ(problems(report), Lines{"a.json:2: a value does not end on its line"});
}

TEST_F(WikidataTest, TimesAreAsPreciseAsTheySay) {
  EXPECT_EQ(time("+1952-03-11T00:00:00Z", 11), "1952-03-11 date");
  EXPECT_EQ(time("+1952-03-00T00:00:00Z", 10), "1952-03 gYearMonth");
  EXPECT_EQ(time("+1952-00-00T00:00:00Z", 9), "1952 gYear");
  EXPECT_EQ(time("+1952-00-00T00:00:00Z", 8), "1950s");
  EXPECT_EQ(time("+2000-00-00T00:00:00Z", 7), "20th century");
  EXPECT_EQ(time("-0300-00-00T00:00:00Z", 7), "3rd century BC");
  EXPECT_EQ(time("-13798000000-00-00T00:00:00Z", 3), "13798000000 BC");
  EXPECT_EQ(time("-0044-00-00T00:00:00Z", 9), "-0043 gYear");  // there is a year 0 here, and none there
  EXPECT_EQ(time("-0001-00-00T00:00:00Z", 9), "0000 gYear");
  EXPECT_EQ(time("+1582-10-04T00:00:00Z", 11, "Q1985786"), "1582-10-14 date");
  EXPECT_EQ(time("-0044-03-15T00:00:00Z", 11, "Q1985786"), "-0043-03-13 date");
  EXPECT_EQ(time("+1952-03-11T10:20:00Z", 14), "1952-03-11T10:20:00Z dateTime");
  for (const char* bad :
       {"+2001-02-31T00:00:00Z", "+2001-13-01T00:00:00Z", "2001", "+2001-00-00T00:00:00Z", ""})
    EXPECT_EQ(time(bad, 11), "none") << bad;
}

TEST_F(WikidataTest, ValuesOfEachDatatypeAreTermsOfTheirKind) {
  const auto quantity = [&](const std::string& unit) {
    return value("quantity", R"({"amount":"+1.96","unit":")" + unit + "\"}");
  };
  EXPECT_EQ(quantity("1")->text, "1.96");
  EXPECT_EQ(quantity("http://www.wikidata.org/entity/Q11573")->text, "1.96 m");
  EXPECT_EQ(quantity("http://www.wikidata.org/entity/Q4917")->text, "1.96 USD");
  EXPECT_TRUE(quantity("http://www.wikidata.org/entity/Q99999")->has_unknown_unit);
  EXPECT_EQ(value("globecoordinate",
                  R"({"latitude":51.5,"longitude":-0.12,"globe":"http://www.wikidata.org/entity/Q2"})")
                ->text,
            "Point(-0.12 51.5)");
  EXPECT_EQ(value("monolingualtext", R"({"text":"Hitze","language":"de"})")->language, "de");
  EXPECT_EQ(value("string", R"("A b.jpg")", "commonsMedia")->text,
            "http://commons.wikimedia.org/wiki/Special:FilePath/A%20b.jpg");
  EXPECT_EQ(value("string", R"("http://e/")", "url")->kind, TermKind::kIri);
  EXPECT_EQ(value("string", R"("no address")", "url")->kind, TermKind::kLiteral);
  EXPECT_EQ(value("string", R"("tt0113277")", "external-id")->text, "tt0113277");
  EXPECT_EQ(value("wikibase-entityid", R"({"entity-type":"item","numeric-id":5})")->text,
            "http://www.wikidata.org/entity/Q5");
}

// Every code of a unit is one that values know.
TEST_F(WikidataTest, QuantitiesCompareWithThoseOfOtherSources) {
  for (const auto& [unit, amount, same] :
       std::vector<std::array<const char*, 3>>{{"Q174728", "180", "1.8 m"},
                                               {"Q712226", "2", "2 km²"},
                                               {"Q100995", "1", "0.45359237 kg"},
                                               {"Q25267", "0", "273.15 K"},
                                               {"Q25235", "2", "120 min"}}) {
    const auto found = value("quantity", std::string(R"({"amount":"+)") + amount +
                                             R"(","unit":"http://www.wikidata.org/entity/)" + unit + "\"}");
    const TypedValue typed = value_of_literal("\"" + found->text + "\"^^<" + found->datatype + ">");
    EXPECT_EQ(compare(typed, Comparison::kEqual, *parse_value(same)), true) << found->text;
  }
}

TEST_F(WikidataTest, AValueThatBreaksItsFormCostsItsStatement) {
  const std::string bad = claim("P569", "time", R"({"time":"+2001-02-31T00:00:00Z","precision":11})");
  const IngestReport report = read("a.json", entity("Q1", "A",
                                                    R"("claims":{"P569":[)" + bad + R"(],"P9":[)" +
                                                        claim("P9", "wikibase-entityid", item("Q2")) + "]}") +
                                                 "\n");
  EXPECT_EQ(facts(), Lines{"A | p9 | Q2"});
  EXPECT_EQ(problems(report), Lines{"a.json:1: P569: '+2001-02-31T00:00:00Z' is no time"});
}

}  // namespace
}  // namespace kgwalk::graph
