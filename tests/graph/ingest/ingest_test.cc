#include "kgwalk/ingest.h"

#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

using testing::contains;
using testing::message_of;
using testing::TempFolder;

class IngestTest : public ::testing::Test {
 protected:
  IngestTest() { options_.database = folder_ / "kg"; }

  IngestReport ingest_triples(std::string_view text) {
    options_.triples = {folder_.write("t.txt", text)};
    options_.replace = true;
    return ingest(options_);
  }
  // What is said about the file, without its folder.
  [[nodiscard]] std::vector<std::string> problems(const IngestReport& report) const {
    std::vector<std::string> list;
    for (const std::string& text : report.problems)
      list.push_back(text.substr(folder_.path().string().size() + 1));
    return list;
  }

  TempFolder folder_;
  IngestOptions options_;
};

using Problems = std::vector<std::string>;

TEST_F(IngestTest, ReportsEachKindOfBadLineWithFileAndLineAndSkipsIt) {
  options_.max_line_bytes = 100;
  std::string text = "a\tr\tb\n";         // 1
  text += "a\tr\n";                       // 2
  text += "a\tr\tb\tc\n";                 // 3
  text += "\n";                           // 4
  text += "\tr\tb\n";                     // 5
  text += "a\t \tb\n";                    // 6
  text += "a\tr\t\xe3\x80\x80\n";         // 7: only an ideographic space
  text += "a\t~\tb\n";                    // 8
  text += "a\tr\tb\xc3\n";                // 9
  text += "\xed\xa0\x80\tr\tb\n";         // 10: a surrogate
  text += std::string("a\0\tr\tb\n", 7);  // 11
  text += std::string(101, 'x') + "\n";   // 12
  text += "a\tr\tc\r\n";                  // 13
  text += "d\tr\tb";                      // 14
  const IngestReport report = ingest_triples(text);
  EXPECT_EQ(
      problems(report),
      (Problems{"t.txt:2: 2 fields instead of three; head, relation and tail are separated by tabs",
                "t.txt:3: 4 fields instead of three; head, relation and tail are separated by tabs",
                "t.txt:4: 1 field instead of three; head, relation and tail are separated by tabs",
                "t.txt:5: the head is empty", "t.txt:6: the relation is empty", "t.txt:7: the tail is empty",
                "t.txt:8: the relation is empty", "t.txt:9: the tail is not valid UTF-8 at its byte 2",
                "t.txt:10: the head is not valid UTF-8 at its byte 1", "t.txt:11: a NUL byte at column 2",
                "t.txt:12: the line has 101 bytes; at most 100 are taken",
                "t.txt:13: the line ends in CRLF; the carriage return is dropped, save the file with LF",
                "t.txt:14: the last line has no newline; it is read as a whole line"}));
  const Json json = report.to_json();
  const Json& file = json["files"][(folder_ / "t.txt").string()];
  EXPECT_EQ(file["lines"], 14);
  EXPECT_EQ(file["triples"], 3);
  EXPECT_EQ(file["skipped"], 11);
  EXPECT_EQ(
      file["skipped_by_reason"],
      (Json{{"field_count", 3}, {"invalid_utf8", 2}, {"nul_byte", 1}, {"empty_name", 4}, {"long_line", 1}}));
  EXPECT_EQ(file["repaired_by_reason"], (Json{{"crlf", 1}, {"no_final_newline", 1}}));
  // A skipped line leaves no name behind.
  EXPECT_EQ(report.entities, 4u);
  EXPECT_EQ(report.edges, 6u);
}

TEST_F(IngestTest, StopsAtEachKindOfBadLineWhenStrictAndLeavesNothing) {
  options_.strict = true;
  options_.max_line_bytes = 100;
  const std::vector<std::string> bad = {"a\tr\n",
                                        "a\tr\tb\tc\n",
                                        "\n",
                                        "\tr\tb\n",
                                        "a\tr\tb\xff\n",
                                        std::string("a\tr\t\0\n", 6),
                                        std::string(101, 'x') + "\n",
                                        "a\tr\tb\r\n"};
  for (const std::string& line : bad) {
    try {
      (void)ingest_triples("x\tr\ty\n" + line);
      ADD_FAILURE() << line;
    } catch (const DataError& e) {
      EXPECT_EQ(e.line(), 2u) << e.what();
      EXPECT_EQ(e.file(), (folder_ / "t.txt").string());
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "kg"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "kg.ingesting"));
  }
  EXPECT_THROW((void)ingest_triples("\xef\xbb\xbf"
                                    "a\tr\tb\n"),
               DataError);
  EXPECT_EQ(ingest_triples("a\tr\tb").edges, 2u);  // the official lists end without a newline
}

TEST_F(IngestTest, CountsDuplicatesInversesAndNames) {
  options_.entities = folder_.write("e.txt", "Zoo\na\nzoo\n\nB\n");
  options_.relations = folder_.write("r.txt", "unused\nR\n");
  options_.annotation_only = folder_.write("o.txt", "A\tR\tB\nq\tr\ta\n");
  const IngestReport report = ingest_triples("a\tr\tb\nA\tR\tB\nb\t~r\ta\na\tr\ta\n");
  EXPECT_EQ(problems(report),
            (Problems{"e.txt:4: the entity name is empty",
                      "o.txt:2: the triple is in no file of triples; only those can be marked"}));
  const Json c = report.to_json();
  EXPECT_EQ(c["triple_lines"], 4);
  EXPECT_EQ(c["duplicate_triples"], 1);
  EXPECT_EQ(c["added_inverses"], 1);
  EXPECT_EQ(c["edges"], 4);
  EXPECT_EQ(c["self_loops"], 2);
  EXPECT_EQ(c["entities"], 3);
  EXPECT_EQ(c["connected_entities"], 2);
  EXPECT_EQ(c["relations"], 4);
  EXPECT_EQ(c["relations_in_use"], 2);
  EXPECT_EQ(c["annotation_only"], 1);
  EXPECT_EQ(c["skipped"], 2);
  EXPECT_EQ(c["files"][(folder_ / "e.txt").string()]["duplicates"], 1);
  const KnowledgeGraph graph = Store::open(folder_ / "kg", Store::Mode::kReadOnly).load_graph();
  EXPECT_TRUE(graph.annotation_only({0, 0, 1}));
  EXPECT_EQ(graph.find_entity("q"), std::nullopt);
  EXPECT_EQ(graph.entity_name(2), "Zoo");
}

TEST_F(IngestTest, TakesAnEmptyNameWhenTheListAndATripleHaveIt) {
  options_.entities = folder_.write("e.txt", "a\n\nb\n");
  const IngestReport report = ingest_triples("a\tr\t\n\tr\tb\n");
  EXPECT_TRUE(problems(report).empty());
  EXPECT_EQ(report.connected_entities, 3u);
  const Store store = Store::open(folder_ / "kg", Store::Mode::kReadOnly);
  EXPECT_EQ(store.load_graph().find_entity(""), 1u);
  EXPECT_EQ(store.read_entity(""), 1u);
}

TEST_F(IngestTest, KeepsDialoguesUnderTheirSplits) {
  options_.dialogues = {{"train", folder_.write("a.csv", "Messages\n\"[]\"\n")},
                        {"dev", folder_.write("b.csv", "Messages\n")},
                        {"train", folder_.write("c.csv",
                                                "Messages\n\n\"[{\"\"type\"\":\"\"chat\"\",\"\"sender\"\":"
                                                "\"\"user\"\",\"\"message\"\":\"\"hi\"\"}]\"\n")}};
  const IngestReport report = ingest_triples("a\tr\tb\n");
  EXPECT_EQ(report.splits.at("train").dialogues, 2u);
  const Store store = Store::open(folder_ / "kg", Store::Mode::kReadOnly);
  EXPECT_EQ(store.splits(), (std::vector<std::string>{"dev", "train"}));
  EXPECT_TRUE(store.dialogues("dev").empty());
  const auto train = store.dialogues("train");
  ASSERT_EQ(train.size(), 2u);
  EXPECT_EQ(train[1].line, 3u);
  EXPECT_EQ(std::get<Chat>(train[1].events.at(0)).text, "hi");
  EXPECT_EQ(store.meta()["sources"].size(), 4u);
}

TEST_F(IngestTest, ReplacesOnlyWhenAskedAndOnlyItsOwn) {
  (void)ingest_triples("a\tr\tb\n");
  options_.replace = false;
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)ingest(options_); }), "exists already"));
  (void)ingest_triples("a\tr\tc\na\tr\td\n");
  {
    const Store store = Store::open(folder_ / "kg", Store::Mode::kReadOnly);
    EXPECT_EQ(store.load_graph().num_edges(), 4u);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg.ingesting"));
  std::filesystem::create_directory(folder_ / "mine");
  folder_.write("mine/letter.txt", "dear");
  options_.database = folder_ / "mine";
  EXPECT_TRUE(
      contains(message_of<StoreError>([&] { (void)ingest_triples("a\tr\tb\n"); }), "not a kgwalk database"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "mine" / "letter.txt"));
}

TEST_F(IngestTest, DoesNotReplaceADatabaseThatIsBeingWritten) {
  (void)ingest_triples("a\tr\tb\n");
  const Store writer = Store::open(folder_ / "kg", Store::Mode::kReadWrite);
  EXPECT_TRUE(contains(message_of<StoreError>([&] { (void)ingest_triples("a\tr\tc\n"); }),
                       "another process writes this database"));
}

TEST_F(IngestTest, GivesTheSameChecksumForTheSameInput) {
  (void)ingest_triples("a\tr\tb\nb\tr\tc\n");
  const std::string first = Store::open(folder_ / "kg", Store::Mode::kReadOnly).graph_checksum();
  (void)ingest_triples("a\tr\tb\nb\tr\tc\n");
  EXPECT_EQ(Store::open(folder_ / "kg", Store::Mode::kReadOnly).graph_checksum(), first);
}

TEST_F(IngestTest, StopsWhenAskedAndLeavesNothing) {
  StopFlag stop;
  stop.request();
  options_.triples = {folder_.write("t.txt", "a\tr\tb\n")};
  EXPECT_THROW((void)ingest(options_, silent_reporter(), stop), Stopped);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kg.ingesting"));
}

TEST_F(IngestTest, SaysWhatIsMissing) {
  options_.triples = {folder_ / "none.txt"};
  EXPECT_THROW((void)ingest(options_), IoError);
  options_.triples = {};
  EXPECT_THROW((void)ingest(options_), ConfigError);
  options_.triples = {folder_.write("t.txt", "a\tr\tb\n")};
  options_.dialogues = {{"", "x.csv"}};
  EXPECT_THROW((void)ingest(options_), ConfigError);
}

TEST_F(IngestTest, TakesAnEmptyFile) {
  const IngestReport report = ingest_triples("");
  EXPECT_EQ(report.edges, 0u);
  EXPECT_EQ(Store::open(folder_ / "kg", Store::Mode::kReadOnly).load_graph().num_entities(), 0u);
}

}  // namespace
}  // namespace kgwalk::graph
