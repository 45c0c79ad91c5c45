#include "seq2seq/text/tokenizer.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "seq2seq/text/albert_tokenizer.h"
#include "seq2seq/text/spm_train.h"
#include "tests/seq2seq/text/test_files.h"

namespace kgwalk::seq2seq {
namespace {

using test::fixture;
using test::join;
using test::TempFolder;

TEST(LoadTokenizer, FindsTheKindByItsFiles) {
  const TempFolder folder;
  EXPECT_THROW((void)load_tokenizer(folder.path()), FormatError);
  std::filesystem::copy_file(fixture("unigram.model"), folder.path() / "spiece.model");
  EXPECT_NE(dynamic_cast<AlbertTokenizer*>(load_tokenizer(folder.path()).get()), nullptr);
  write_file_atomically(folder.path() / "vocab.txt", "[UNK]\n");
  EXPECT_THROW((void)load_tokenizer(folder.path()), FormatError);
  std::filesystem::remove(folder.path() / "spiece.model");
  EXPECT_EQ(load_tokenizer(folder.path())->size(), 1);
}

TEST(LoadTokenizer, ReadsTheConfigBesideTheVocabulary) {
  const TempFolder folder;
  std::filesystem::copy_file(fixture("unigram.model"), folder.path() / "spiece.model");
  const std::string before = load_tokenizer(folder.path())->checksum();
  write_file_atomically(folder.path() / "tokenizer_config.json", R"({"do_lower_case": false, "other": [1]})");
  EXPECT_NE(load_tokenizer(folder.path())->checksum(), before);
  write_file_atomically(folder.path() / "tokenizer_config.json", R"({"do_lower_case": "no"})");
  EXPECT_THROW((void)load_tokenizer(folder.path()), FormatError);
  write_file_atomically(folder.path() / "tokenizer_config.json", "[");
  EXPECT_THROW((void)load_tokenizer(folder.path()), FormatError);
}

TEST(AlbertTokenizer, CleansText) {
  const AlbertTokenizer model(SentencePiece::load(fixture("unigram.model")));
  EXPECT_EQ(model.clean("  ``Caf\u00e9''\u00a0\t M\u00fcller \u2163 "), "\"cafe\" muller iv");
  const AlbertTokenizer kept(SentencePiece::load(fixture("unigram.model")),
                             {.lower_case = false, .keep_accents = true});
  EXPECT_EQ(kept.clean(" Caf\u00e9  M\u00fcller"), "Caf\u00e9 M\u00fcller");
}

// A vocabulary whose best piece for "1995," holds the comma.
TEST(AlbertTokenizer, CutsTheCommaOffNumbers) {
  if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed (package sentencepiece)";
  const TempFolder folder;
  std::vector<std::string> lines;
  for (int i = 0; i < 200; ++i)
    lines.push_back("made in 1995, sold in 1995, and seen in 1995, again x" + std::to_string(i));
  VocabularyOptions options;
  options.size = 60;
  options.algorithm = "bpe";
  const AlbertTokenizer model(train_sentencepiece(lines, options, folder.path()));
  const SentencePiece plain = SentencePiece::load(folder.path() / "vocabulary.model");
  ASSERT_EQ(join(plain.encode("in 1995, again").pieces), "\u2581in \u25811995, \u2581again");
  const Encoding cut = model.encode("in 1995, again");
  EXPECT_EQ(join(cut.pieces), "\u2581in " + join(plain.encode("1995").pieces) + " , \u2581again");
  for (std::size_t i = 0; i < cut.ids.size(); ++i) EXPECT_EQ(plain.id_of(cut.pieces[i]), cut.ids[i]);
}

TEST(TrainSentencePiece, SameTextGivesTheSameBytesAndTheAskedSpecialIds) {
  if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed (package sentencepiece)";
  const auto lines = test::lines_of(fixture("sentences.txt"));
  VocabularyOptions options;
  options.size = 120;
  options.control = {"[CLS]", "[SEP]", "[MASK]", "[usr1]", "[usr2]"};
  const TempFolder first, second;
  const SentencePiece a = train_sentencepiece(lines, options, first.path());
  const SentencePiece b = train_sentencepiece(lines, options, second.path());
  ASSERT_EQ(a.size(), b.size());
  for (int id = 0; id < a.size(); ++id) {
    EXPECT_EQ(a.piece(id), b.piece(id));
    EXPECT_EQ(a.score(id), b.score(id));
  }
  EXPECT_EQ(a.find("[CLS]"), 2);
  EXPECT_EQ(a.find("[usr2]"), 6);
  EXPECT_TRUE(a.is_control(6));
}

TEST(TrainSentencePiece, ARefusalSaysWhatTheProgramSaid) {
  if (!spm_train_available()) GTEST_SKIP() << "spm_train is not installed (package sentencepiece)";
  const TempFolder folder;
  try {
    VocabularyOptions options;
    options.size = 3;  // fewer than the letters of the line
    (void)train_sentencepiece(std::vector<std::string>{"one line alone"}, options, folder.path());
    FAIL() << "a vocabulary must hold every letter of its text";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("spm_train failed"), std::string::npos) << error.what();
  }
}

TEST(TrainSentencePiece, ABlankTextIsRefusedBeforeTheProgramRuns) {
  const TempFolder folder;
  EXPECT_THROW((void)train_sentencepiece(std::vector<std::string>{"", " "}, {}, folder.path()), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
