// Dialogues as text and as pieces.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "seq2seq/tasks/summary/coder.h"
#include "seq2seq/tasks/summary/dialogue.h"
#include "seq2seq/tasks/summary/summarizer.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::seq2seq {
namespace {

TEST(Dialogue, TurnsAreLinesAndNamesAreNumberedAsTheySpeak) {
  const Dialogue d = parse_dialogue("Ann: Hi: you\r\nBob :  hey\n\nand more\nAnn: \nAnn: bye\n");
  EXPECT_EQ(d.speakers, (std::vector<std::string>{"Ann", "Bob"}));
  ASSERT_EQ(d.turns.size(), 3u);
  EXPECT_EQ(d.turns[0].text, "Hi: you");
  EXPECT_EQ(d.turns[1].speaker, 2);
  EXPECT_EQ(d.turns[1].text, "hey and more") << "a line without a name goes on";
  EXPECT_EQ(d.turns[2].speaker, 1);
  const Dialogue nobody = parse_dialogue("no names here");
  EXPECT_EQ(nobody.turns.at(0).speaker, 0);
  EXPECT_TRUE(parse_dialogue(" \n").turns.empty());
  EXPECT_EQ(parse_dialogue(std::string(41, 'x') + ": y").turns.at(0).speaker, 0) << "too long for a name";
}

std::string shown(std::string_view text, const std::vector<std::string>& speakers) {
  std::string all;
  for (const TextPart& part : parts_of(text, speakers)) {
    if (part.speaker > 0)
      all.append("[").append(std::to_string(part.speaker)).append("]");
    else
      all += part.text;
  }
  return all;
}

TEST(Dialogue, MentionsAreWholeWordsAsTheNameIsWritten) {
  const std::vector<std::string> speakers{"Will", "kate", "Will Fox", "Zoë"};
  EXPECT_EQ(shown("Will's will: Willy, Will", speakers), "[1]'s will: Willy, [1]");
  EXPECT_EQ(shown("Kate and kate, not KATE", speakers), "[2] and [2], not KATE");
  EXPECT_EQ(shown("Will Fox met Will Foxy.", speakers), "[3] met [1] Foxy.");
  EXPECT_EQ(shown("xZoë Zoë Zoëx ÄZoë", speakers), "xZoë [4] Zoëx ÄZoë");
  EXPECT_EQ(shown("\xFFWill", {"Will"}), "\xFF[1]") << "a broken byte is no word";
  EXPECT_EQ(shown("", speakers), "");
}

TEST(Dialogue, RulesForComparison) {
  const Dialogue d = parse_dialogue("A: one\nB: one two three\nA: one two\nB: x\nA: one two");
  EXPECT_EQ(lead_summary(d, LeadRule::kFirst, 2), "A: one B: one two three");
  EXPECT_EQ(lead_summary(d, LeadRule::kLongest, 2), "B: one two three A: one two");
  EXPECT_EQ(lead_summary({}, LeadRule::kFirst, 3), "");
}

class SummaryFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("kgwalk_summary_text_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::vector<SummaryExample> read(const std::string& bytes) {
    write_file_atomically(folder_ / "x.json", bytes);
    return read_summary_examples(folder_ / "x.json");
  }
  // What is said of a broken file.
  template <class E>
  std::string refusal(const std::string& bytes) {
    try {
      (void)read(bytes);
    } catch (const E& error) {
      return error.what();
    }
    return "nothing was thrown";
  }
  std::filesystem::path folder_;
};

TEST_F(SummaryFiles, AreReadOrRefusedWithFileAndLine) {
  const auto good = read(
      "[{\"dialogue\": \"A: {\\\"[\", \"summary\": \"s\", \"more\": [{}]},\n {\"id\": \"7\", "
      "\"summary\": \"t\", \"dialogue\": \"\"}]");
  ASSERT_EQ(good.size(), 2u);
  EXPECT_EQ(good[0].dialogue, "A: {\"[");
  EXPECT_EQ(good[1].id, "7");
  EXPECT_TRUE(read("[]").empty());
  EXPECT_NE(refusal<FormatError>("[{\"dialogue\": \"A\",\n \"summary\" \"x\"}]").find("x.json:2"),
            std::string::npos);
  EXPECT_NE(refusal<FormatError>("[\n{\"dialogue\": \"\xFF\", \"summary\": \"\"}]").find("x.json:2"),
            std::string::npos);
  const std::string missing =
      refusal<DataError>("[{\"dialogue\": \"A: [\\n\", \"summary\": \"\"},\n\n{\"dialogue\": \"A\"}]");
  EXPECT_NE(missing.find("x.json:3"), std::string::npos) << missing;
  EXPECT_NE(missing.find("\"summary\""), std::string::npos) << missing;
  EXPECT_NE(refusal<DataError>("[{\"dialogue\": 3, \"summary\": \"x\"}]").find("x.json:1"),
            std::string::npos);
  EXPECT_NE(refusal<DataError>("{}").find("no json array"), std::string::npos);
}

TEST(SummaryLines, AreObjectsWithADialogue) {
  EXPECT_EQ(dialogue_of_line(R"({"dialogue": "A: x\nB: y", "z": 1})", "in", 1), "A: x\nB: y");
  for (const char* bad :
       {"", "A: x", "[]", "{\"dialogue\": 1}", "{\"dialog\": \"x\"}", "{\"dialogue\": \"\xFF\"}"})
    EXPECT_THROW((void)dialogue_of_line(bad, "in", 3), DataError) << bad;
}

class DialogueCoding : public SummaryFiles {
 protected:
  void SetUp() override {
    if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed";
    SummaryFiles::SetUp();
    std::vector<std::string> lines;
    for (int i = 0; i < 40; ++i)
      lines.insert(lines.end(), {"hello how are you", "'s dog is here.", "see you there!"});
    options_.size = 60;
    pieces_ = std::make_unique<SentencePiece>(train_pieces(
        [&](const auto& add) {
          for (const std::string& line : lines) add(line);
        },
        options_, folder_ / "scratch", DialogueCoder::control_pieces(2)));
  }
  PieceOptions options_;
  std::unique_ptr<SentencePiece> pieces_;
};

TEST_F(DialogueCoding, NamesArePiecesAndCopiesSayThem) {
  const DialogueCoder coder(*pieces_, options_, 2);
  const Dialogue dialogue = parse_dialogue("Ann: Hello Bob\nBob: ☃ see ☃\nCid: you");
  const DialoguePieces p = coder.encode(dialogue, 100);
  ASSERT_EQ(p.ids.size(), p.copies.size());
  ASSERT_EQ(p.ids.size(), p.speakers.size());
  const auto id = [&](const char* piece) { return *pieces_->find(piece); };
  EXPECT_EQ(p.ids.front(), id("<turn1>"));
  EXPECT_EQ(p.copies.front(), id("<name1>"));
  EXPECT_EQ(p.speakers.front(), 1);
  EXPECT_EQ(std::count(p.ids.begin(), p.ids.end(), id("<name2>")), 1) << "Bob is named once";
  EXPECT_EQ(std::count(p.copies.begin(), p.copies.end(), id("<name2>")), 2) << "and speaks once";
  EXPECT_EQ(std::count(p.ids.begin(), p.ids.end(), id("<turn0>")), 1) << "the third speaker has no number";
  ASSERT_EQ(std::count(p.unknown.begin(), p.unknown.end(), "☃"), 1) << "the same surface twice";
  const int snowman = pieces_->size() + static_cast<int>(std::find(p.unknown.begin(), p.unknown.end(), "☃") -
                                                         p.unknown.begin());
  EXPECT_EQ(std::count(p.copies.begin(), p.copies.end(), snowman), 2);
  EXPECT_EQ(p.ids.back(), id("</s>"));
  EXPECT_EQ(p.copies.back(), -1);

  const std::vector<int> target = coder.encode_summary("Ann's ☃ is here. Cid, see Bob!", dialogue, p);
  EXPECT_EQ(target.front(), id("<name1>"));
  EXPECT_EQ(target.back(), id("</s>"));
  EXPECT_EQ(std::count(target.begin(), target.end(), snowman), 1) << "☃ is said by copying";
  const std::vector<int> said(target.begin(), target.end() - 1);
  EXPECT_EQ(coder.decode(said, dialogue, p).substr(0, 5), "Ann's");
  const std::string text = coder.decode(said, dialogue, p);
  EXPECT_NE(text.find("☃"), std::string::npos) << text;
  EXPECT_NE(text.find(" Bob!"), std::string::npos) << text;
  const std::vector<int> elsewhere = coder.encode_summary("⚑", dialogue, p);
  EXPECT_EQ(std::count(elsewhere.begin(), elsewhere.end(), pieces_->special().unk), 1)
      << "a surface that the dialogue does not hold";
}

TEST_F(DialogueCoding, LongDialoguesAreCutAndWhatIsCutIsNotCopied) {
  const DialogueCoder coder(*pieces_, options_, 2);
  const Dialogue dialogue = parse_dialogue("Ann: hello hello hello hello\nBob: ☃");
  const DialoguePieces whole = coder.encode(dialogue, 100), part = coder.encode(dialogue, 4);
  EXPECT_FALSE(whole.cut);
  EXPECT_TRUE(part.cut);
  ASSERT_EQ(part.ids.size(), 4u);
  EXPECT_EQ(part.ids.back(), *pieces_->find("</s>"));
  const auto said = [&](const DialoguePieces& source) { return coder.encode_summary("☃", dialogue, source); };
  const std::vector<int> of_whole = said(whole), of_part = said(part);
  EXPECT_EQ(std::count(of_whole.begin(), of_whole.end(), pieces_->special().unk), 0);
  EXPECT_EQ(std::count(of_part.begin(), of_part.end(), pieces_->special().unk), 1);
  EXPECT_TRUE(coder.encode(parse_dialogue(""), 10).empty());
  EXPECT_THROW(DialogueCoder(*pieces_, options_, 3), ConfigError) << "the vocabulary numbers two speakers";
}

TEST(SpeakerCoverage, IsTheLogarithmOfWhatEachSpeakerGot) {
  EXPECT_DOUBLE_EQ(speaker_coverage_penalty({1.0, 2.5}), 0);
  EXPECT_DOUBLE_EQ(speaker_coverage_penalty({0.5, 1.0}), std::log(0.5));
  EXPECT_DOUBLE_EQ(speaker_coverage_penalty({0, 0.01}), 2 * std::log(0.1));
  EXPECT_DOUBLE_EQ(speaker_coverage_penalty({}), 0);
}

}  // namespace
}  // namespace kgwalk::seq2seq
