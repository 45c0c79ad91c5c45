// GraphML of several programs into a graph, and what kgwalk exports back into the same graph.
#include "kgwalk/export.h"
#include "kgwalk/graph_details.h"
#include "runtime/files.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

class GraphMlTest : public testing::FormatTest {
 protected:
  // Exports what is stored, and reads that into another database.
  void round_trip() {
    const std::filesystem::path file = folder_ / "out.graphml";
    (void)export_graph(Store::open(options_.database, Store::Mode::kReadOnly), file,
                       {.format = GraphFormat::kGraphMl});
    options_.triples = {file};
    (void)store();
  }
};

std::string graphml(const std::string& body) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
         "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" +
         body + "</graphml>\n";
}

TEST_F(GraphMlTest, TheOwnExportComesBackAsItWas) {
  options_.input.weight_column = "w";
  options_.input.source_column = "s";
  (void)store("a.csv",
              "head,relation,tail,w,s\n\"A & <B>\",r one,C,0.5,doc1\n\"A & <B>\",r one,C,,doc3\nC,r one,\"A "
              "& <B>\",,\nC,s,\"x "
              "\"\"y\"\"\",2,doc2\n");
  const Lines before = facts();
  options_.input = {};
  round_trip();
  EXPECT_EQ(facts(), before);
  const GraphDetails& d = details(graph());
  EXPECT_FALSE(d.has_ids());
  const EntityId head = *graph().find_entity("A & <B>");
  EXPECT_FLOAT_EQ(d.weight(graph().offsets()[head]), 0.5F);
  EXPECT_EQ(d.sources(graph().offsets()[head]), (std::vector<std::string_view>{"doc1", "doc3"}));
}

TEST_F(GraphMlTest, IdsNamesakesAndLiteralsComeBack) {
  (void)store("a.ttl",
              "@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
              "e:t1 rdfs:label \"Titanic\" ; e:year 1997 ; e:by e:c .\ne:t2 rdfs:label \"Titanic\" ; e:year "
              "1912 ; e:in _:x .\n");
  const Lines before = facts();
  round_trip();
  EXPECT_EQ(facts(), before);
  EXPECT_TRUE(details(graph()).find_id("http://e/t1"));
  EXPECT_TRUE(details(graph()).find_id("\"1997\"^^<http://www.w3.org/2001/XMLSchema#integer>"));
}

TEST_F(GraphMlTest, OfNetworkxHasNamesAsIds) {
  const IngestReport report =
      read("a.graphml", graphml(R"(<key id="d2" for="edge" attr.name="weight" attr.type="double"/>
<key id="d1" for="edge" attr.name="label" attr.type="string"><default>knows</default></key>
<key id="d0" for="node" attr.name="age" attr.type="long"/><key id="d3" for="node" attr.name="ok" attr.type="boolean"/>
<graph edgedefault="directed"><node id="Ann"><data key="d0">30</data><data key="d3">True</data></node><node id="Bo &amp; Co"/>
<edge source="Ann" target="Bo &amp; Co"><data key="d1">likes</data><data key="d2">0.5</data></edge>
<edge source="Bo &amp; Co" target="Ann"/></graph>)"));
  EXPECT_EQ(facts(),
            (Lines{"Ann | age | 30", "Ann | likes | Bo & Co", "Ann | ok | true", "Bo & Co | knows | Ann"}));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(contains(report.notes[0], "data of edges is left out: 'weight' (1)"));
}

TEST_F(GraphMlTest, OfYedHasTheLabelsThatItDraws) {
  const IngestReport report =
      read("a.graphml", graphml(R"(<key for="node" id="d6" yfiles.type="nodegraphics"/>
<key for="edge" id="d10" yfiles.type="edgegraphics"/><key attr.name="description" attr.type="string" for="node" id="d5"/>
<graph edgedefault="directed" id="G" xmlns:y="http://www.yworks.com/xml/graphml">
<edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge><y:EdgeLabel>capital of</y:EdgeLabel></y:PolyLineEdge></data></edge>
<node id="n0"><data key="d5"><![CDATA[A city]]></data><data key="d6"><y:ShapeNode><y:NodeLabel>Paris</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1" yfiles.foldertype="group"><data key="d6"><y:GroupNode><y:NodeLabel>France</y:NodeLabel></y:GroupNode></data>
<graph id="n1:"><node id="n1::n0"><data key="d6"><y:ShapeNode><y:NodeLabel>Lyon</y:NodeLabel></y:ShapeNode></data></node></graph></node>
<edge source="n1::n0" target="n1"/><edge source="n0" target="n9"/></graph>)"));
  EXPECT_EQ(facts(), (Lines{"Lyon | linked to | France", "Paris | capital of | France"}));
  EXPECT_EQ(report.descriptions, 1u);
  EXPECT_EQ(problems(report), Lines{"a.graphml:10: the file has no node 'n9' for this edge"});
}

TEST_F(GraphMlTest, OfNeo4jHasLabelsTypesAndLists) {
  (void)read("a.graphml", graphml(R"(<key id="labels" for="node" attr.name="labels" attr.type="string"/>
<key id="name" for="node" attr.name="name" attr.type="string"/><key id="born" for="node" attr.name="born" attr.type="long"/>
<key id="nick" for="node" attr.name="nick" attr.type="string" attr.list="string"/>
<key id="label" for="edge" attr.name="label" attr.type="string"/>
<graph id="G" edgedefault="directed">
<node id="n0" labels=":Person:Actor"><data key="labels">:Person:Actor</data><data key="name">Keanu</data><data key="born">1964</data><data key="nick">["K","Neo"]</data></node>
<node id="n1" labels=":Movie"><data key="labels">:Movie</data><data key="name">The Matrix</data></node>
<edge id="e0" source="n0" target="n1" label="ACTED_IN"><data key="label">ACTED_IN</data></edge></graph>)"));
  EXPECT_EQ(facts(), (Lines{"Keanu | ACTED_IN | The Matrix", "Keanu | born | 1964", "Keanu | nick | K",
                            "Keanu | nick | Neo", "Keanu | type | Actor", "Keanu | type | Person",
                            "The Matrix | type | Movie"}));
}

TEST_F(GraphMlTest, BrokenXmlGivesWhatStandsBeforeIt) {
  const std::string begin = "<graph>\n<node id=\"a\"/><node id=\"b\"/>\n<edge source=\"a\" target=\"b\"/>\n";
  for (const char* bad : {"<node id=\"c\" <\n", "<node id=\"&undeclared;\"/>\n", "<node id=\"c\">"}) {
    const IngestReport report = read("a.graphml", graphml(begin + bad));
    EXPECT_EQ(facts(), Lines{"a | linked to | b"}) << bad;
    ASSERT_FALSE(report.problems.empty()) << bad;
    EXPECT_TRUE(contains(report.problems.back(), "what stands behind this line is lost"))
        << report.problems.back();
  }
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)read("a.graphml", "<rdf/>"); }), "but no GraphML"));
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)read("a.graphml", "{}"); }), "is no GraphML"));
}

TEST_F(GraphMlTest, EntitiesOfTheFileAreRefusedAndNothingIsFetched) {
  const std::string bomb =
      "<!DOCTYPE g [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\"><!ENTITY c SYSTEM "
      "\"/etc/hostname\">]>\n"
      "<graphml><graph><node id=\"x\"/></graph></graphml>";
  EXPECT_TRUE(contains(message_of<DataError>([&] { (void)read("a.graphml", bomb); }),
                       "a DOCTYPE, which is not read"));
}

TEST_F(GraphMlTest, DepthLongTextsAndHyperedgesAreRefused) {
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<graph><node id=\"n" + std::to_string(i) + "\">";
  EXPECT_TRUE(contains(read("a.graphml", graphml(deep)).problems.at(0), "nested too deep"));
  const IngestReport report =
      read("a.graphml", graphml("<key id=\"d\" for=\"node\" attr.name=\"x\" "
                                "attr.type=\"string\"/><graph>\n<node id=\"a\"><data key=\"d\">" +
                                std::string(10 << 20, 'x') +
                                "</data></node><node id=\"b\"/>\n<hyperedge/>\n"
                                "<edge source=\"a\" target=\"b\"/></graph>"));
  EXPECT_EQ(facts(), Lines{"a | linked to | b"});
  EXPECT_EQ(problems(report),
            (Lines{"a.graphml:4: the text of 'x' has 10485760 bytes; at most 1048576 are taken",
                   "a.graphml:5: a hyperedge, which is not read; write it as edges"}));
}

}  // namespace
}  // namespace kgwalk::graph
