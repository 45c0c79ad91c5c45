// A conversation line by line.
#include "kgwalk/conversation.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "planner/conversation/talk.h"
#include "planner/spoken_start.h"
#include "tests/planner/talk_world.h"

namespace kgwalk {
namespace {

using testing::contains;

Conversation conversation_over(Guide made, std::shared_ptr<const Responder> responder = nullptr) {
  auto guide = std::make_shared<const Guide>(std::move(made));
  auto linker = std::make_shared<const dialogue::EntityLinker>(guide->planner().graph(),
                                                               std::span<const graph::Dialogue>());
  return Conversation(std::make_unique<Talk>(std::move(guide), std::move(linker), ConversationOptions{},
                                             std::move(responder)));
}

class Talking : public ::testing::Test {
 protected:
  std::string say(std::string_view line) { return conversation_.answer(line).text; }

  Conversation conversation_ = conversation_over(testing::compass_guide());
};

TEST_F(Talking, PlansFromWhatIsNamedAndTellsTheDistanceLeft) {
  EXPECT_EQ(say("/goal crime"), "goal: Crime. Name an entity to start from.\n");
  const std::string text = say("Have you seen TAXI driver?");
  EXPECT_TRUE(contains(text, "goal: Crime, 5 hops from Taxi Driver\n")) << text;
  EXPECT_TRUE(contains(text, " 1. 100.00 %  Taxi Driver -[starred_actors]-> Robert De Niro")) << text;
  EXPECT_TRUE(contains(text, "-> Robert De Niro, 4 hops left to Crime\n")) << text;
  EXPECT_TRUE(contains(say("And then?"), "-> Heat (1995 Film), 3 hops left to Crime\n"));
}

TEST_F(Talking, GoesOnUntilTheGoalIsReached) {
  (void)say("/from Taxi Driver");
  (void)say("/goal Crime");
  const std::string text = say("/auto 50");
  EXPECT_TRUE(contains(text, "user: Taxi Driver? 0\n")) << text;
  EXPECT_TRUE(contains(text, "-> Crime: the goal is reached, 5 hops walked.")) << text;
  EXPECT_EQ(conversation_.transcript()["turns"].size(), 5U);
  EXPECT_EQ(say("/where"), "at Crime; no goal\n");
}

TEST(SpokenStart, IsWhatATextNamesUnlessItRefersBack) {
  const std::vector<walker::ChosenStart> starts{{.entity = 4, .log_prob = -0.1},
                                                {.entity = 7, .log_prob = -2.0, .named = true},
                                                {.entity = 9, .log_prob = -3.0, .named = true}};
  const auto order = [](const std::vector<walker::ChosenStart>& chosen) {
    std::vector<graph::EntityId> entities;
    for (const walker::ChosenStart& start : chosen) entities.push_back(start.entity);
    return entities;
  };
  using Ids = std::vector<graph::EntityId>;
  EXPECT_EQ(order(named_first(starts, "What religion does Lou Gehrig follow?")), (Ids{7, 4, 9}));
  EXPECT_EQ(order(named_first(starts, "Did Lou Gehrig play it?")), (Ids{4, 7, 9}));
  EXPECT_EQ(order(named_first({starts.front()}, "What religion does Lou Gehrig follow?")), Ids{4});
  EXPECT_TRUE(named_first({}, "Lou Gehrig").empty());
}

TEST(TalkingOnTheWay, AnswersFirstAndHeadsForTheGoalAgainFromTheNearest) {
  Conversation conversation = conversation_over(testing::listening_guide());
  const auto say = [&](std::string_view line) { return conversation.answer(line).text; };
  (void)say("/from Taxi Driver");
  (void)say("/goal Crime");
  EXPECT_TRUE(contains(say("And then?"), "-> Robert De Niro, 4 hops left to Crime\n"));
  EXPECT_TRUE(contains(say("And then?"), "-> Heat (1995 Film), 3 hops left to Crime\n"));
  // Al Pacino is 4 hops from the goal, Scarface 5: the walk goes on from where it stood.
  const std::string answered = say("Who starred in Scarface?");
  EXPECT_TRUE(contains(answered, "-> Al Pacino; on from Heat (1995 Film), 3 hops left to Crime\n"))
      << answered;
  EXPECT_TRUE(contains(say("And then?"), "-> Michael Mann, 2 hops left to Crime\n"));
}

TEST(TalkingOnTheWay, AQuestionIsNotHeardAgainWhenNobodySpeaks) {
  Conversation conversation = conversation_over(testing::listening_guide());
  const auto say = [&](std::string_view line) { return conversation.answer(line).text; };
  (void)say("/from Heat (1995 Film)");
  (void)say("/goal Crime");
  (void)say("Who starred in Scarface?");
  const std::string text = say("/auto 9");
  EXPECT_TRUE(contains(text, "-> Crime: the goal is reached")) << text;
  EXPECT_EQ(conversation.transcript()["turns"].size(), 4U);
}

TEST_F(Talking, SaysWhatIsWrongWithAGoalAndKeepsTheOldOne) {
  (void)say("/from Scarface");
  (void)say("/goal Crime");
  EXPECT_TRUE(contains(say("/goal Mars"), "cannot be reached from Scarface: no path joins them"));
  EXPECT_TRUE(contains(say("/goal Planet X"), "it has no edges"));
  EXPECT_TRUE(contains(say("/goal scarface"), "is the start itself"));
  EXPECT_TRUE(contains(say("/goal"), "5 hops left to Crime")) << say("/goal");
  EXPECT_TRUE(contains(say("/goal zzzzzzzzzz"), "nor anything like it"));
  EXPECT_TRUE(contains(say("/goal Michal Mann"), "  1. Michael Mann (2 edges)\n"));
  EXPECT_EQ(say("1"), "goal: Michael Mann, 3 hops from Scarface\n");
  EXPECT_TRUE(contains(say("/from Planet X"), "no walk begins there"));
}

TEST_F(Talking, OfOneNameItTakesWhatTheTalkIsAboutAndDoesNotAsk) {
  (void)say("Do you know Burt Reynolds?");
  (void)say("/from Mars");
  const std::string text = say("I also liked heat");
  EXPECT_TRUE(contains(text, "Heat (1986 Film) -[")) << text;
  EXPECT_FALSE(contains(text, "are called")) << text;
  (void)say("/from Mars");
  EXPECT_TRUE(contains(say("Heat of 1995, I mean"), "Heat (1995 Film) -["));
}

TEST_F(Talking, AGoalIsCheckedBeforeAnyPlaceIsKnown) {
  EXPECT_TRUE(contains(say("/goal Planet X"), "no walk ends there"));
  EXPECT_EQ(say("/where"), "Nowhere yet, and no goal. Name an entity to start from.\n");
  (void)say("/goal Mars");
  EXPECT_TRUE(contains(say("Scarface"), "cannot be reached from Scarface"));
}

TEST_F(Talking, ComingToTheGoalYourselfIsSaid) {
  (void)say("/goal Crime");
  EXPECT_TRUE(contains(say("I love crime"), "Crime is the goal: you have come to it yourself.\n"));
}

TEST_F(Talking, AsksWhenSeveralEntitiesHaveTheName) {
  const std::string text = say("I saw heat");
  EXPECT_TRUE(contains(text, "2 entities are called 'heat'; I take Heat (1995 Film).")) << text;
  EXPECT_TRUE(contains(text, "  2. Heat (1986 Film) (2 edges)\n")) << text;
  EXPECT_TRUE(contains(say("2"), "Heat (1986 Film) -["));
  EXPECT_TRUE(contains(say("3"), "A number from 1 to 2"));
  EXPECT_TRUE(contains(say("1"), "Heat (1995 Film) -["));
  EXPECT_EQ(conversation_.transcript()["turns"].size(), 1U);  // each choice replaced the one before
  EXPECT_FALSE(contains(say("No, Heat (1986 Film)!"), "are called"));
}

TEST_F(Talking, OffersTheNearestNamesWhenNothingIsFound) {
  EXPECT_TRUE(contains(say("qqqqqqqqqqqqqqqqqqqq"), "I found no entity of the graph in that."));
  const std::string text = say("al pacno");
  EXPECT_TRUE(contains(text, "I know no 'al pacno'.")) << text;
  EXPECT_TRUE(contains(text, "  1. Al Pacino (2 edges)\n")) << text;
  EXPECT_TRUE(contains(say("1"), "Al Pacino -["));
}

TEST_F(Talking, StaysWhenNothingIsNamedAndTellsWhatElseWas) {
  (void)say("/from Robert De Niro");
  EXPECT_TRUE(contains(say("who knows"), "Robert De Niro -["));
  const std::string text = say("Scarface or Collateral?");
  EXPECT_TRUE(contains(text, "You named Scarface as well")) << text;
  EXPECT_TRUE(contains(text, "Collateral -[")) << text;
}

TEST_F(Talking, TakesStepsBackAndOtherPaths) {
  EXPECT_EQ(say("/undo"), "There is nothing to take back.\n");
  (void)say("/from Heat (1995 Film)");
  (void)say("/goal Crime");
  EXPECT_TRUE(contains(say("go on"), "-> Michael Mann, 2 hops left"));
  EXPECT_TRUE(contains(say("/paths"), " 2. "));
  EXPECT_TRUE(contains(say("/take 2"), ", 4 hops left to Crime\n"));
  EXPECT_TRUE(contains(say("/take 9"), "N from 1 to 3"));
  EXPECT_EQ(say("/undo"), "at Michael Mann, 2 hops left to Crime\n");
  EXPECT_EQ(say("/undo"), "at Heat (1995 Film), 3 hops left to Crime\n");
  EXPECT_EQ(say("/nogoal"), "The walk is free now.\n");
}

TEST_F(Talking, TakingAnotherPathAtTheGoalTakesTheGoalUpAgain) {
  (void)say("/from Collateral");
  (void)say("/goal Crime");
  EXPECT_TRUE(contains(say("go on"), "the goal is reached"));
  EXPECT_TRUE(contains(say("/take 2"), "-> Michael Mann, 2 hops left to Crime\n"));
}

TEST_F(Talking, TellsWhy) {
  EXPECT_EQ(say("/why"), "Nothing was planned yet.\n");
  (void)say("/from Heat (1995 Film)");
  (void)say("/goal Crime");
  (void)say("go on");
  const std::string why = say("/why");
  EXPECT_TRUE(contains(why, "At Heat (1995 Film) the walker weighed 3 edges towards Crime")) << why;
  EXPECT_TRUE(contains(why, "->  96.47 %  -[directed_by]-> Michael Mann   2 to goal\n")) << why;
}

TEST_F(Talking, KnowsItsCommands) {
  const std::string help = say("/help");
  for (const char* verb : {"goal", "nogoal", "from", "paths", "take", "why", "auto", "where", "undo", "quit"})
    EXPECT_TRUE(contains(help, "  /" + std::string(verb) + " ")) << verb;
  EXPECT_TRUE(contains(say("/gaol Crime"), "did you mean 'goal'"));
  EXPECT_TRUE(contains(say("/auto 0"), "N from 1 to"));
  EXPECT_TRUE(contains(say("/auto"), "Name an entity"));
  EXPECT_EQ(say("   "), "");
  EXPECT_TRUE(conversation_.answer("/quit").over);
  EXPECT_FALSE(conversation_.answer("quit").over);
}

TEST_F(Talking, SurvivesTextThatIsNotUtf8) {
  EXPECT_TRUE(contains(say("heat \xff"), "UTF-8"));
  EXPECT_TRUE(contains(say("/from heat \xff"), "UTF-8"));
  EXPECT_TRUE(contains(say("Scarface"), "Scarface -["));
}

TEST_F(Talking, AnotherConversationBeginsAnewWithTheSameWalker) {
  (void)say("/from Taxi Driver");
  (void)say("/goal Crime");
  Conversation other = conversation_.another(2);
  EXPECT_EQ(other.answer("/where").text, "Nowhere yet, and no goal. Name an entity to start from.\n");
  EXPECT_TRUE(contains(other.answer("Scarface").text, "Scarface -["));
  EXPECT_EQ(say("/where"), "at Taxi Driver, 5 hops left to Crime\n");
}

TEST(TalkingWithStageOne, SaysThatItHeadsForNoGoal) {
  Conversation conversation = conversation_over(testing::compass_guide(Planner::Stage::kOne));
  EXPECT_TRUE(contains(conversation.welcome(), "of stage 1"));
  (void)conversation.answer("/goal Crime");
  EXPECT_TRUE(contains(conversation.answer("Taxi Driver").text, "to goal"));
}

class Speaking : public ::testing::Test {
 protected:
  Conversation::Reply say(std::string_view line) { return conversation_.answer(line); }
  Conversation conversation_ = conversation_over(testing::compass_guide(),
                                                 std::make_shared<const Responder>(Responder::by_wordings()));
};

TEST_F(Speaking, TheSentenceComesFirstAndNamesWhatIsWalked) {
  (void)say("/goal crime");
  const Conversation::Reply reply = say("Have you seen TAXI driver?");
  EXPECT_TRUE(reply.text.starts_with("assistant: " + reply.said + "\ngoal: Crime, 5 hops from Taxi Driver\n"))
      << reply.text;
  EXPECT_TRUE(contains(reply.said, "Robert De Niro") && contains(reply.said, "Taxi Driver")) << reply.said;
  EXPECT_EQ(conversation_.transcript()["turns"][0]["answer"], reply.said);
  EXPECT_EQ(say("/where").said, "");
}

TEST_F(Speaking, WhatTheAssistantSaidIsPartOfTheTalk) {
  (void)say("/from Taxi Driver");
  (void)say("/goal Crime");
  const std::string text = say("/auto 2").text;
  EXPECT_TRUE(contains(text, "user: Taxi Driver? 0\nassistant: ")) << text;
  EXPECT_TRUE(contains(text, "user: Robert De Niro? 2\nassistant: ")) << text;
  EXPECT_EQ(conversation_.transcript()["turns"][1]["said"], "Robert De Niro? 2");
}

TEST_F(Speaking, AnotherPathIsSaidInPlaceOfTheFirst) {
  (void)say("/from Heat (1995 Film)");
  const std::string first = say("go on").said, other = say("/take 2").said;
  EXPECT_NE(first, other);
  const Json turns = conversation_.transcript()["turns"];
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_EQ(turns[0]["answer"], other);
  EXPECT_TRUE(contains(other, turns[0]["path"].back()["tail"].get<std::string>())) << other;
}

TEST_F(Speaking, AsksBackWhenNamesAreUnknownOrShared) {
  EXPECT_EQ(say("qqqqqqqqqqqqqqqqqqqq").said, Responder::ask_anything(0));
  EXPECT_EQ(say("al pacno").said, Responder::ask_nearest({"Al Pacino"}, 1));
  const std::string which = say("I saw heat").said;
  EXPECT_TRUE(contains(which, "Heat (1986 Film)") && contains(which, "?")) << which;
  EXPECT_TRUE(contains(which, "Heat (1995 Film)")) << which;
  EXPECT_FALSE(contains(say("Scarface").said, "Heat (1986 Film)"));
}

TEST_F(Speaking, SaysFactsOfRelationsThatNoBankKnows) {
  (void)say("/from Mars");
  EXPECT_TRUE(contains(say("go on").said, "Phobos"));
}

}  // namespace
}  // namespace kgwalk
