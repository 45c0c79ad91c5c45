// N-Triples, N-Quads, Turtle, TriG and RDF/XML into a graph.
#include <random>

#include "kgwalk/values.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "runtime/json_text.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

const std::filesystem::path kFixtures =
    std::filesystem::path(KGWALK_SOURCE_DIR) / "tests" / "graph" / "ingest" / "fixtures";

class RdfTest : public testing::FormatTest {
 protected:
  static std::string fixture(const std::string& name) { return read_file(kFixtures / name); }
  [[nodiscard]] static const FileReport& only_file(const IngestReport& report) {
    return report.files.at(0).second;
  }
};

TEST_F(RdfTest, FindsAsManyStatementsAsSerdiAndRapper) {
  const Json golden =
      read_json_file(std::filesystem::path(KGWALK_SOURCE_DIR) / "tests/golden/rdf_counts.json");
  for (const auto& [name, counted] : golden.items()) {
    options_.triples = {kFixtures / name};
    const IngestReport report = read();
    EXPECT_EQ(only_file(report).statements, counted["statements"]) << name;
    EXPECT_EQ(report.skipped, 0u) << name << ": " << (report.problems.empty() ? "" : report.problems[0]);
    EXPECT_EQ(only_file(report).labels + only_file(report).triples, only_file(report).statements) << name;
  }
}

TEST_F(RdfTest, GivesEntitiesAndRelationsTheirLabelsOrWordsOfTheirIris) {
  (void)read("films.nt", fixture("films.nt"));
  EXPECT_EQ(facts(),
            (Lines{"Fritz Lang | born in | Vienna", "Fritz Lang | note | spoke \"German\",  French\xc3\xa9",
                   "Metropolis (film) | directed by | Fritz Lang", "Metropolis (film) | release year | 1927",
                   "_:studio | produced film | Metropolis (film)"}));
  options_.input.language = "de";
  (void)read("films.nt", fixture("films.nt"));
  EXPECT_EQ(facts()[0], "Fritz Lang | born in | Wien");
  options_.input.language = "";
  options_.input.labels = {"http://www.w3.org/2000/01/rdf-schema#label"};
  (void)read("films.nt", fixture("films.nt"));
  EXPECT_EQ(facts()[0], "Fritz Lang | born in | Wien");
}

TEST_F(RdfTest, PrefersTheLanguageThenTheOrderOfLabels) {
  const std::string label = " <http://www.w3.org/2000/01/rdf-schema#label> ";
  const std::string preferred = " <http://www.w3.org/2004/02/skos/core#prefLabel> ";
  const std::string fact = "<x:a> <x:r> <x:b> .\n";
  const auto name = [&](const std::string& labels) {
    (void)read("a.nt", labels + fact);
    return std::string(graph().entity_name(0));
  };
  EXPECT_EQ(name("<x:a>" + label + "\"other\"@fr .\n"), "other");
  EXPECT_EQ(name("<x:a>" + label + "\"other\"@fr .\n<x:a>" + label + "\"plain\" .\n"), "plain");
  EXPECT_EQ(name("<x:a>" + label + "\"plain\" .\n<x:a>" + label + "\"region\"@EN-us .\n"), "region");
  EXPECT_EQ(name("<x:a>" + label + "\"english\"@en .\n<x:a>" + preferred + "\"region\"@en-GB .\n"),
            "english");
  EXPECT_EQ(name("<x:a>" + label + "\"english\"@en .\n<x:a>" + preferred + "\"best\"@en .\n"), "best");
  EXPECT_EQ(name("<x:a>" + label + "\"first\"@en .\n<x:a>" + label + "\"second\"@en .\n"), "first");
  EXPECT_EQ(name("<x:a>" + label + "\" \" .\n"), "a");  // an empty label names nothing
}

TEST_F(RdfTest, ReadsWhatTurtleAbbreviates) {
  (void)read("films.ttl", fixture("films.ttl"));
  const Lines found = facts();
  const auto has = [&](const std::string& fact) {
    return std::find(found.begin(), found.end(), fact) != found.end();
  };
  EXPECT_TRUE(has("Solaris | type | Film"));
  EXPECT_TRUE(has("Solaris | directed by | Andrei Tarkovsky"));
  EXPECT_TRUE(has("Andrei Tarkovsky | name | A. \"T.\""));
  EXPECT_TRUE(has("Solaris | plot | A psychologist is sent to a station. It ends here."));
  EXPECT_EQ(
      std::count_if(found.begin(), found.end(), [](const auto& f) { return f.find("| first |") != f.npos; }),
      2);
  EXPECT_EQ(
      std::count_if(found.begin(), found.end(), [](const auto& f) { return f.find("| stars |") != f.npos; }),
      3);
}

TEST_F(RdfTest, ReadsTheSameGraphFromEveryFormat) {
  const std::string fact = "<http://e/a> <http://e/r> <http://e/b>";
  const std::string xml =
      "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>"
      "<r:Description r:about='http://e/a'><e:r r:resource='http://e/b'/></r:Description></r:RDF>";
  const std::pair<const char*, std::string> texts[] = {{"g.nt", fact + " ."},
                                                       {"g.nq", fact + " <http://e/g> .\n"},
                                                       {"g.ttl", "@base <http://e/> . <a> <r> <b> ."},
                                                       {"g.trig", "@prefix : <http://e/> . { :a :r :b }"},
                                                       {"g.rdf", xml},
                                                       {"g.csv", "head,relation,tail\na,r,b\n"},
                                                       {"g.txt", "a\tr\tb\n"}};
  for (const auto& [name, text] : texts) {
    EXPECT_EQ(read(name, text).skipped, 0u) << name;
    EXPECT_EQ(facts(), Lines{"a | r | b"}) << name;
  }
}

TEST_F(RdfTest, ABadLineOfNTriplesCostsThatLine) {
  const std::string good = "<x:a> <x:r> <x:b> .\n";
  std::string text = good;                            // 1
  text += "<x:a> <x:r> <x:c>\n";                      // 2: no point, found out on line 4
  text += "\n# a comment\n";                          // 3, 4
  text += "<x:a> <x:r> <x:d> .\n";                    // 5
  text += "<x:a> <x:r> .\n";                          // 6
  text += "<x:a> <x y> <x:e> .\n";                    // 7: a space in an IRI
  text += "<x:a> <x:r> \"never closed .\n";           // 8
  text += "<x:a> <x:r> \"bad\xff\" .\n";              // 9
  text += "<x:a> \"r\" <x:b> .\n";                    // 10
  text += std::string("<x:a> <x:r> \"\0\" .\n", 18);  // 11
  text += "plain text\n";                             // 12
  text += "<x:a> <x:r> <x:f> .\n";                    // 13
  const IngestReport report = read("t.nt", text);
  EXPECT_EQ(facts(), (Lines{"a | r | b", "a | r | d", "a | r | f"}));
  std::vector<std::size_t> lines;
  for (const std::string& problem : problems(report)) {
    EXPECT_TRUE(problem.starts_with("t.nt:")) << problem;
    lines.push_back(std::stoul(problem.substr(5)));
  }
  EXPECT_EQ(lines, (std::vector<std::size_t>{2, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(only_file(report).skipped_by_reason,
            (std::map<Reason, std::uint64_t>{{Reason::kSyntax, 7}, {Reason::kNulByte, 1}}));
  options_.strict = true;
  try {
    (void)read("t.nt", text);
    ADD_FAILURE() << "not strict";
  } catch (const DataError& error) {
    EXPECT_EQ(error.line(), 2u) << error.what();
  }
}

TEST_F(RdfTest, NTriplesHaveNoFourthTerm) {
  const std::string text = "<x:a> <x:r> <x:b> <x:g> .\n<x:a> <x:r> <x:c> .\n";
  EXPECT_EQ(problems(read("t.nt", text)),
            Lines{"t.nt:1: a fourth term; the graph of a statement is for N-Quads"});
  EXPECT_EQ(facts(), Lines{"a | r | c"});
  EXPECT_EQ(read("t.nq", text).skipped, 0u);
}

TEST_F(RdfTest, AnyLinesOfRubbishLeaveTheOthersAsTheyAre) {
  std::mt19937_64 random(3);
  const std::string letters = "<>\"\\ .:_@^#ax\t'{}[]\xff";
  for (int round = 0; round < 60; ++round) {
    std::string text;
    std::size_t good = 0;
    for (int line = 0; line < 20; ++line) {
      if (random() % 2 == 0) {
        text += "<x:s" + std::to_string(good) + "> <x:r> \"o\" .\n";
        ++good;
      } else {
        text += "!";  // so that no line of rubbish is a statement or ends one
        for (std::size_t n = random() % 30; n > 0; --n) text += letters[random() % letters.size()];
        text += '\n';
      }
    }
    const IngestReport report = read("t.nq", text);
    ASSERT_EQ(report.triple_lines, good) << text;
    ASSERT_EQ(report.skipped + good, 20u) << text;
  }
}

TEST_F(RdfTest, ABadStatementOfTurtleCostsThatStatement) {
  const std::string text =
      "@prefix : <x:> .\n"
      ":a :r :b .\n"
      ":a :r ;; :c\n"
      "  :d .\n"
      ":a none:r :e .\n"
      ":a :r :f ; :s [ :t \"x\n"
      "\" ] .\n"
      ":a :r :g .\n";
  const IngestReport report = read("t.ttl", text);
  const Lines found = facts();
  for (const char* fact : {"a | r | b", "a | r | f", "a | r | g"})  // the prefix is still known at the end
    EXPECT_TRUE(std::find(found.begin(), found.end(), fact) != found.end()) << fact;
  ASSERT_EQ(report.problems.size(), 3u);
  EXPECT_TRUE(problems(report)[0].starts_with("t.ttl:3: ") || problems(report)[0].starts_with("t.ttl:4: "))
      << problems(report)[0];
  EXPECT_TRUE(contains(report.problems[1], "t.ttl:5: 'none:r' has a prefix that was not declared"))
      << report.problems[1];
  EXPECT_TRUE(contains(report.problems[2], "t.ttl:6: ") || contains(report.problems[2], "t.ttl:7: "))
      << report.problems[2];
}

TEST_F(RdfTest, ATurtleFileCutInTheMiddleGivesWhatIsWhole) {
  const std::string text = "@prefix : <x:> .\n:a :r :b .\n:c :r [ :s :d ] .\n:e :r \"never fini";
  const IngestReport report = read("t.ttl", text);
  EXPECT_EQ(report.triple_lines, 3u);
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_TRUE(contains(report.problems[0], "t.ttl:4: ")) << report.problems[0];
  for (std::size_t end = 0; end < fixture("films.ttl").size(); end += 7)
    EXPECT_LE(read("t.ttl", fixture("films.ttl").substr(0, end)).skipped, 1u) << end;
}

TEST_F(RdfTest, NestingWithoutEndIsRefusedAndNotFollowed) {
  for (const char* piece : {"[", "(", "[ <x:p> "}) {
    std::string text = "<x:a> <x:r> <x:b> .\n<x:a> <x:r> ";
    for (int i = 0; i < 200000; ++i) text += piece;
    const IngestReport report = read("deep.ttl", text + " .\n<x:a> <x:r> <x:c> .\n");
    EXPECT_GE(report.skipped, 1u);
    EXPECT_TRUE(contains(report.problems.at(0), "deep.ttl:2: brackets are nested more than 1000 deep"))
        << report.problems.at(0);
    EXPECT_EQ(facts().back(), "a | r | c");
  }
  std::string wide = "<x:a> <x:r> \"((((\"";
  for (int i = 0; i < 3000; ++i) wide += " , [ <x:p> \"[\" ] , '''(''\n(' ''' ";
  EXPECT_EQ(read("wide.ttl", wide + ".").skipped, 0u);
}

TEST_F(RdfTest, LongIrisAreSkippedAndThoseBelowTheLimitKept) {
  const std::string iri(100000, 'x');
  const std::string text =
      "<x:" + iri + "> <x:r> <x:b> .\n<x:a> <x:r> \"" + iri + "\" .\n<x:a> <x:r> <x:b> .\n";
  const IngestReport report = read("t.nt", text);
  EXPECT_EQ(report.triple_lines, 1u);
  EXPECT_EQ(report.descriptions, 1u) << "a long literal is a text, however long";
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_TRUE(contains(report.problems[0], "t.nt:1: 'x:xxx")) << report.problems[0].substr(0, 200);
  EXPECT_TRUE(contains(report.problems[0], "has 100002 bytes; at most 4096 are taken"));
  EXPECT_LT(report.problems[0].size(), 300u);
  options_.input.max_name_bytes = 200000;
  EXPECT_EQ(read("t.nt", text).triple_lines, 2u);
  EXPECT_EQ(facts().size(), 2u);
}

TEST_F(RdfTest, LiteralsCanBeValuesOrDropped) {
  options_.input.literals = LiteralUse::kValues;
  IngestReport report = store("films.nt", fixture("films.nt"));
  EXPECT_EQ(report.values, 2u);
  EXPECT_EQ(report.triple_lines, 3u);
  EXPECT_EQ(facts().size(), 3u);
  {
    const Store store = Store::open(options_.database, Store::Mode::kReadOnly);
    const KnowledgeGraph g = store.load_graph();
    EXPECT_EQ(g.find_entity("1927"), std::nullopt);
    const auto values = Values::load(store);
    ASSERT_TRUE(values);
    EXPECT_EQ(values->size(), 7u);  // and labels, which have languages
    const auto of_film = values->of(*g.find_entity("Metropolis (film)"));
    ASSERT_EQ(of_film.size(), 1u);
    EXPECT_EQ(of_film[0].name, "release year");
    EXPECT_EQ(of_film[0].text, "1927");
    EXPECT_EQ(of_film[0].datatype, "http://www.w3.org/2001/XMLSchema#gYear");
    const auto of_lang = values->of(*g.find_entity("Fritz Lang"));
    ASSERT_EQ(of_lang.size(), 1u);
    EXPECT_EQ(of_lang[0].text, "spoke \"German\",\n\tFrench\xc3\xa9") << "as it was written";
    EXPECT_TRUE(values->of(*g.find_entity("Vienna")).empty());
    store.verify();
  }
  options_.input.literals = LiteralUse::kDrop;
  report = store("films.nt", fixture("films.nt"));
  EXPECT_EQ(report.dropped_literals, 2u);
  EXPECT_EQ(facts().size(), 3u);
  const auto left = Values::load(Store::open(options_.database, Store::Mode::kReadOnly));
  for (EntityId e = 0; left && e < graph().num_entities(); ++e) EXPECT_TRUE(left->of(e).empty()) << e;
}

TEST_F(RdfTest, TellsApartWhatBearsOneName) {
  (void)read(
      "t.nt",
      "<http://e/Q1> <http://www.w3.org/2000/01/rdf-schema#label> \"Titanic\" .\n"
      "<http://e/Q2> <http://www.w3.org/2000/01/rdf-schema#label> \"Titanic\" .\n"
      "<http://e/Q1> <http://a/voc/maker> <http://e/x> .\n<http://e/Q2> <http://b/owl/maker> \"x\" .\n");
  EXPECT_EQ(facts(), (Lines{"Titanic (Q1) | maker (voc) | x (Titanic)", "Titanic (Q2) | maker (owl) | x"}));
}

TEST_F(RdfTest, KeepsBlankNodesOfTwoFilesApart) {
  options_.triples = {folder_.write("a.nt", "_:b <x:r> <x:a> .\n"),
                      folder_.write("b.ttl", "_:b <x:r> <x:c> .\n")};
  (void)read();
  EXPECT_EQ(facts(), (Lines{"_:b | r | a", "_:f2b | r | c"}));
}

TEST_F(RdfTest, JoinsEntitiesOfSeveralFilesByTheirIrisAndKeepsThoseWithoutFacts) {
  options_.triples = {folder_.write("facts.nt", "<x:a> <x:r> <x:b> .\n"),
                      folder_.write("labels.ttl",
                                    "@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n"
                                    "<x:a> s:prefLabel \"Ada\" . <x:r> s:prefLabel \"knows\" .\n"
                                    "<x:lonely> s:prefLabel \"Bob\" .\n")};
  const IngestReport report = store();
  EXPECT_EQ(facts(), Lines{"Ada | knows | b"});
  EXPECT_EQ(report.labels, 3u);
  EXPECT_EQ(report.entities, 3u);
  EXPECT_EQ(report.connected_entities, 2u);
  EXPECT_EQ(graph().entity_name(2), "Bob");
}

TEST_F(RdfTest, BrokenXmlEndsThereWithItsLine) {
  const std::string text = fixture("films.rdf");
  const IngestReport report = read("t.rdf", text.substr(0, text.find("<o:award")) + "<o:broken>\n</o:Film>" +
                                                text.substr(text.find("<o:award")));
  EXPECT_GE(report.triple_lines, 3u);
  ASSERT_GE(report.problems.size(), 1u);
  EXPECT_TRUE(contains(report.problems[0], "t.rdf:8: ")) << report.problems[0];
  EXPECT_GE(read("t.rdf", text.substr(0, text.size() / 2)).skipped, 1u);
  EXPECT_GE(read("t.rdf", "no xml at all").skipped, 1u);
}

TEST_F(RdfTest, XmlFetchesNothing) {
  folder_.write("secret.txt", "secret");
  const IngestReport report = read(
      "t.rdf", "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY x SYSTEM '" + (folder_ / "secret.txt").string() +
                   "'>]><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>"
                   "<r:Description r:about='http://e/a'><e:r>&x;</e:r></r:Description></r:RDF>");
  EXPECT_EQ(graph().find_entity("secret"), std::nullopt);
  (void)report;
}

TEST_F(RdfTest, RelativeIrisBeginWithTheBase) {
  const std::string text = "<a> <x:r> <#b> .\n";
  (void)read("t.ttl", text);
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  options_.input.base = "http://base.example/dir/";
  options_.input.labels = {};
  (void)read("t.ttl", text + "<http://base.example/dir/a> <x:r> <x:c> .\n");
  EXPECT_EQ(facts(), (Lines{"a | r | b", "a | r | c"}));
}

TEST_F(RdfTest, EndsOnAnyBytes) {
  std::mt19937_64 random(7);
  for (const char* name : {"films.nt", "films.nq", "films.ttl", "films.trig", "films.rdf"}) {
    const std::string text = fixture(name);
    for (int round = 0; round < 60; ++round) {
      std::string changed = text;
      for (std::size_t n = 1 + random() % 4; n > 0; --n)
        changed[random() % changed.size()] = static_cast<char>(random());
      const IngestReport report = read(name, changed);
      EXPECT_LE(graph().num_edges(), 2 * only_file(report).statements);
    }
  }
}

}  // namespace
}  // namespace kgwalk::graph
