// Files as people have them: slips, marks, packings and separators that nobody promised.
#include <zlib.h>

#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "tests/graph/ingest/format_fixture.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;

class SlipsTest : public testing::FormatTest {
 protected:
  // What is said of a file `name`, without the file: "LINE: why".
  Lines said(const std::string& name, const std::string& text) {
    Lines list;
    for (const std::string& problem : problems(read(name, text)))
      list.push_back(problem.substr(name.size() + 1));
    return list;
  }
  static std::string utf16(std::string_view text, bool big, bool mark) {
    std::string bytes = mark ? (big ? "\xfe\xff" : "\xff\xfe") : "";
    for (const char c : text) {
      if (big) bytes += '\0';
      bytes += c;
      if (!big) bytes += '\0';
    }
    return bytes;
  }
  static std::string packed(const std::string& text) {
    std::string out(compressBound(text.size()) + 64, '\0');
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }
};

TEST_F(SlipsTest, EscapesThatStandForNoLetterCostTheirLine) {
  const std::string text =
      "<x:a> <x:m> \"pair \\uD83D\\uDE00\" .\n<x:b> <x:m> \"lone \\uD83D\" .\n<x:c> <x:n> <x:make\\u0020me> "
      ".\n"
      "<x:d> <x:n> <x:a b> .\n<x:e> <x:m> \"big \\U00110000\" .\n<x:f> <x:m> \"bad \\q\" .\n"
      "<x:g> <x:n> <x:a> .\n<relative> <x:n> <x:a> .\n<x:h> <x:m> \"short \\u12\" .\n"
      "<x:i> <x:n> <x:\\u003Ca\\u003E> .\n<x:j> <x:m> \"\\u00e9\\U0001F600\" .\n";
  const Lines found = said("t.nt", text);
  EXPECT_EQ(facts(), (Lines{"g | n | a", "j | m | \xc3\xa9\xf0\x9f\x98\x80"}));
  ASSERT_EQ(found.size(), 9u);
  EXPECT_TRUE(contains(found[0], "1: \\uD83D is half of a surrogate pair")) << found[0];
  EXPECT_TRUE(contains(found[1], "2: \\uD83D is half of a surrogate pair")) << found[1];
  EXPECT_TRUE(contains(found[2], "3: \\u0020 is a character that no IRI may have")) << found[2];
  EXPECT_TRUE(found[3].starts_with("4: ")) << found[3];
  EXPECT_TRUE(contains(found[4], "5: \\U00110000 lies beyond the last letter")) << found[4];
  EXPECT_EQ(found[5], "6: '\\q' is no escape");
  EXPECT_TRUE(found[6].starts_with("8: ")) << found[6];
  EXPECT_TRUE(contains(found[7], "9: '\\u12")) << found[7];
  EXPECT_TRUE(contains(found[8], "10: \\u003C is a character that no IRI may have")) << found[8];
}

// Longer than what waits between the thread that parses and the one that takes.
TEST_F(SlipsTest, LongFilesAreToldInOrderAndStopWhereTheyMust) {
  constexpr int kLines = 60'000, kBad = 50'000;
  std::string text;
  for (int i = 1; i <= kLines; ++i)
    text += i == kBad ? "nonsense\n"
                      : "<x:a" + std::to_string(i) + "> <x:n> <x:b" + std::to_string(i % 7) + "> .\n";
  const IngestReport report = read("t.nt", text);
  ASSERT_EQ(problems(report).size(), 1u);
  EXPECT_TRUE(problems(report)[0].starts_with("t.nt:50000: "));
  EXPECT_EQ(report.triple_lines, static_cast<std::uint64_t>(kLines - 1));
  EXPECT_EQ(report.files[0].second.lines, static_cast<std::uint64_t>(kLines));
  EXPECT_EQ(graph().entity_name(0), "a1");
  options_.strict = true;
  EXPECT_TRUE(contains(message_of<DataError>([&] { read(); }), "t.nt:50000: "));
}

TEST_F(SlipsTest, EscapesOfTurtleCostTheirStatement) {
  const std::string text =
      "@prefix : <x:> .\n:a :m \"\\uDE00\" . :b :n :c .\n:d :m '''two\nlines \\q''' .\n:e :n <x:\\u0020> ;\n"
      "  :n :f .\n:g :n :h .\n:x\\.y :n :a\\(b\\) .\n";
  const Lines found = said("t.ttl", text);
  EXPECT_EQ(facts(), (Lines{"b | n | c", "g | n | h", "x.y | n | a(b)"}));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(found[0].starts_with("2: ") && found[1].starts_with("4: ") && found[2].starts_with("5: "));
}

TEST_F(SlipsTest, AQuoteTooManyIsRefusedAndNotRead) {
  const std::string good = "<x:c> <x:n> <x:d> .\n";
  for (const char* bad : {"<x:a> <x:m> \"\"\"the word is \"quoted\"\"\"\" .\n", "<x:a> <x:m> '''it''''' .\n",
                          "<x:a> <x:m> \"\"\"\n\"\"\"\"\"\" .\n", "<x:a> <x:m> \"\"\"\"\"\"\" .\n"}) {
    EXPECT_EQ(said("t.ttl", bad + good).size(), 1u) << bad;
    EXPECT_EQ(facts(), Lines{"c | n | d"}) << bad;
  }
  for (const char* fine : {"<x:a> <x:m> \"\"\"a \"b\" c\"\"\" .\n", "<x:a> <x:m> \"\"\"a \"\" c\"\"\" .\n",
                           "<x:a> <x:m> \"\"\"a \\\"\"\"\" .\n", "<x:a> <x:m> 'a', '''\"\"\"b''' .\n"}) {
    EXPECT_TRUE(said("t.ttl", fine + good).empty()) << fine;
    EXPECT_GE(facts().size(), 2u) << fine;
  }
}

TEST_F(SlipsTest, ASlipInTurtleCostsItsStatementAndNothingElse) {
  const std::string fact = "<x:z> <x:r> <x:y> .\n";
  for (const char* slip :
       {"<x:s> <x:r> .\n", "<x:s> <x:r> ; <x:r> <x:t> .\n", "<x:s> <x:r>\n", "<x:s> <x:r> \"never closed .\n",
        "<x:s> none:r <x:t> .\n", "<x:s> <x:r> ; [ <x:p> .\n", "nonsense !! here\n", "<x:s> ( <x:r> ] .\n",
        "<x:s> <x:r> \"\"\"never closed .\n", "} .\n"}) {
    const std::string text =
        fact + slip +
        "@prefix p: <x:p/> .\nPREFIX q: <x:q/>\nBASE <http://e/>\np:a <x:r> q:b .\n<c> <x:r> <d> .\n";
    const Lines found = said("t.ttl", text);
    EXPECT_EQ(facts(), (Lines{"a | r | b", "c | r | d", "z | r | y"})) << slip;
    ASSERT_FALSE(found.empty()) << slip;
    EXPECT_TRUE(found[0].starts_with("2: ") || found[0].starts_with("3: ")) << slip << found[0];
  }
}

TEST_F(SlipsTest, StatementsOnOneLineAreLostOneByOne) {
  EXPECT_EQ(
      said("t.ttl", "@prefix : <x:> . :a :r :b . :c :r . :d :r 1.5 . :e \"r\" :f . :g :r :h .\n").size(), 2u);
  EXPECT_EQ(facts(), (Lines{"a | r | b", "d | r | 1.5", "g | r | h"}));
}

TEST_F(SlipsTest, ASlipWithinAGraphOfTrigLeavesItsGraph) {
  const std::string text =
      "@prefix : <x:> .\n:one {\n  :a :r :b .\n  :a :r .\n  :c :r :d .\n}\nGRAPH :two { :e :r :f . :e :r ! . "
      ":g :r :h }\n"
      ":i :r :j .\n";
  options_.triples = {folder_.write("t.trig", text)};
  const IngestReport report = store();
  EXPECT_EQ(report.skipped, 2u) << report.problems.at(0);
  EXPECT_EQ(facts(), (Lines{"a | r | b", "c | r | d", "e | r | f", "g | r | h", "i | r | j"}));
  const auto source = [&](const char* head, const char* tail) {
    const auto edge = edge_number(
        graph(), {*graph().find_entity(head), *graph().find_relation("r"), *graph().find_entity(tail)});
    const auto sources = details(graph()).sources(edge.value());
    return sources.empty() ? std::string() : std::string(sources[0]);
  };
  EXPECT_EQ(source("c", "d"), "x:one");
  EXPECT_EQ(source("g", "h"), "x:two");
  EXPECT_EQ(source("i", "j"), "");
}

TEST_F(SlipsTest, WhatRdf12AddsIsNamedAndTheRestKept) {
  EXPECT_TRUE(said("t.ttl", "VERSION \"1.2\"\n@prefix : <x:> .\n:a :r :b .\n").empty());
  EXPECT_TRUE(said("t.ttl", "@version '1.2' . @prefix : <x:> . version '1.1' :a :r :b .\n").empty());
  EXPECT_TRUE(said("t.nt", "VERSION \"1.2\"\n<x:a> <x:r> <x:b> .\n").empty());
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  const Lines found =
      said("t.ttl",
           "PREFIX : <x:>\n<< :a :r :b >> :by :c .\n:a :r :d {| :since 1901 ;\n :by \"|\" |} .\n"
           ":e :r :f ~ :g .\n:h :r :i .\n");
  EXPECT_EQ(facts(), (Lines{"a | r | d", "h | r | i"}));
  ASSERT_EQ(found.size(), 3u);
  for (const std::string& problem : found) EXPECT_TRUE(contains(problem, "RDF 1.2")) << problem;
  EXPECT_EQ(said("t.nt",
                 "<x:a> <x:r> \"<<\" .\n<< <x:a> <x:r> <x:b> >> <x:r> <x:c> .\n<x:d> <x:r> <<( <x:a> <x:r> "
                 "<x:b> )>> .\n")
                .size(),
            2u);
  EXPECT_EQ(facts(), Lines{"a | r | <<"});
}

TEST_F(SlipsTest, SeparatorsAreGuessedAndTold) {
  const std::pair<const char*, const char*> tables[] = {
      {"head;relation;tail\na;r;b, c\n", "';'"},
      {"head\trelation\ttail\na\tr\tb, c\n", "tabs"},
      {"head|relation|tail\na|r|b, c\n", "'|'"},
      {"sep=;\nhead;relation;tail\na;r;b, c\n", "';'"},
      {"\xef\xbb\xbfsep=|\r\nhead|relation|tail\r\na|r|b, c\r\n", "'|'"},
      {"\"head;x\";relation;tail\na;r;b, c\n", "';'"}};
  for (const auto& [text, separator] : tables) {
    const bool quoted = text[0] == '"';
    if (quoted) options_.input.columns = {"head;x", "relation", "tail"};
    const IngestReport report = read("g.csv", text);
    EXPECT_EQ(facts(), Lines{"a | r | b, c"}) << text;
    ASSERT_EQ(report.notes.size(), 1u) << text;
    EXPECT_TRUE(contains(report.notes[0], separator)) << report.notes[0];
  }
  options_.input.columns = {};
  EXPECT_TRUE(read("g.csv", "head,relation,tail\na,r,b;c;d;e\n").notes.empty());
  EXPECT_EQ(problems(read("g.csv", "sep=;\nhead;relation;tail\na;r\n")),
            Lines{"g.csv:3: 2 fields, the header has 3"});
}

TEST_F(SlipsTest, Utf16IsNamedWithAndWithoutItsMark) {
  for (const bool big : {false, true})
    for (const bool mark : {false, true})
      for (const char* name : {"g.csv", "g.nt", "g.txt"}) {
        const std::string bytes = utf16("head,relation,tail\nMill,near,Weir\n", big, mark);
        EXPECT_TRUE(contains(message_of<DataError>([&] { (void)read(name, bytes); }), "is UTF-16")) << name;
      }
  EXPECT_EQ(read("g.txt", std::string("a\tr\tb\n\0\0\0\tr\tb\n", 14)).skipped, 1u)
      << "zeros alone are no UTF-16";
}

TEST_F(SlipsTest, GzipIsReadToItsEnd) {
  const std::string a = packed("<x:a> <x:r> <x:b> .\n"), b = packed("<x:c> <x:r> <x:d> .\n");
  const Lines both{"a | r | b", "c | r | d"};
  for (const std::string& bytes :
       {a + b, a + b + std::string(512, '\0'), a + packed("") + b + std::string(1, '\0')}) {
    EXPECT_EQ(read("t.nt.gz", bytes).skipped, 0u);
    EXPECT_EQ(facts(), both);
  }
  for (const std::string& bytes : {a + "rubbish", a + std::string(4, '\0') + "x", a.substr(0, a.size() - 3)})
    EXPECT_THROW((void)read("t.nt.gz", bytes), DataError);
}

TEST_F(SlipsTest, SpacesAndHeadersOfTsvAreNoPartOfNames) {
  (void)read(
      "g.tsv",
      "Mill \t stands in\t Harbour\nMill\tstands in\tHarbour\nmill\tstands in\tHARBOUR\nMill\tnear\tMill\n");
  EXPECT_EQ(facts(), (Lines{"Mill | near | Mill", "Mill | stands in | Harbour"}));
  for (const char* header : {"head\trelation\ttail\n", " Subject \t Predicate\tObject\n",
                             "\xef\xbb\xbfsource\tproperty\ttarget\r\n"})
    for (const char* name : {"g.tsv", "g.txt"}) {
      (void)read(name, header + std::string("a\tr\tb\n"));
      EXPECT_EQ(facts(), Lines{"a | r | b"}) << name << header;
    }
  (void)read("g.tsv", "tail\tid\thead\trelation\nb\t1\ta\tr\n");
  EXPECT_EQ(facts(), Lines{"a | r | b"});
  (void)read("g.tsv", "h\tr\tt\nhead\thas\ttail\n");
  EXPECT_EQ(facts().size(), 2u) << "letters and sentences are facts";
}

TEST_F(SlipsTest, Neo4jHasItsOwnSeparatorsAndQuotes) {
  options_.input.quote = '\'';
  options_.input.list_separator = '|';
  EXPECT_EQ(
      read("n.csv", ":ID;:LABEL;name;nick:string[]\n1;Person|Baker;'Anna; B';'x|y'\n2;Person;'It''s';\n")
          .skipped,
      0u);
  EXPECT_EQ(facts(), (Lines{"Anna; B | nick | x", "Anna; B | nick | y", "Anna; B | type | Baker",
                            "Anna; B | type | Person", "It's | type | Person"}));
}

TEST_F(SlipsTest, RelationshipsOfMissingNodesAreToldAndLeftOut) {
  const std::string nodes = ":ID,name\np1,Anna\np2,Bela\n";
  const std::string rels = ":START_ID,:END_ID,:TYPE\np1,p2,KNOWS\np1,p9,KNOWS\np8,p2,KNOWS\n";
  for (const bool nodes_first : {true, false}) {
    options_.triples = {folder_.write("nodes.csv", nodes), folder_.write("rels.csv", rels)};
    if (!nodes_first) std::swap(options_.triples[0], options_.triples[1]);
    const IngestReport report = store();
    EXPECT_EQ(facts(), Lines{"Anna | knows | Bela"});
    EXPECT_EQ(problems(report), (Lines{"rels.csv:3: no file has the node 'p9' of this relationship",
                                       "rels.csv:4: no file has the node 'p8' of this relationship"}));
    EXPECT_EQ(report.skipped, 2u);
    EXPECT_EQ(report.triple_lines, 1u);
    EXPECT_FALSE(graph().find_entity("p9"));
  }
  options_.strict = true;
  EXPECT_THROW((void)store(), DataError);
  options_.strict = false;
  (void)read("rels.csv", rels);
  EXPECT_EQ(facts().size(), 3u) << "where no nodes are given, ids are all there is";
}

TEST_F(SlipsTest, LongTextsAreDescriptionsAndKeptWhole) {
  const std::string text(5000, 'y'), plot = "It begins here " + std::string(70, 'z');
  (void)store("t.nt", "<x:a> <http://www.w3.org/2000/01/rdf-schema#comment> \"" + text +
                          "\" .\n<x:b> <x:plot> \"" + plot + "\" .\n<x:b> <x:note> \"" +
                          std::string(80, 'n') + "\" .\n<x:a> <x:r> <x:b> .\n");
  EXPECT_EQ(facts(), (Lines{"a | r | b", "b | note | " + std::string(80, 'n')}));
  const auto values = Values::load(Store::open(options_.database, Store::Mode::kReadOnly));
  EXPECT_EQ(values->description(*graph().find_entity("a")), text);
  EXPECT_EQ(values->description(*graph().find_entity("b")), plot);
  EXPECT_EQ(values->of(*graph().find_entity("b"), ValueRole::kDescription).at(0).name, "plot");
}

// Kept as it stands, and told: it is a text where values are asked for.
TEST_F(SlipsTest, ALiteralThatBreaksItsDatatypeIsTold) {
  const std::string text =
      "@prefix : <http://e.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
      ":a :born \"2001-02-31\"^^xsd:date ; :died \"-0043-03-13\"^^xsd:date ; :size \"1,5\"^^xsd:decimal ;\n"
      "   :heat \"INF\"^^xsd:double ; :code \"x\"^^:own .\n";
  const IngestReport report = read("a.ttl", text);
  EXPECT_EQ(facts().size(), 5u);
  EXPECT_EQ(report.notes,
            Lines{"'2001-02-31' is no date, one of 2 such literals: what breaks its datatype stays a text"});
}

}  // namespace
}  // namespace kgwalk::graph
