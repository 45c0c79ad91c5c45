// Questions of the bank as a user asks and as they are read, and a user who needs no training.
#include "rl/simulator/worded_user.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/rl/small_talk.h"

namespace kgwalk::rl {
namespace {

TEST(UserQuestions, AreReadBackAsWhatTheyAskFor) {
  const auto graph = walker::testing::film_graph();
  const UserQuestions questions(*graph);
  const graph::EntityId heat = *graph->find_entity("Heat");
  Random random(1);
  int right = 0, all = 0;
  for (int i = 0; i < 200; ++i) {
    const auto text = questions.ask(heat, {}, random);
    ASSERT_TRUE(text.has_value());
    EXPECT_NE(text->find("Heat"), std::string::npos) << *text;
    const dialogue::Topic* asked = questions.asked(*text);
    ++all;
    right += asked != nullptr && !questions.answers(heat, *asked).empty();
  }
  EXPECT_GE(right, all * 9 / 10);
}

TEST(UserQuestions, KnowWhatPeopleAskInTheirOwnWay) {
  const auto graph = walker::testing::film_graph();
  const UserQuestions questions(*graph);
  const auto relation = [&](const std::string& text) -> std::string {
    const dialogue::Topic* asked = questions.asked(text);
    return asked == nullptr ? "" : asked->names.front();
  };
  EXPECT_EQ(relation("I loved it. Do you know who directed Heat?"), "directed_by");
  EXPECT_EQ(relation("Cool! What genre is it?"), "has_genre");
  EXPECT_EQ(relation("What did Michael Mann direct?"), "~directed_by");
  EXPECT_EQ(relation("The director of Heat is great."), "");
  EXPECT_EQ(relation("Yes, I like them."), "");
}

TEST(UserQuestions, FitWhatTheEntityOrThoseLikeItHave) {
  const auto graph = walker::testing::graph_of({{"Heat", "starred_actors", "Al Pacino"},
                                                {"Heat", "directed_by", "Michael Mann"},
                                                {"Taxi Driver", "starred_actors", "Robert De Niro"},
                                                {"Taxi Driver", "directed_by", "Martin Scorsese"},
                                                {"Scarface", "starred_actors", "Al Pacino"}});
  const UserQuestions questions(*graph);
  const dialogue::Topic* director = questions.asked("Who directed it?");
  ASSERT_NE(director, nullptr);
  EXPECT_TRUE(questions.fits(*graph->find_entity("Heat"), *director));
  EXPECT_FALSE(questions.fits(*graph->find_entity("Al Pacino"), *director));
  EXPECT_TRUE(questions.fits(*graph->find_entity("Scarface"), *director))
      << "most films with a cast have one";
}

TEST(WordedUser, AsksAndChatsAboutTheVertexWithoutRepeatingItself) {
  const auto graph = walker::testing::film_graph();
  const WordedUser user(graph);
  walker::Example situation;
  situation.start = *graph->find_entity("Heat");
  const walker::Example* const one[] = {&situation};
  Random random(4);
  std::set<std::string> said;
  int questions = 0;
  for (int turn = 0; turn < 20; ++turn) {
    const std::string text = user.speak(one, random).front();
    EXPECT_NE(text.find("Heat"), std::string::npos) << text;
    EXPECT_TRUE(said.insert(text).second) << text;
    questions += user.questions().asked(text) != nullptr;
    situation.context.push_back({graph::Speaker::kUser, text});
    situation.context.push_back({graph::Speaker::kAssistant, "Michael Mann directed Heat."});
  }
  EXPECT_GT(questions, 2);
  EXPECT_LT(questions, 18);
}

TEST(WordedUser, TheSeedDecidesTheWords) {
  const auto graph = walker::testing::film_graph();
  const WordedUser user(graph);
  const auto situations = testing::film_situations(*graph, 12);
  Random a(3), b(3);
  const auto first = user.speak(testing::pointers_to(situations), a);
  EXPECT_EQ(user.speak(testing::pointers_to(situations), b), first);
  EXPECT_NE(user.speak(testing::pointers_to(situations), a), first);
}

}  // namespace
}  // namespace kgwalk::rl
