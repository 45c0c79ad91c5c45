// Units: text to ids and back, their file, and unknown ones.
#include "seq2seq/tasks/recognition/units.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "kgwalk/error.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::seq2seq {
namespace {

const std::vector<std::string> kTexts{"one two  TWO", "three grün"};

SpeechUnits made(const std::string& kind, int min_count = 1) {
  UnitOptions options;
  options.kind = kind;
  options.min_count = min_count;
  return SpeechUnits::make(kTexts, options, "");
}

TEST(Units, TextComesBackLowerCasedWithSingleSpaces) {
  for (const char* kind : {"characters", "words"}) {
    const SpeechUnits units = made(kind);
    EXPECT_EQ(units.decode(units.encode("  Two ONE grün ")), "two one grün") << kind;
    EXPECT_EQ(units.encode("").size(), 0u);
    const SpeechUnits again = SpeechUnits::parse(units.bytes(), {.kind = kind}, "test");
    EXPECT_EQ(again.bytes(), units.bytes());
    EXPECT_EQ(again.encode("two grün"), units.encode("two grün"));
  }
}

TEST(Units, SpecialOnesComeFirstAndUnknownOnesAreTold) {
  const SpeechUnits words = made("words");
  EXPECT_EQ(words.unit(0), "<blank>");
  EXPECT_EQ(words.unit(kEndUnit), "</s>");
  EXPECT_EQ(words.size(), 8);
  EXPECT_EQ(words.unit(4), "two") << "the commonest word first";
  EXPECT_EQ(words.encode("one seven"), (std::vector<int>{words.id_of("one"), kUnknownUnit}));
  EXPECT_EQ(words.decode(std::vector<int>{words.id_of("one"), kUnknownUnit}), "one \uFFFD");
  EXPECT_EQ(made("words", 2).size(), 5) << "words that come once are unknown";
}

TEST(Units, WordsBeginAfterSpaces) {
  const SpeechUnits units = made("characters");
  const std::vector<int> ids = units.encode("on tw");
  ASSERT_EQ(ids.size(), 5u);
  std::vector<bool> begins;
  for (std::size_t i = 0; i < ids.size(); ++i) begins.push_back(units.begins_word(ids, i));
  EXPECT_EQ(begins, (std::vector<bool>{true, false, false, true, false}));
}

TEST(Units, BrokenFilesAreRefused) {
  EXPECT_THROW((void)SpeechUnits::parse("a\nb\n", {}, "test"), FormatError);
  EXPECT_THROW((void)SpeechUnits::parse("<blank>\n<unk>\n<s>\n</s>\na\na\n", {}, "test"), FormatError);
  EXPECT_THROW((void)SpeechUnits::make(std::vector<std::string>{" "}, {}, ""), ConfigError);
}

TEST(Units, PiecesComeFromSpmTrain) {
  if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed";
  UnitOptions options;
  options.kind = "pieces";
  options.size = 20;
  const auto scratch =
      std::filesystem::temp_directory_path() / ("kgwalk_units_" + std::to_string(::getpid()));
  const std::vector<std::string> texts(20, "one two three one two four five");
  const SpeechUnits units = SpeechUnits::make(texts, options, scratch);
  EXPECT_EQ(units.decode(units.encode("two FIVE one")), "two five one");
  EXPECT_EQ(units.id_of("</s>"), kEndUnit);
  EXPECT_EQ(units.file_name(), "sentencepiece.model");
  EXPECT_FALSE(std::filesystem::exists(scratch));
}

}  // namespace
}  // namespace kgwalk::seq2seq
