// What things are called is found in their files, and each is one thing.
#include "kgwalk/export.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "runtime/files.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;

class FoundNamesTest : public testing::FormatTest {
 protected:
  static constexpr const char* kPrefixes =
      "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n@prefix owl: "
      "<http://www.w3.org/2002/07/owl#> .\n"
      "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix s: <http://schema.org/> .\n"
      "@prefix ss: <https://schema.org/> .\n@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
      "@prefix dct: <http://purl.org/dc/terms/> .\n@prefix dc: <http://purl.org/dc/elements/1.1/> .\n"
      "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n@prefix : <http://example.org/x/> .\n";
  IngestReport turtle(const std::string& text) { return store("t.ttl", kPrefixes + text); }
  [[nodiscard]] Lines entities() const {
    Lines names;
    for (EntityId e = 0; e < graph().num_entities(); ++e) names.emplace_back(graph().entity_name(e));
    std::sort(names.begin(), names.end());
    return names;
  }
  [[nodiscard]] Lines relations() const {
    Lines names;
    for (RelationId r = 0; r < graph().num_relations(); ++r)
      if (!graph().relation_name(r).starts_with('~')) names.emplace_back(graph().relation_name(r));
    std::sort(names.begin(), names.end());
    return names;
  }
  [[nodiscard]] Values values() const {
    return *Values::load(Store::open(options_.database, Store::Mode::kReadOnly));
  }
};

TEST_F(FoundNamesTest, ByTheNamingPropertiesOfEveryVocabulary) {
  const IngestReport report = turtle(
      ":b1 a s:Book ; s:name \"Harbor Lights\" ; s:author :p1 .\n:p1 a s:Person ; s:name \"Wilma Otterbach\" "
      ".\n"
      ":b2 a ss:Book ; ss:name \"Second Tide\" ; ss:author :p1 .\n"
      ":p2 foaf:name \"Nils Fernwald\" ; foaf:knows :p1 .\n:b3 dct:title \"Low Water\" ; dct:creator :p2 .\n"
      ":b4 dc:title \"High Water\" ; dc:creator :p2 .\n");
  EXPECT_EQ(entities(), (Lines{"Book", "Harbor Lights", "High Water", "Low Water", "Nils Fernwald", "Person",
                               "Second Tide", "Wilma Otterbach"}));
  EXPECT_EQ(relations(), (Lines{"author", "creator (dc)", "creator (dct)", "knows", "type"}));
  EXPECT_EQ(report.named_by.at("http://schema.org/name"), 2u);
  EXPECT_EQ(report.named_by.at("http://purl.org/dc/terms/title"), 1u);
}

TEST_F(FoundNamesTest, PeopleByTheirGivenAndFamilyNames) {
  const IngestReport report = turtle(
      ":mia-orme a s:Person ; s:givenName \"Mia\" ; s:familyName \"Orme\" ; s:knows :jo-tell, :ben-carr .\n"
      ":jo-tell foaf:firstName \"Jo\" ; foaf:surname \"Tell\" ; foaf:name \"Jo the Bold\" .\n"
      ":ben-carr s:givenName \"Ben\" ; s:worksFor :brask-mills .\n");
  EXPECT_EQ(entities(), (Lines{"Ben", "Jo", "Jo the Bold", "Mia", "Mia Orme", "Orme", "Person", "Tell",
                               "ben carr", "brask mills"}))
      << "a name that is given counts, and one part is none";
  EXPECT_EQ(report.named_by.at("http://schema.org/familyName"), 1u);
}

TEST_F(FoundNamesTest, PeopleAreCalledByPartsOfTheirNamesToo) {
  (void)turtle(
      ":mia-orme s:givenName \"Mia\" ; s:familyName \"Orme\" ; s:knows :bo .\n:bo s:givenName \"Bo\" .\n"
      "[] s:givenName \"Al\" ; s:knows :bo .\n");
  EXPECT_EQ(entities(), (Lines{"Al", "Bo", "Mia", "Mia Orme", "Orme"})) << "one part where nothing says more";
  auto aliases = details(graph()).aliases(*graph().find_entity("Mia Orme"));
  std::sort(aliases.begin(), aliases.end());
  EXPECT_EQ(aliases, (std::vector<std::string_view>{"Mia", "Orme"}));
}

TEST_F(FoundNamesTest, ANodeWithoutANameIsCalledByWhatItHolds) {
  (void)turtle(
      ":ada s:address [ a s:PostalAddress ; s:streetAddress \"Mill Lane 4\" ; s:addressLocality \"Skipton\" "
      "] ;"
      " s:height [ s:value 170 ] ; :likes ( :tea ) ; :sees [ a :Dream ] ; :met [ s:name \"Bo\" ; :age 7 ] "
      ".\n");
  for (const char* fact : {"ada | address | Mill Lane 4, Skipton", "ada | height | value 170",
                           "ada | met | Bo", "Mill Lane 4, Skipton | address locality | Skipton"}) {
    const Lines all = facts();
    EXPECT_NE(std::find(all.begin(), all.end(), fact), all.end()) << fact;
  }
  const auto lines = facts();
  const auto is_unnamed = [](const std::string& line) {
    return line.starts_with("ada | sees | _:") || line.starts_with("ada | likes | _:");
  };
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), is_unnamed), 2) << "lists and what only has a kind";
}

TEST_F(FoundNamesTest, ByPropertiesThatTellNearlyAllOfAClassApart) {
  const IngestReport report = turtle(
      ":c1 a :Cat ; :catName \"Mia\" ; :name \"Mia\" ; :title \"Dr\" . :c2 a :Cat ; :name \"Tom\" ; :title "
      "\"Dr\" .\n"
      ":c3 a :Cat ; :name \"Leo\" ; :likes :c1 ; :title \"Prof\" . :f1 a :Film ; :title \"Dawn\" . :f2 a "
      ":Film ; :title \"Dusk\" .\n");
  EXPECT_EQ(facts(), (Lines{"Dawn | type | Film", "Dusk | type | Film", "Leo | likes | Mia",
                            "Leo | title | Prof", "Leo | type | Cat", "Mia | title | Dr", "Mia | type | Cat",
                            "Tom | title | Dr", "Tom | type | Cat"}));
  EXPECT_EQ(report.named_by.at("http://example.org/x/title"), 2u);
  EXPECT_EQ(report.labels, 6u);  // and what repeats a name
  EXPECT_EQ(report.triple_lines, 9u);
}

TEST_F(FoundNamesTest, NotByWhatFewHaveManyShareOrSeveralStandIn) {
  std::string few = ":a :r :b . ", shared, several;
  for (int i = 0; i < 10; ++i) {
    const std::string thing = ":t" + std::to_string(i), number = std::to_string(i);
    few += thing + " a :T ; :r :b . ";
    shared += thing + " a :T ; :label \"" + std::to_string(i % 3) + " stars\" . ";
    several += thing + " a :T ; :name \"x" + number + "\" , \"y" + number + "\" . ";
  }
  (void)turtle(few + ":t1 :name \"Only\" .");
  EXPECT_TRUE(graph().find_relation("name")) << "one of ten has it";
  (void)turtle(shared);
  EXPECT_TRUE(graph().find_relation("label")) << "three texts for ten";
  (void)turtle(several);
  EXPECT_TRUE(graph().find_relation("name")) << "two texts each";
}

TEST_F(FoundNamesTest, OneThatAClassHasAlreadyIsNotDisturbed) {
  (void)turtle(":p rdfs:label \"Ada Byron\" ; foaf:title \"Dr\" ; :knows :q . :q rdfs:label \"Charles\" .");
  EXPECT_EQ(facts(), (Lines{"Ada Byron | knows | Charles", "Ada Byron | title | Dr"}));
  std::string many;
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    many += ":s" + n + " a :Song ; rdfs:label \"Song " + n + " (song)\" ; :title \"Song " + n + "\" . ";
  }
  (void)turtle(many);
  EXPECT_EQ(relations(), Lines{"type"});
  EXPECT_EQ(details(graph()).aliases(*graph().find_entity("Song 3 (song)")),
            std::vector<std::string_view>{"Song 3"});
}

TEST_F(FoundNamesTest, OrByTheWordsOfWhoAsks) {
  const std::string text = ":c rdfs:label \"label\" ; :catName \"cat\" ; s:headline \"headline\" ; :r :c .";
  for (const auto& [word, name] :
       {std::pair{"catName", "cat"}, std::pair{"cat_name", "cat"},
        std::pair{"http://example.org/x/catName", "cat"}, std::pair{":catName", "cat"},
        std::pair{"s:headline", "headline"}, std::pair{"schema:headline", "headline"},
        std::pair{"rdfs:label", "label"}}) {
    options_.input.labels = {word};
    const IngestReport report = turtle(text);
    EXPECT_TRUE(details(graph()).find_id("http://example.org/x/c"));
    EXPECT_EQ(graph().entity_name(*details(graph()).find_id("http://example.org/x/c")), name) << word;
    EXPECT_TRUE(report.notes.empty()) << word;
  }
  options_.input.labels = {"foaf:nick"};
  options_.input.descriptions = {"blurb"};
  EXPECT_EQ(turtle(text).notes, (Lines{"label 'foaf:nick' is no property of the graph",
                                       "description 'blurb' is no property of the graph"}));
  options_.input.labels = {};
  options_.input.descriptions = {"headline"};
  (void)turtle(text);
  EXPECT_EQ(values().description(*graph().find_entity("label")), "headline");
}

TEST_F(FoundNamesTest, ALiteralThatRepeatsAnOwnNameIsThatName) {
  const IngestReport report = turtle(
      ":h rdfs:label \"Harbourton\"@en ; foaf:name \"Harbourton\"@en ; :nickname \"harbourton\" ; :country "
      ":r ; :twin :g .\n"
      ":g rdfs:label \"Gullwick\"@en , \"Mewik\"@de ; :localName \"Mewik\" ; :country :r .\n:r rdfs:label "
      "\"Rivermark\"@en .\n"
      ":Lonely_Mill :called \"Lonely Mill\" ; :near :h ; :number 7 . :seven rdfs:label \"7\" ; :value 7 .\n");
  EXPECT_EQ(entities().size(), 6u);
  EXPECT_EQ(relations(), (Lines{"country", "near", "number", "twin", "value"}));
  EXPECT_FALSE(graph().find_entity("harbourton (nickname)"));
  EXPECT_EQ(report.triple_lines, 6u) << "a number is a value, also of what is called so";
}

TEST_F(FoundNamesTest, NumbersThatAreNamesStayNames) {
  (void)turtle(
      ":h rdfs:label \"Harbourton\" ; :population 9000 , \"9000\"^^xsd:long ; :opened \"1999\" ; :twin "
      "\"Harbourton\" .\n"
      ":k rdfs:label \"9000\" ; :near :h .\n");
  const EntityId named = *details(graph()).find_id("http://example.org/x/k");
  EXPECT_EQ(details(graph()).label(named), "9000");
  const EntityId value = *graph().find_entity("9000");
  EXPECT_NE(named, value);
  EXPECT_TRUE(details(graph()).id(value).starts_with("\"9000\"^^"));
  EXPECT_TRUE(
      graph().has_edge({*graph().find_entity("Harbourton"), *graph().find_relation("population"), value}));
  EXPECT_FALSE(graph().find_relation("twin"));
}

TEST_F(FoundNamesTest, OfPropertiesMayLieElsewhere) {
  const std::string text =
      "@prefix wd: <http://www.wikidata.org/entity/> .\n@prefix wdt: <http://www.wikidata.org/prop/direct/> "
      ".\n"
      "@prefix wikibase: <http://wikiba.se/ontology#> .\n"
      "wd:Q1 rdfs:label \"Harbourton\"@en ; wdt:P17 wd:Q2 ; wdt:P1082 \"+120000\"^^xsd:decimal ; wdt:P571 "
      "\"1204-01-01\"^^xsd:date .\n"
      "wd:Q2 rdfs:label \"Rivermark\"@en ; wdt:P9036 wd:Q1 ; wdt:P18 <http://e.org/Map%20of%20it.png> .\n"
      "wd:P9036 a wikibase:Property ; rdfs:label \"seat\"@en ; wikibase:directClaim wdt:P9036 .\n"
      "wd:P17 a wikibase:Property ; rdfs:label \"country\"@en ; wikibase:directClaim wdt:P17 .\n";
  (void)turtle(text);
  EXPECT_EQ(facts(), (Lines{"Harbourton | country | Rivermark", "Harbourton | inception | 1204-01-01",
                            "Harbourton | population | +120000", "Rivermark | seat | Harbourton"}));
  EXPECT_FALSE(graph().find_entity("seat")) << "a property is nothing to talk about";
  const Values kept = values();
  const Value picture = kept.of(*graph().find_entity("Rivermark"), ValueRole::kResource).at(0);
  EXPECT_EQ(picture.text, "http://e.org/Map%20of%20it.png");
  EXPECT_EQ(picture.name, "image");
  EXPECT_TRUE(details(graph()).is_housekeeping(*graph().find_relation("image")));
  const std::vector<Value> declared = kept.of_relation(*graph().find_relation("seat"));
  ASSERT_EQ(declared.size(), 3u);
  EXPECT_EQ(declared[0].subject, "http://www.wikidata.org/entity/P9036");
}

TEST_F(FoundNamesTest, DeclarationsOfPropertiesAreKeptWithTheirRelation) {
  (void)turtle(
      ":hasPart a owl:ObjectProperty ; rdfs:label \"contains\" ; rdfs:domain :Box ; rdfs:range :Thing ; "
      "owl:inverseOf :partOf .\n"
      ":unused a rdf:Property ; rdfs:subPropertyOf :hasPart . :knows rdfs:comment \"who knows whom\" .\n"
      ":b a :Box ; :hasPart :c ; :knows :c .\n");
  EXPECT_EQ(facts(), (Lines{"b | contains | c", "b | knows | c", "b | type | Box"}));
  EXPECT_EQ(entities(), (Lines{"Box", "b", "c"}));
  Lines said;
  const Values kept = values();
  for (const char* relation : {"contains", "unused", "knows"})
    for (const Value& value : kept.of_relation(*graph().find_relation(relation)))
      said.push_back(std::string(value.name) + " " + std::string(value.text));
  EXPECT_EQ(said.size(), 8u);
  const Store database = Store::open(options_.database, Store::Mode::kReadOnly);
  (void)export_graph(database, folder_ / "out.nt", {.format = GraphFormat::kNTriples});
  const std::string out = read_file(folder_ / "out.nt");
  EXPECT_TRUE(contains(out,
                       "<http://example.org/x/hasPart> <http://www.w3.org/2002/07/owl#inverseOf> "
                       "<http://example.org/x/partOf> .\n"))
      << out;
}

TEST_F(FoundNamesTest, ClassesOfOneNameAreToldApartByTheirVocabularies) {
  (void)turtle(
      ":a a s:Person ; :r :b . :b a foaf:Person ; :r :c . :c a <http://other.org/people/2.0/Person> .\n");
  EXPECT_EQ(entities(), (Lines{"Person (foaf)", "Person (people)", "Person (s)", "a", "b", "c"}));
}

TEST_F(FoundNamesTest, HousekeepingIsMarkedAndKept) {
  std::string text;
  for (int i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i);
    text += ":t" + n + " :created \"2014-12-0" + n + "T13:50:51.6Z\"^^xsd:dateTime ; :edited \"2015-01-0" +
            n + "\"^^xsd:date ; :url \"https://e.org/t/" + n + "\" ; :checksum \"" + std::string(31, 'a') +
            n + "\" ; :page <http://e.org/p" + n +
            ".pdf> ; <http://www.w3.org/ns/prov#wasDerivedFrom> :dump ; " +
            ":painted \"1889-05-01\"^^xsd:date ; :creator :p ; :dateCreated \"1889\" ; :likes :t0 . ";
  }
  for (const LiteralUse use : {LiteralUse::kEntities, LiteralUse::kValues}) {
    options_.input.literals = use;
    const IngestReport report = turtle(text);
    Lines marked = report.housekeeping;
    std::sort(marked.begin(), marked.end());
    const Lines edges{"checksum", "created", "edited", "page", "url", "was derived from"};
    const Lines only_of_edges{"page", "was derived from"};  // values alone make no relations
    EXPECT_EQ(marked, use == LiteralUse::kEntities ? edges : only_of_edges);
    const RelationId derived = *graph().find_relation("was derived from");
    EXPECT_TRUE(details(graph()).is_housekeeping(derived));
    EXPECT_TRUE(details(graph()).is_housekeeping(graph().inverse(derived)));
    EXPECT_FALSE(details(graph()).is_housekeeping(*graph().find_relation("likes")));
  }
  (void)store("t.txt", "a\tcreated\tb\nb\tupdated\tc\n");
  EXPECT_TRUE(details(graph()).empty()) << "who created whom is a fact";
}

TEST_F(FoundNamesTest, ExportsKeepWhatWasChosen) {
  const std::string text =
      "<http://e/a> <http://e/name> \"Ada\" .\n<http://e/a> <http://e/nick> \"Ada\" .\n<http://e/a> "
      "<http://e/r> <http://e/b> .\n"
      "<http://e/b> <http://e/name> \"Bob\" .\n<http://e/b> <http://e/pic> <http://e/b.png> .\n";
  options_.input.literals = LiteralUse::kValues;
  (void)store("t.nt", text);
  const Store database = Store::open(options_.database, Store::Mode::kReadOnly);
  (void)export_graph(database, folder_ / "out.nt", {.format = GraphFormat::kNTriples});
  const std::string out = read_file(folder_ / "out.nt");
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    EXPECT_TRUE(contains(out, text.substr(begin, text.find('\n', begin) - begin))) << out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 5);
}

}  // namespace
}  // namespace kgwalk::graph
