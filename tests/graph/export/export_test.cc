#include "kgwalk/export.h"

#include <set>
#include <sstream>

#include "graph/export/graph_text.h"
#include "graph/ingest/iri_names.h"
#include "kgwalk/edits.h"
#include "kgwalk/values.h"
#include "runtime/files.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

class ExportTest : public testing::FormatTest {
 protected:
  // What the database of the fixture is in this format.
  std::string exported(GraphExportOptions options) {
    const Store database = Store::open(options_.database, Store::Mode::kReadOnly);
    report_ = export_graph(database, folder_ / "out", options);
    return read_file(folder_ / "out");
  }
  GraphExportReport report_;
};

TEST_F(ExportTest, WritesEachFactOnceInEveryFormat) {
  (void)store("t.csv",
              "head,relation,tail\n\"Lang, \"\"F.\"\"\",~directed by,M <1931>\nM <1931>,directed by,\"Lang, "
              "\"\"F.\"\"\"\n");
  EXPECT_EQ(exported({}), "M <1931>\tdirected by\tLang, \"F.\"\n");
  EXPECT_EQ(report_.facts, 1u);
  EXPECT_EQ(report_.entities, 2u);
  EXPECT_EQ(exported({.format = GraphFormat::kCsv}),
            "head,relation,tail\nM <1931>,directed by,\"Lang, \"\"F.\"\"\"\n");
  const std::string lang = "<x:entity/Lang%2C%20%22F.%22>", m = "<x:entity/M%20%3C1931%3E>";
  const std::string label = " <http://www.w3.org/2000/01/rdf-schema#label> ";
  EXPECT_EQ(exported({.format = GraphFormat::kNTriples, .base = "x:"}),
            lang + label + "\"Lang, \\\"F.\\\"\" .\n" + m + label +
                "\"M <1931>\" .\n<x:relation/directed%20by>" + label + "\"directed by\" .\n" + m +
                " <x:relation/directed%20by> " + lang + " .\n");
  EXPECT_TRUE(contains(exported({.format = GraphFormat::kNQuads, .base = "x:"}), lang + " <x:graph> .\n"));
  EXPECT_TRUE(contains(exported({.format = GraphFormat::kNQuads, .graph_iri = "x:g"}), " <x:g> .\n"));
  const std::string xml = exported({.format = GraphFormat::kGraphMl});
  EXPECT_TRUE(
      contains(xml,
               "    <node id=\"n1\"><data key=\"name\">M &lt;1931&gt;</data></node>\n"
               "    <edge source=\"n1\" target=\"n0\"><data key=\"relation\">directed by</data></edge>\n"
               "  </graph>\n</graphml>\n"))
      << xml;
}

TEST_F(ExportTest, IsReadBackAsTheSameGraph) {
  const auto sample = std::filesystem::path(KGWALK_SOURCE_DIR) / "data" / "sample";
  options_.triples = {sample / "triples.txt"};
  options_.entities = sample / "entities.txt";
  (void)store();
  const Lines before = facts();
  ASSERT_GT(before.size(), 1000u);
  const std::uint32_t entities = graph().num_entities();
  const std::pair<GraphFormat, const char*> formats[] = {{GraphFormat::kTriples, "g.txt"},
                                                         {GraphFormat::kCsv, "g.csv"},
                                                         {GraphFormat::kNTriples, "g.nt"},
                                                         {GraphFormat::kNQuads, "g.nq"}};
  for (const auto& [format, name] : formats) {
    const std::string text = exported({.format = format});
    options_.entities.clear();
    EXPECT_EQ(store(name, text).skipped, 0u) << name;
    EXPECT_EQ(facts(), before) << name;
    EXPECT_EQ(graph().num_entities(), entities) << name;
  }
}

TEST_F(ExportTest, GivesValuesAsLiterals) {
  options_.input.literals = LiteralUse::kValues;
  const std::string text =
      "<x:a> <x:r> <x:b> .\n<x:a> <x:birthYear> \"19\\\"\\n08\"^^<x:year> .\n<x:b> <x:note> \"n\"@en-GB .\n";
  (void)store("t.nt", text);
  const std::string out = exported({.format = GraphFormat::kNTriples, .base = "x:"});
  EXPECT_EQ(report_.values, 2u);
  EXPECT_TRUE(contains(out, "<x:a> <x:birthYear> \"19\\\"\\n08\"^^<x:year> .\n")) << out;
  EXPECT_TRUE(contains(out, "<x:b> <x:note> \"n\"@en-GB .\n")) << out;
  EXPECT_EQ(store("back.nt", out).values, 2u);
}

// Several literals may be one thing to talk about; each fact keeps how it wrote it, and in which graph.
TEST_F(ExportTest, GivesLiteralsBackAsEachFactWroteThem) {
  const std::string integer = "^^<http://www.w3.org/2001/XMLSchema#integer>";
  std::vector<std::string> lines = {"<x:e> <x:v> \"copper\"@en .",
                                    "<x:e> <x:v> \"copper\"@pt-BR <x:g> .",
                                    "<x:f> <x:v> \"Copper\" .",
                                    "<x:f> <x:w> \"copper\"@en <x:g> .",
                                    "<x:f> <x:w> \"copper\"@en <x:h> .",
                                    "<x:f> <x:n> \"232\" .",
                                    "<x:e> <x:n> \"232\"" + integer + " .",
                                    "<x:e> <x:r> <x:f> ."};
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  (void)store("t.nq", text);
  const auto given_back = [&](GraphFormat format) {
    std::set<std::string> back;
    std::istringstream out(exported({.format = format}));
    for (std::string line; std::getline(out, line);) back.insert(line);
    return back;
  };
  EXPECT_EQ(given_back(GraphFormat::kNQuads), std::set<std::string>(lines.begin(), lines.end()));
  std::set<std::string> triples;
  for (const std::string& line : lines)
    triples.insert(line.ends_with("> .") && line.find("\"") != std::string::npos &&
                           !line.ends_with(integer + " .")
                       ? line.substr(0, line.rfind(" <")) + " ."
                       : line);
  EXPECT_EQ(given_back(GraphFormat::kNTriples), triples);
}

TEST_F(ExportTest, LeavesNothingWhenItFails) {
  (void)store("t.txt", "a\tr\tb\n");
  const Store database = Store::open(options_.database, Store::Mode::kReadOnly);
  EXPECT_TRUE(contains(message_of<IoError>([&] { (void)export_graph(database, folder_ / "none" / "out"); }),
                       "cannot create"));
  StopFlag stop;
  stop.request();
  EXPECT_THROW((void)export_graph(database, folder_ / "stopped", {}, silent_reporter(), stop), Stopped);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(contains(entry.path().filename().string(), "stopped")) << entry.path();
}

TEST(GraphText, IsSafeInItsFormat) {
  EXPECT_EQ(percent_coded("a-Z_0.~ /\xc3\xa9"), "a-Z_0.~%20%2F%C3%A9");
  EXPECT_EQ(literal_text("\x01\\\"\r\t\n", "", ""), "\"\\u0001\\\\\\\"\\r\\t\\n\"");
  EXPECT_EQ(csv_field("a b"), "a b");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(xml_text("a&b\x02"), "a&amp;b\xef\xbf\xbd");
}

TEST_F(ExportTest, WritesWhatIsSaidBesideAFactAndReadsItBack) {
  const std::string rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  const auto node = [&](const std::string& label, const std::string& object, const std::string& said) {
    return label + " <" + rdf + "object> " + object + " .\n" + label + " <" + rdf +
           "predicate> <x:held> .\n" + label + " <" + rdf + "subject> <x:Ada> .\n" + label + " <" + rdf +
           "type> <" + rdf + "Statement> .\n" + label + " " + said + " .\n";
  };
  const std::string label = " <http://www.w3.org/2000/01/rdf-schema#label> ";
  const std::string text = "<x:Ada> <x:held> <x:Mayor> .\n" +
                           node("_:fact1", "<x:Mayor>", "<x:from> \"1990\"") +
                           node("_:fact2", "<x:Mayor>", "<x:for> <x:Skipton>");
  (void)store("t.nt", text);
  EXPECT_EQ(facts(), Lines{"Ada | held | Mayor"});
  EXPECT_EQ(details(graph()).all_qualifiers().size(), 4u);
  const auto sorted = [](const std::string& lines) {
    std::istringstream in(lines);
    std::multiset<std::string> all;
    for (std::string line; std::getline(in, line);) all.insert(line);
    return all;
  };
  EXPECT_EQ(sorted(exported({.format = GraphFormat::kNTriples})), sorted(text));
  EXPECT_EQ(report_.qualifiers, 2u);
  // What is more than that, or less, stays a thing with facts.
  for (const std::string& other :
       {text + "<x:Bob> <x:wrote> _:fact1 .\n" + "<x:Bob> <x:wrote> _:fact2 .\n",
        "<x:Ada> <x:held> <x:Other> .\n" + node("_:fact1", "<x:Mayor>", "<x:from> \"1990\"")}) {
    (void)store("t.nt", other);
    EXPECT_FALSE(details(graph()).has_qualifiers());
    EXPECT_EQ(sorted(exported({.format = GraphFormat::kNTriples})), sorted(other));
  }
}

// Languages, datatypes, blank nodes and graphs.
TEST_F(ExportTest, JsonLdComesBackAsItWas) {
  (void)store("a.nq",
              "<x:a> <x:r> <x:b> <x:g> .\n<x:a> <x:r> <x:c> <x:h> .\n_:n <x:r> <x:a> <x:g> .\n"
              "<x:a> <x:said> \"chat\"@fr <x:g> .\n<x:a> <x:said> \"cat \\\"x\\\"\"@en <x:g> .\n"
              "<x:b> <x:size> \"1.50\"^^<http://www.w3.org/2001/XMLSchema#decimal> <x:h> .\n"
              "<x:b> <x:on> \"2001-02-03\"^^<http://www.w3.org/2001/XMLSchema#date> <x:h> .\n");
  const auto sorted = [&] {
    std::istringstream text(exported({.format = GraphFormat::kNQuads}));
    std::multiset<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.insert(line);
    return lines;
  };
  const std::multiset<std::string> before = sorted();
  EXPECT_GE(before.size(), 7U);
  (void)store("b.jsonld", exported({.format = GraphFormat::kJsonLd}));
  EXPECT_EQ(sorted(), before);
}

// IRIs of relations, names of namesakes, and literals in several spellings; texts are told that have no
// place.
TEST_F(ExportTest, CsvAndGraphMlComeBackAsTheyWere) {
  const std::string xsd = "^^<http://www.w3.org/2001/XMLSchema#";
  (void)store("a.nq",
              "<http://e/1/Rome> <http://e/r/in> <http://e/Italy> <http://e/g> .\n"
              "<http://e/2/Rome> <http://e/s/in> <http://e/Italy> .\n"
              "<http://e/1/Rome> <http://e/P1> \"cat\"@en .\n<http://e/1/Rome> <http://e/P1> \"cat\"@fr "
              "<http://e/g> .\n<http://e/2/Rome> <http://e/P1> \"Cat\" .\n"
              "<http://e/2/Rome> <http://e/P1> \"12\"" +
                  xsd +
                  "integer> .\n"
                  "<http://e/1/Rome> <http://e/P1> \"a\\n\\\"b\\\"\" .\n"
                  "<http://e/P1> <http://www.w3.org/2000/01/rdf-schema#label> \"said\" .\n");
  const auto sorted = [&] {
    std::istringstream text(exported({.format = GraphFormat::kNQuads}));
    std::set<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.insert(line);
    return lines;
  };
  const std::set<std::string> before = sorted();
  EXPECT_EQ(before.size(), 8U);
  const std::string csv = exported({.format = GraphFormat::kCsv}),
                    xml = exported({.format = GraphFormat::kGraphMl});
  EXPECT_EQ(report_.left_out, 0U);
  (void)store("b.graphml", xml);
  EXPECT_EQ(sorted(), before);
  options_.input.id_columns = {"head_id", "tail_id", "relation_id"};
  options_.input.source_column = "source";
  (void)store("b.csv", csv);
  EXPECT_EQ(sorted(), before);
  options_.input = {};
  (void)store("c.nt",
              "<x:a> <x:r> <x:b> .\n<x:a> <http://www.w3.org/2000/01/rdf-schema#comment> \"text\" .\n");
  (void)exported({.format = GraphFormat::kGraphMl});
  EXPECT_EQ(report_.left_out, 1U);
}

TEST_F(ExportTest, NothingIsLeftOfWhatWasMergedIntoAnother) {
  (void)store("a.nt", "<x:a> <x:r> <x:b> .\n<x:c> <x:r> <x:d> .\n");
  const EditOperation merge{.kind = EditOperation::Kind::kMerge, .names = {"a", "c"}};
  (void)edit(options_.database, {&merge, 1}, {.author = "test"});
  for (const GraphFormat format : {GraphFormat::kNTriples, GraphFormat::kJsonLd, GraphFormat::kGraphMl})
    EXPECT_FALSE(contains(exported({.format = format}), "\"\"")) << static_cast<int>(format);
  EXPECT_EQ(report_.entities, 3U);
}

}  // namespace
}  // namespace kgwalk::graph
