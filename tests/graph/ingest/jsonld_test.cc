// JSON-LD into a graph.
#include "graph/ingest/formats/iri_reference.h"
#include "kgwalk/graph_details.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

class JsonLdTest : public testing::FormatTest {
 protected:
  // Statements as N-Triples has them, sorted; blank nodes keep the labels that they got.
  Lines statements(std::string_view text, const std::string& name = "a.jsonld") {
    report_ = read(name, text);
    return facts();
  }
  IngestReport report_;
};

constexpr const char* kContext =
    R"("@context": {"@vocab": "http://e/v/", "ex": "http://e/", "name": "http://schema.org/name",)"
    R"( "knows": {"@id": "ex:v/knows", "@type": "@id"}, "born": {"@id": "ex:v/born", "@type": "ex:date"},)"
    R"( "label": {"@id": "http://www.w3.org/2000/01/rdf-schema#label", "@container": "@language"},)"
    R"( "steps": {"@id": "ex:v/step", "@container": "@list"}, "childOf": {"@reverse": "ex:v/child"},)"
    R"( "secret": null, "type": "@type", "id": "@id"})";

std::string document(const std::string& body) { return "{" + std::string(kContext) + ", " + body + "}"; }

TEST_F(JsonLdTest, TermsPrefixesAliasesAndTypesMeanTheirIris) {
  EXPECT_EQ(
      statements(document(R"("@graph": [{"id": "ex:ann", "type": "Person", "name": "Ann", "knows": "ex:bo",
    "born": "1990-01-01", "city": {"id": "ex:rome"}, "secret": 5, "childOf": {"id": "ex:cy"},
    "label": {"en": "Anne", "de": "Anna"}}, {"@id": "ex:bo", "ex:v/age": 5.5, "ex:v/ok": true}])")),
      (Lines{"Anne | born | 1990-01-01", "Anne | city | rome", "Anne | knows | bo", "Anne | type | Person",
             "bo | age | 5.5E0", "bo | ok | true", "cy | child | Anne"}));
  EXPECT_EQ(report_.labels, 3u);
  EXPECT_EQ(report_.skipped, 0u);
  EXPECT_EQ(report_.files.at(0).second.format, "jsonld");
}

TEST_F(JsonLdTest, AContextBehindItsGraphIsFound) {
  EXPECT_EQ(statements(R"({"@graph": [{"@id": "http://e/a", "r": {"@id": "b"}}],)"
                       R"( "@context": {"r": "http://e/r", "@base": "http://e/x/"}})"),
            Lines{"a | r | b"});
}

TEST_F(JsonLdTest, ListsAreChainsAndSetsAreNone) {
  const Lines found =
      statements(document(R"("@id": "ex:a", "steps": ["one", "two"], "r": {"@set": ["x", "y"]})"));
  EXPECT_EQ(found, (Lines{"_:node1 | first | one", "_:node1 | rest | _:node2", "_:node2 | first | two",
                          "_:node2 | rest | nil", "a | r | x", "a | r | y", "a | step | _:node1"}));
}

TEST_F(JsonLdTest, TheGraphOfAStatementIsItsSource) {
  (void)store("a.jsonld", document(R"("@id": "ex:g", "@graph": [{"@id": "ex:a", "r": {"@id": "ex:b"}}])"));
  const auto a = graph().find_entity("a");
  ASSERT_TRUE(a);
  EXPECT_EQ(details(graph()).sources(graph().offsets()[*a]).at(0), "http://e/g");
}

TEST_F(JsonLdTest, ScopedContextsNestsIndexesAndIncludedNodesAreRead) {
  EXPECT_EQ(statements(R"({"@context": {"@version": 1.1, "@vocab": "http://e/",
      "Film": {"@context": {"by": "http://e/directed"}}, "more": "@nest",
      "parts": {"@container": "@index", "@index": "kind"}, "posts": {"@container": "@id"}},
    "@id": "http://e/heat", "@type": "Film", "by": {"@id": "http://e/mann"}, "more": {"r": "x"},
    "parts": {"big": {"@id": "http://e/p"}}, "posts": {"http://e/post": {"title1": "t"}},
    "@included": [{"@id": "http://e/z", "r": "q"}]})"),
            (Lines{"heat | directed | mann", "heat | parts | p", "heat | posts | post", "heat | r | x",
                   "heat | type | Film", "p | kind | big", "post | title1 | t", "z | r | q"}));
}

TEST_F(JsonLdTest, AddressesAreRefusedByNameAndFilesAreRead) {
  const std::string remote =
      R"({"@context": "https://e.org/c.jsonld", "@id": "http://e/a", "r": {"@id": "http://e/b"}})";
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)statements(remote); }),
                       "needs the context https://e.org/c.jsonld, and nothing is fetched"));
  (void)folder_.write("beside.jsonld", R"({"@context": {"r": "http://e/told"}})");
  const std::string beside =
      R"({"@context": "beside.jsonld", "@id": "http://e/a", "r": {"@id": "http://e/b"}})";
  EXPECT_EQ(statements(beside), Lines{"a | told | b"});
  options_.input.context = folder_.write("given.json", R"({"@context": {"r": "http://e/given"}})");
  EXPECT_EQ(statements(remote), Lines{"a | given | b"});
  EXPECT_EQ(statements(R"({"@id": "http://e/a", "r": {"@id": "http://e/b"}})"), Lines{"a | given | b"});
}

TEST_F(JsonLdTest, KeysThatNoContextKnowsAreToldAndLeftOut) {
  EXPECT_EQ(
      statements(
          R"({"@context": {"r": "http://e/r"}, "@graph": [{"@id": "http://e/a", "r": {"@id": "http://e/b"},
    "unknown": 1}, {"@id": "http://e/c", "unknown": 2, "other": 3, "r": {"@id": "rel ative"}}]})"),
      Lines{"a | r | b"});
  ASSERT_EQ(report_.notes.size(), 2u);
  EXPECT_TRUE(
      contains(report_.notes[0], "3 values are left out: no context knows the keys 'unknown', 'other'"));
  EXPECT_TRUE(contains(report_.notes[1], "1 statements are left out"));
}

TEST_F(JsonLdTest, ASlipInANodeCostsThatNode) {
  for (const auto& [bad, why] : std::vector<std::pair<std::string, std::string>>{
           {R"({"@id": 5})", "@id is no text"},
           {R"({"@id": "http://e/x", "http://e/r": {"@value": [1]}})", "@value is neither a text"},
           {R"({"@id": "http://e/x", "@id": "http://e/y"})", "the key '@id' stands twice"},
           {R"({"@context": {"t": {"@id": "http://e/t", "@frame": 1}}, "t": 1})", "unknown key '@frame'"},
           {R"({"@context": {"a": "b:c", "b": "a:d"}, "a": 1})", "is defined by itself"},
           {R"({"@id": "http://e/x", "http://e/r": tru})", "no JSON"}}) {
    EXPECT_EQ(
        statements("{\"@graph\": [\n{\"@id\": \"http://e/a\", \"http://e/r\": {\"@id\": \"http://e/b\"}},\n" +
                   bad + ",\n{\"@id\": \"http://e/c\", \"http://e/r\": {\"@id\": \"http://e/d\"}}\n]}"),
        (Lines{"a | r | b", "c | r | d"}))
        << bad;
    ASSERT_EQ(report_.problems.size(), 1u) << bad;
    EXPECT_TRUE(contains(problems(report_)[0], "a.jsonld:3: ")) << problems(report_)[0];
    EXPECT_TRUE(contains(problems(report_)[0], why)) << problems(report_)[0];
  }
}

TEST_F(JsonLdTest, ADocumentThatIsCutOffGivesItsWholeNodes) {
  const std::string text = document(
      "\"@graph\": [\n{\"id\": \"ex:a\", \"knows\": \"ex:b\"},\n{\"id\": \"ex:c\", \"knows\": \"ex:d\"}\n]");
  EXPECT_EQ(statements(text.substr(0, text.size() - 12)), Lines{"a | knows | b"});
  EXPECT_TRUE(contains(problems(report_).at(0), "is the file cut off?"));
  for (std::size_t length = 1; length <= text.size(); length += 3) try {
      (void)statements(text.substr(0, length));
    } catch (const DataError&) {  // within the context
    }
}

TEST_F(JsonLdTest, AGraphOrKeyThatComesTwiceIsTold) {
  const std::string a = R"([{"@id": "http://e/a", "http://e/r": {"@id": "http://e/b"}}])";
  EXPECT_EQ(statements("{\"@graph\": " + a + ",\n\"@context\": {},\n\"@graph\": []}"), Lines{"a | r | b"});
  EXPECT_EQ(problems(report_), Lines{"a.jsonld:3: the key '@graph' stands twice in one object"});
  EXPECT_EQ(statements("{\"@context\": {}, \"@context\": {\"x\": 5},\n\"@graph\": " + a + "}", "b.jsonld"),
            Lines{"a | r | b"});
  EXPECT_EQ(problems(report_), Lines{"b.jsonld:1: the key '@context' stands twice in one object"});
}

TEST_F(JsonLdTest, DocumentsMayStandOnLinesOrInAnArray) {
  const std::string a =
      R"({"@context": {"r": "http://e/r"}, "@id": "http://e/a", "r": {"@id": "http://e/b"}})";
  const std::string c =
      R"({"@context": {"r": "http://e/s"}, "@id": "http://e/c", "r": {"@id": "http://e/d"}})";
  for (const std::string& text : {a + "\n" + c + "\n", "[" + a + "," + c + "]"})
    for (const char* name : {"a.jsonld", "a.json"})  // known by what is in it
      EXPECT_EQ(statements(text, name), (Lines{"a | r | b", "c | s | d"})) << name << text;
}

TEST_F(JsonLdTest, BlankNodesAreOfTheirDocument) {
  const std::string a = R"({"@id": "_:x", "http://e/r": {"@id": "http://e/a"}})";
  const std::string b =
      R"({"@graph": [{"@id": "_:x", "http://e/r": {"@id": "_:y"}}, {"@id": "_:y", "http://e/s": {"@id": "_:x"}}]})";
  EXPECT_EQ(statements(a + "\n" + b + "\n" + a),
            (Lines{"_:node1 | r | _:node2", "_:node2 | s | _:node1", "_:node3 | r | a", "_:x | r | a"}));
  EXPECT_EQ(statements(b + "\n" + a), (Lines{"_:node1 | r | a", "_:x | r | _:y", "_:y | s | _:x"}));
  EXPECT_EQ(statements("[" + a + "," + a + "]"), Lines{"_:x | r | a"});
}

// RFC 3986, section 5.4
TEST(IriReference, IsResolvedAsTheRfcSays) {
  const char* kBase = "http://a/b/c/d;p?q";
  const std::pair<const char*, const char*> kCases[] = {{"g:h", "g:h"},
                                                        {"g", "http://a/b/c/g"},
                                                        {"./g/", "http://a/b/c/g/"},
                                                        {"/g", "http://a/g"},
                                                        {"//g", "http://g"},
                                                        {"?y", "http://a/b/c/d;p?y"},
                                                        {"g?y", "http://a/b/c/g?y"},
                                                        {"#s", "http://a/b/c/d;p?q#s"},
                                                        {"", "http://a/b/c/d;p?q"},
                                                        {".", "http://a/b/c/"},
                                                        {"..", "http://a/b/"},
                                                        {"../g", "http://a/b/g"},
                                                        {"../../../g", "http://a/g"},
                                                        {"/./g", "http://a/g"},
                                                        {"g;x=1/../y", "http://a/b/c/y"},
                                                        {"g.", "http://a/b/c/g."}};
  for (const auto& [reference, whole] : kCases) EXPECT_EQ(resolved_iri(reference, kBase), whole) << reference;
}

}  // namespace
}  // namespace kgwalk::graph
