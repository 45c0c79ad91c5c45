#include "seq2seq/text/wordpiece.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "tests/seq2seq/text/test_files.h"

namespace kgwalk::seq2seq {
namespace {

using test::join;

std::vector<std::string> vocabulary() {
  return {"[PAD]", "[UNK]",  "[CLS]",  "[SEP]", "[MASK]", "un",  "##aff", "##able",
          "##a",   "aff",    "walk",   "##ing", "##s",    "caf", "##e",   ",",
          "!",     "\u4f60", "\u597d", "1",     "##9",    "[",   "]",     "cls"};
}

TEST(WordPiece, TakesTheLongestPieceFromTheLeft) {
  const WordPiece model(vocabulary());
  EXPECT_EQ(join(model.encode("unaffable walking").pieces), "un ##aff ##able walk ##ing");
  EXPECT_EQ(join(model.encode("una walks").pieces), "un ##a walk ##s");
  EXPECT_EQ(join(model.encode("1999").pieces), "1 ##9 ##9 ##9");
}

TEST(WordPiece, AWordWithAnUnknownRestIsUnknownAsAWhole) {
  const WordPiece model(vocabulary());
  EXPECT_EQ(join(model.encode("walkings walkx x").pieces), "walk ##ing ##s [UNK] [UNK]");
  EXPECT_EQ(join(model.encode(std::string(101, 'a')).pieces), "[UNK]");
}

TEST(WordPiece, CleansLowersStripsAccentsAndSplitsPunctuation) {
  const WordPiece model(vocabulary());
  EXPECT_EQ(join(model.words("Caf\u00e9,walk!\u00a0\u4f60\u597d a")), "cafe , walk ! \u4f60 \u597d a");
  EXPECT_EQ(join(model.words(std::string("a\0\u200bb\tc \u00bfqu\u00e9?", 16))), "ab c \u00bf que ?");
  EXPECT_EQ(join(model.encode("CAFE\u0301, \u4f60\u597d!").pieces), "caf ##e , \u4f60 \u597d !");
}

TEST(WordPiece, CasedVocabulariesKeepCaseAndAccents) {
  const WordPiece model({"[UNK]", "\u00c9a"}, {.lower_case = false, .strip_accents = false});
  EXPECT_EQ(join(model.words("\u00c9a X")), "\u00c9a X");
  EXPECT_EQ(join(model.encode("\u00c9a \u00e9a").pieces), "\u00c9a [UNK]");
}

TEST(WordPiece, SpecialPiecesInTextAreOrdinaryText) {
  const WordPiece model(vocabulary());
  EXPECT_EQ(join(model.encode("[CLS]").pieces), "[ cls ]");
}

TEST(WordPiece, DecodesWordsAndDropsSpecialPieces) {
  const WordPiece model(vocabulary());
  Encoding encoding = model.encode("unaffable, walks");
  encoding.ids.insert(encoding.ids.begin(), model.special().cls);
  EXPECT_EQ(model.decode(encoding.ids), "unaffable , walks");
  EXPECT_THROW((void)model.decode(std::vector<int>{24}), ConfigError);
}

TEST(WordPiece, BadVocabulariesAreRefused) {
  EXPECT_THROW(WordPiece({"a", "b"}), FormatError);
  EXPECT_THROW(WordPiece({"[UNK]", "a", "a"}), FormatError);
  EXPECT_THROW(WordPiece({"[UNK]", ""}), FormatError);
  EXPECT_THROW(WordPiece({"[UNK]", "\xff"}), FormatError);
}

TEST(WordPiece, SavesAndLoads) {
  const test::TempFolder folder;
  const WordPiece model(vocabulary(), {.lower_case = false, .strip_accents = false});
  model.save(folder.path());
  const WordPiece again = WordPiece::load(folder.path());
  EXPECT_EQ(again.checksum(), model.checksum());
  EXPECT_EQ(again.size(), model.size());
  EXPECT_NE(WordPiece(vocabulary()).checksum(), model.checksum());
}

}  // namespace
}  // namespace kgwalk::seq2seq
