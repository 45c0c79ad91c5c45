#include "walker/data/spelling.h"

#include <gtest/gtest.h>

#include "tests/walker/small_world.h"
#include "walker/data/word_pieces.h"

namespace kgwalk::walker {
namespace {

Spelling film_words() {
  Spelling spelling;
  spelling.learn("who is the spouse of", 100);
  spelling.learn("whose movie is it", 30);
  spelling.learn("which spout", 20);
  spelling.learn("seldom", 2);
  spelling.know("helmed");
  spelling.learn("helped", 100);
  return spelling;
}

TEST(Spelling, OneSlipIsMended) {
  const Spelling spelling = film_words();
  EXPECT_EQ(spelling.mended("spuose"), "spouse");   // swapped
  EXPECT_EQ(spelling.mended("spose"), "spouse");    // missing
  EXPECT_EQ(spelling.mended("spoouse"), "spouse");  // doubled
  EXPECT_EQ(spelling.mended("spouze"), "spouse");   // another
  EXPECT_EQ(spelling.mended("whih"), "which");
}

TEST(Spelling, WhatIsRightOrFarFromAllStays) {
  const Spelling spelling = film_words();
  EXPECT_EQ(spelling.mended("helmed"), "helmed");  // known, though another is near and more frequent
  EXPECT_EQ(spelling.mended("spuoes"), "spuoes");  // two slips
  EXPECT_EQ(spelling.mended("seldon"), "seldon");  // what is near is seldom used itself
  EXPECT_EQ(spelling.mended("it"), "it");
  EXPECT_EQ(spelling.mended("1984"), "1984");
  EXPECT_EQ(spelling.mended(""), "");
}

TEST(Spelling, TheMostFrequentOfSeveralIsMeant) {
  Spelling spelling;
  spelling.learn("cast", 30);
  spelling.learn("case", 40);
  EXPECT_EQ(spelling.mended("casr"), "case");
  spelling.learn("casa", 40);  // as often: by its letters
  EXPECT_EQ(spelling.mended("casr"), "casa");
}

// The mark of an owner is the last word's, whose last letter may have several bytes.
TEST(Spelling, AnOwnerMayBeWrittenInAnyLetters) {
  const auto graph = testing::film_graph();
  const dialogue::NameIndex names(*graph);
  const WordPieces pieces(names, 1024, std::make_shared<Spelling>());
  const auto plain = [&](const char* text) {
    return pieces.plain(std::vector<graph::Chat>{{graph::Speaker::kUser, text}}, "Heat");
  };
  EXPECT_EQ(plain("Who is Bacchus/\xce\x92\xce\xac\xce\xba\xcf\x87\xce\xbf\xcf\x82's father?"),
            plain("Who is Bacchus \xce\x92\xce\xac\xce\xba\xcf\x87\xce\xbf\xcf\x82 father?"));
}

// Names are never mended, whatever they are near to.
TEST(Spelling, NamesStayNames) {
  const auto graph = testing::film_graph();
  const dialogue::NameIndex names(*graph);
  auto spelling = std::make_shared<Spelling>();
  spelling->learn("who directed hear", 50);
  const WordPieces pieces(names, 1024, spelling);
  const std::vector<graph::Chat> chats{{graph::Speaker::kUser, "Who dircted heat?"}};
  EXPECT_EQ(pieces.plain(chats, "Heat"), "who directed it?");
  const std::vector<graph::Chat> right{{graph::Speaker::kUser, "Who directed heat?"}};
  EXPECT_EQ(pieces.heard(chats, "Heat", 2, 40).rows, pieces.heard(right, "Heat", 2, 40).rows);
}

}  // namespace
}  // namespace kgwalk::walker
