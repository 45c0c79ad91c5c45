#include "graph/ingest/dialogue_reader.h"

#include "graph/store/dialogue_codec.h"
#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

class DialogueTest : public ::testing::Test {
 protected:
  DialogueTest()
      : graph_(KnowledgeGraph::from_triples(std::vector<NamedTriple>{
            {"Iron Man", "directed_by", "Jon Favreau"}, {"Elf", "directed_by", "Jon Favreau"}})) {}

  // Reads a csv whose only row has this list of messages.
  std::vector<Dialogue> read_messages(const std::string& json) {
    std::string quoted;
    for (const char c : json) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return read("Messages,User Rating,Assistant Rating\n\"" + quoted + "\",{},{}\n");
  }
  std::vector<Dialogue> read(const std::string& csv, bool strict = false) {
    ProblemLog log("d.csv", strict, 20, silent_reporter());
    std::vector<Dialogue> dialogues;
    counts_ = read_dialogues(csv, 1 << 20, graph_, log, dialogues);
    problems_ = log.reported();
    skipped_ = log.skipped_by_reason();
    return dialogues;
  }
  static std::string path(const std::string& hops) {
    return R"({"type":"action","action_id":"kgwalk/choose_path","sender":"assistant","metadata":{"path":[0.5,)" +
           hops + R"(,"text"]}})";
  }

  KnowledgeGraph graph_;
  DialogueCounts counts_;
  std::vector<std::string> problems_;
  std::map<Reason, std::uint64_t> skipped_;
};

TEST_F(DialogueTest, ReadsChatsPathsAndDropsSideTalk) {
  const auto dialogues = read_messages(
      R"([{"type":"chat","sender":"user","message":"Say \"hi\"\nto Elf"},)"
      R"({"type":"action","action_id":"meta_thread/send_meta_message","sender":"user","metadata":{"text":"x"}},)" +
      path(R"([["ELF","Directed_By","jon favreau"],["Jon Favreau","~directed_by","Iron Man"]])") + "]");
  EXPECT_TRUE(problems_.empty());
  ASSERT_EQ(dialogues.size(), 1u);
  EXPECT_EQ(dialogues[0].line, 2u);
  ASSERT_EQ(dialogues[0].events.size(), 2u);
  const Chat& chat = std::get<Chat>(dialogues[0].events[0]);
  EXPECT_EQ(chat.speaker, Speaker::kUser);
  EXPECT_EQ(chat.text, "Say \"hi\"\nto Elf");
  const WalkedPath& walked = std::get<WalkedPath>(dialogues[0].events[1]);
  EXPECT_EQ(walked.speaker, Speaker::kAssistant);
  EXPECT_EQ(walked.hops, (std::vector<Triple>{{2, 0, 1}, {1, 1, 0}}));
  EXPECT_EQ(counts_.to_json(), (Json{{"dialogues", 1},
                                     {"messages", 1},
                                     {"paths", 1},
                                     {"one_hop_paths", 0},
                                     {"two_hop_paths", 1},
                                     {"longer_paths", 0},
                                     {"hops", 2},
                                     {"annotation_only_paths", 0},
                                     {"side_talk", 1},
                                     {"duplicate_rows", 0}}));
}

TEST_F(DialogueTest, SkipsPathsThatAreUnknownBrokenOrShapeless) {
  const auto dialogues =
      read_messages("[" + path(R"([["Elf","directed_by","Iron Man"]])") + "," +
                    path(R"([["Elf","directed_by","Jon Favreau"],["Elf","directed_by","Jon Favreau"]])") +
                    "," + path("[]") + "," + path(R"([["Elf","directed_by"]])") + "," + path(R"("Elf")") +
                    "," + path(R"([["Elf","made_by","Jon Favreau"]])") +
                    R"(,{"type":"chat","sender":"user","message":"still here"}])");
  ASSERT_EQ(dialogues.size(), 1u);
  EXPECT_EQ(dialogues[0].events.size(), 1u);
  const std::string shape = "metadata.path is not [score, [[head, relation, tail], ...], text]";
  EXPECT_EQ(
      problems_,
      (std::vector<std::string>{
          "d.csv:2: message 1: the path's triple 'Elf', 'directed_by', 'Iron Man' is not in the graph",
          "d.csv:2: message 2: the path does not chain: a hop ends at 'Jon Favreau', the next starts at "
          "'Elf'",
          "d.csv:2: message 3: " + shape, "d.csv:2: message 4: " + shape, "d.csv:2: message 5: " + shape,
          "d.csv:2: message 6: the path's triple 'Elf', 'made_by', 'Jon Favreau' is not in the graph"}));
  EXPECT_EQ(skipped_, (std::map<Reason, std::uint64_t>{
                          {Reason::kPathShape, 3}, {Reason::kUnknownTriple, 2}, {Reason::kBrokenChain, 1}}));
}

TEST_F(DialogueTest, SkipsMessagesOfUnknownKinds) {
  const auto dialogues = read_messages(
      R"([1,{"type":"chat","sender":"robot","message":"x"},{"type":"chat","sender":"user"},)"
      R"({"type":"action","action_id":"fly","sender":"user"},{"type":"song","sender":"user"}])");
  ASSERT_EQ(dialogues.size(), 1u);
  EXPECT_TRUE(dialogues[0].events.empty());
  EXPECT_EQ(problems_,
            (std::vector<std::string>{"d.csv:2: message 1: not a json object",
                                      "d.csv:2: message 2: needs \"type\" and \"sender\" (user or assistant)",
                                      "d.csv:2: message 3: a chat without \"message\"",
                                      "d.csv:2: message 4: type 'action' with action 'fly' is not known",
                                      "d.csv:2: message 5: type 'song' is not known"}));
}

TEST_F(DialogueTest, SkipsRowsThatCannotBeRead) {
  const std::string good = "\"[]\",{},{}\n";
  const auto dialogues =
      read("Messages,User Rating,Assistant Rating\n" + good + "\"[\",{},{}\n" + "{},{},{}\n" + "\"[]\",{}\n" +
           "\"[]\"x,{},{}\n" + "\"[\xff]\",{},{}\n" + std::string("\"[\0]\",{},{}\n", 12) + good);
  EXPECT_EQ(dialogues.size(), 2u);
  EXPECT_EQ(dialogues.back().line, 9u);
  EXPECT_EQ(problems_,
            (std::vector<std::string>{
                "d.csv:3: column Messages is not a json list", "d.csv:4: column Messages is not a json list",
                "d.csv:5: 2 fields, the header has 3",
                "d.csv:6: text behind a closing quote; a quote inside a quoted field is written twice",
                "d.csv:7: not valid UTF-8", "d.csv:8: a NUL byte"}));
  EXPECT_EQ(counts_.duplicates, 1u);
}

TEST_F(DialogueTest, StopsAtTheFirstProblemWhenStrict) {
  try {
    (void)read("Messages\n\"[]\"\n\"[\"\n", true);
    FAIL();
  } catch (const DataError& e) {
    EXPECT_STREQ(e.what(), "d.csv:3: column Messages is not a json list");
    EXPECT_EQ(e.line(), 3u);
  }
}

TEST_F(DialogueTest, RefusesFilesThatAreNoDialogues) {
  EXPECT_THROW((void)read(""), DataError);
  EXPECT_TRUE(testing::contains(testing::message_of<DataError>([&] { (void)read("a,b\n1,2\n"); }),
                                "d.csv:1: the csv header has no column Messages"));
}

TEST_F(DialogueTest, AByteOrderMarkIsDropped) {
  EXPECT_EQ(read("\xef\xbb\xbfMessages\r\n\"[]\"\r\n").size(), 1u);
  EXPECT_EQ(problems_.size(), 1u);
}

TEST(DialogueCodec, GivesBackWhatWentIn) {
  Dialogue dialogue{300, {}};
  dialogue.events.emplace_back(Chat{Speaker::kAssistant, std::string("a\0b", 3)});
  dialogue.events.emplace_back(WalkedPath{Speaker::kUser, {{1, 2, 70000}, {70000, 3, 4}}});
  dialogue.events.emplace_back(Chat{Speaker::kUser, ""});
  const std::string bytes = encode_dialogue(dialogue);
  EXPECT_EQ(bytes, std::string("\xac\x02\x03"
                               "\x01\x03"
                               "a\0b"
                               "\x02\x02\x01\x02\xf0\xa2\x04\xf0\xa2\x04\x03\x04"
                               "\x00\x00",
                               22));
  const Dialogue read = decode_dialogue(bytes);
  EXPECT_EQ(read.line, 300u);
  ASSERT_EQ(read.events.size(), 3u);
  EXPECT_EQ(std::get<Chat>(read.events[0]).text, std::string("a\0b", 3));
  EXPECT_EQ(std::get<WalkedPath>(read.events[1]).hops, (std::vector<Triple>{{1, 2, 70000}, {70000, 3, 4}}));
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW((void)decode_dialogue(bytes.substr(0, n)), StoreError);
  EXPECT_THROW((void)decode_dialogue(bytes + "x"), StoreError);
  EXPECT_THROW((void)decode_dialogue("\x01\x01\x07"), StoreError);
}

TEST_F(DialogueTest, ReadsJsonLinesWithPathsAndWithTextAlone) {
  const auto dialogues = read(
      R"({"messages": [{"speaker": "user", "text": "Elf?"}, {"speaker": "assistant", "text": "By Favreau.",)"
      R"( "path": [["elf", "directed_by", "Jon Favreau"]], "weight": 0.5, "entities": ["Elf"]}]})"
      "\n\n"
      R"({"messages": [{"speaker": "user", "text": "Hello", "path": null}], "id": 3})"
      "\n");
  EXPECT_TRUE(problems_.empty()) << problems_[0];
  ASSERT_EQ(dialogues.size(), 2u);
  ASSERT_EQ(dialogues[0].events.size(), 3u);
  EXPECT_EQ(std::get<WalkedPath>(dialogues[0].events[1]).hops, (std::vector<Triple>{{2, 0, 1}}));
  EXPECT_EQ(std::get<WalkedPath>(dialogues[0].events[1]).speaker, Speaker::kAssistant);
  EXPECT_EQ(std::get<Chat>(dialogues[0].events[2]).text, "By Favreau.");
  EXPECT_EQ(dialogues[1].line, 3u);
  EXPECT_EQ(counts_.messages, 3u);
  EXPECT_EQ(counts_.paths, 1u);
}

TEST_F(DialogueTest, BadJsonLinesCostThemselvesAlone) {
  const auto dialogues = read(
      "{\"messages\": [{\"speaker\": \"robot\", \"text\": \"x\"}]}\n{\"messages\": 3}\nno json\n"
      R"({"messages": [{"speaker": "user", "text": "a", "path": [["Elf", "directed_by", "Nobody"]]}]})"
      "\n"
      R"({"messages": [{"speaker": "user", "text": "a", "path": 7}, 8, {"speaker": "user"}]})"
      "\n");
  ASSERT_EQ(dialogues.size(), 3u);
  EXPECT_EQ(skipped_[Reason::kJson], 2u);
  EXPECT_EQ(skipped_[Reason::kUnknownTriple], 1u);
  EXPECT_EQ(skipped_[Reason::kPathShape], 1u);
  EXPECT_EQ(skipped_[Reason::kMessage], 3u) << "a speaker that is none, no object, no text";
  EXPECT_EQ(std::get<Chat>(dialogues[1].events[0]).text, "a") << "the message of a bad path is used";
  EXPECT_THROW((void)read("{\"messages\": 3}\n", true), DataError);
}

}  // namespace
}  // namespace kgwalk::graph
