#include "dialogue/linking/mention_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dialogue/linking/everyday_words.h"
#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

graph::KnowledgeGraph listed(const std::vector<std::string>& names) {
  std::vector<graph::NamedTriple> triples;
  for (const std::string& name : names) triples.push_back({name, "listed in", "register"});
  return graph::KnowledgeGraph::from_triples(triples);
}

class Mentions : public ::testing::Test {
 protected:
  Mentions()
      : graph_(listed({"It",
                       "Us",
                       "Inside",
                       "The Guess Who",
                       "Gravity",
                       "Speed",
                       "W",
                       "12",
                       "1917",
                       "The Good, the Bad and the Ugly",
                       "Mr. Robot",
                       "Ant-Man",
                       "Wu-Tang Clan",
                       "R2-D2",
                       "TikTok",
                       "Beyoncé",
                       "Große Freiheit",
                       "O'Hara's Grill",
                       "Dungeons & Dragons",
                       "C++",
                       "C#",
                       ".NET",
                       "C",
                       "京都",
                       "京都駅",
                       "上海市",
                       "부산",
                       "Варшава",
                       "Lena K. Ostermann",
                       "Karl Ostermann",
                       "Ada Lindqvist",
                       "The Harvest",
                       "Alien: Resurrection",
                       "Inception",
                       "Yes",
                       "Thanks",
                       "Drama (Genre)"})),
        finder_(graph_) {}

  // What a text names, each by its first entity.
  std::string in(const std::string& text) const {
    std::string out;
    for (const Mention& mention : finder_.cover(text))
      out.append(out.empty() ? "" : ", ").append(graph_.entity_name(mention.entities.front().entity));
    return out;
  }

  graph::KnowledgeGraph graph_;
  MentionFinder finder_;
};

TEST_F(Mentions, EverydayWordsAreNamesOnlyWhereTheyAreWrittenAsSuch) {
  EXPECT_EQ(in("I saw it twice"), "");
  EXPECT_EQ(in("I saw It twice"), "It");
  EXPECT_EQ(in("thanks for telling us"), "");
  EXPECT_EQ(in("what happens with gravity at that speed inside"), "");
  EXPECT_EQ(in("we watched Gravity and Speed"), "Gravity, Speed");
  EXPECT_EQ(in("did you like \"us\"?"), "Us");
  EXPECT_EQ(in("yes"), "Yes") << "it is all that was said";
  EXPECT_EQ(in("yes, please"), "");
}

TEST_F(Mentions, LettersAndNumbersAreNamesToo) {
  EXPECT_EQ(in("who made W?"), "W");
  EXPECT_EQ(in("is 12 fun"), "12");
  EXPECT_EQ(in("have you seen 1917"), "1917");
}

TEST_F(Mentions, ALetterOfAnAbbreviationIsNoName) {
  EXPECT_EQ(in("who is in W.H.O. today"), "");
  EXPECT_EQ(in("made by J.C. Penney"), "");
  EXPECT_EQ(in("who made W."), "W");
}

TEST_F(Mentions, AreFoundWithoutAccentsMarksAndBlanksAndWithOthers) {
  EXPECT_EQ(in("the good the bad and the ugly is long"), "The Good, the Bad and the Ugly");
  EXPECT_EQ(in("antman or ant man"), "Ant-Man, Ant-Man");
  EXPECT_EQ(in("wutang clan rocks"), "Wu-Tang Clan");
  EXPECT_EQ(in("where is r2d2"), "R2-D2");
  EXPECT_EQ(in("videos on tik tok"), "TikTok");
  EXPECT_EQ(in("BEYONCE!"), "Beyoncé");
  EXPECT_EQ(in("grosse freiheit"), "Große Freiheit");
  EXPECT_EQ(in("meet at O’Hara’s Grill"), "O'Hara's Grill");
  EXPECT_EQ(in("playing dungeons & dragons"), "Dungeons & Dragons");
  EXPECT_EQ(in("playing Dungeons and Dragons"), "Dungeons & Dragons");
  EXPECT_EQ(in("is .net dead"), ".NET");
  EXPECT_EQ(in("Ada Lindqvist's book"), "Ada Lindqvist");
  EXPECT_EQ(in("a Drama, please"), "Drama (Genre)");
}

TEST_F(Mentions, MarksBehindALetterTellLanguagesApart) {
  EXPECT_EQ(in("is c++ older than c#?"), "C++, C#");
  EXPECT_EQ(in("rewrite C in C#."), "C, C#");
}

TEST_F(Mentions, PartsStandForTheWholeName) {
  EXPECT_EQ(in("who is Lena Ostermann"), "Lena K. Ostermann");
  EXPECT_EQ(in("ask Lindqvist"), "Ada Lindqvist");
  EXPECT_EQ(in("I saw Harvest"), "The Harvest");
  const std::vector<Mention> both = finder_.cover("ask Ostermann");
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both.front().entities.size(), 2U) << "both are kept, to be asked about";
}

TEST(Kinds, AreNamedInThePlural) {
  std::vector<graph::NamedTriple> triples;
  for (const char* film : {"Salt", "Heat", "Oslo Road"}) {
    triples.push_back({film, "genre", "Western"});
    triples.push_back({film, "mood", "Tragedy"});
  }
  const graph::KnowledgeGraph graph = graph::KnowledgeGraph::from_triples(triples);
  const MentionFinder finder(graph);
  for (const auto& [text, name] :
       {std::pair("how many westerns are there", "Western"),
        std::pair("Which Westerns do you know?", "Western"), std::pair("list the tragedies", "Tragedy")}) {
    const std::vector<Mention> found = finder.find(text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(graph.entity_name(found.front().entities.front().entity), name);
  }
}

TEST(Values, MayStandForWhatAloneHasThem) {
  const std::vector<graph::NamedTriple> triples = {{"Mustang", "make", "Ford Mustang"},
                                                   {"Amy Fowler", "given name", "Amy"},
                                                   {"Amy Fowler", "job", "biologist"},
                                                   {"Bo Fowler", "family name", "Fowler"},
                                                   {"Amy Fowler", "family name", "Fowler"}};
  const auto graph = graph::KnowledgeGraph::from_triples(triples);
  const MentionFinder finder(graph);
  const auto meant = [&](const char* text) {
    std::vector<std::string> names;
    for (const Mention& mention : finder.find(text))
      for (const NamedEntity& each : mention.entities) names.emplace_back(graph.entity_name(each.entity));
    return names;
  };
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has(meant("the Ford Mustang"), "Mustang"));
  EXPECT_TRUE(has(meant("ask Amy"), "Amy Fowler"));
  EXPECT_FALSE(has(meant("a biologist"), "Amy Fowler"));
}

TEST_F(Mentions, OneTypingErrorIsMended) {
  EXPECT_EQ(in("who directed incepton?"), "Inception");
  EXPECT_EQ(in("ada linqvist wrote that"), "Ada Lindqvist");
  EXPECT_EQ(in("who directed reception?"), "") << "another word is no slip";
  EXPECT_EQ(in("who directed Bnception?"), "") << "nobody begins a word wrong";
  EXPECT_EQ(in("who directed niception?"), "Inception");
  const std::vector<Mention> found = finder_.cover("who made Incepton");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().entities.front().fit, NameFit::kSlip);
}

TEST_F(Mentions, ScriptsWithoutBlanksAndOtherLettersAreRead) {
  EXPECT_EQ(in("京都はどこですか"), "京都");
  EXPECT_EQ(in("京都駅に行きたい"), "京都駅") << "the longest";
  EXPECT_EQ(in("我在上海市工作"), "上海市");
  EXPECT_EQ(in("부산은 어디에 있나요?"), "부산");
  EXPECT_EQ(in("Где варшава?"), "Варшава");
}

TEST_F(Mentions, PlacesAreThoseOfTheText) {
  const std::string text = "Is Ada Lindqvist's «京都駅» good?";
  for (const Mention& mention : finder_.cover(text)) {
    const std::string_view said = mention.in(text);
    EXPECT_TRUE(said == "Ada Lindqvist" || said == "京都駅") << said;
  }
}

TEST_F(Mentions, AllThatMayBeMeantIsTold) {
  const std::vector<Mention> all = finder_.find("Alien: Resurrection");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().num_words, 2U);
  EXPECT_TRUE(finder_.find("").empty());
  EXPECT_THROW((void)finder_.find("\xff"), ConfigError);
}

TEST(EverydayWords, AreKnownByTheirKind) {
  EXPECT_EQ(everyday("who"), Everyday::kFunction);
  EXPECT_EQ(everyday("nature"), Everyday::kCommon);
  EXPECT_EQ(everyday("lindqvist"), Everyday::kNo);
}

}  // namespace
}  // namespace kgwalk::dialogue
