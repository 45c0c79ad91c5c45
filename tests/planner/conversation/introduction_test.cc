// What a newcomer is shown.
#include "planner/conversation/introduction.h"

#include <gtest/gtest.h>

#include "planner/conversation/talk.h"
#include "tests/planner/talk_world.h"

namespace kgwalk {
namespace {

Conversation talk_of(Guide guide) {
  auto shared = std::make_shared<const Guide>(std::move(guide));
  auto linker = std::make_shared<const dialogue::EntityLinker>(shared->planner().graph(),
                                                               std::span<const graph::Dialogue>());
  return Conversation(std::make_unique<Talk>(std::move(shared), std::move(linker), ConversationOptions{},
                                             std::make_shared<const Responder>(Responder::by_wordings())));
}

TEST(Introduction, OffersGoalsThatAreReached) {
  const Conversation model = talk_of(testing::compass_guide());
  const Json shown = introduction_of(model);
  ASSERT_FALSE(shown["goals"].empty());
  for (const Json& goal : shown["goals"]) {
    const int hops = goal["hops"];
    EXPECT_GE(hops, 3);
    EXPECT_TRUE(model.guide().lead({.start = goal["from"], .goal = goal["goal"], .turns = hops}).reached());
  }
  EXPECT_EQ(shown["kinds"][0]["kind"], "work");
}

TEST(Introduction, OffersSentencesWhereTheWalkerDoesNotListen) {
  const Conversation model = talk_of(testing::compass_guide());
  const Json questions = introduction_of(model)["questions"];
  ASSERT_FALSE(questions.empty());
  for (const Json& one : questions) {
    EXPECT_TRUE(one["question"].get<std::string>().starts_with("Tell me about ")) << one;
    EXPECT_EQ(model.another(1).answer(one["question"].get<std::string>()).said, one["answer"]);
  }
}

TEST(Introduction, OffersQuestionsOnlyThatAreAnsweredRightly) {
  // It takes every question that holds "starred" for one about the actors, and none else.
  const Conversation model = talk_of(testing::listening_guide());
  for (const Json& one : introduction_of(model)["questions"]) {
    const std::string question = one["question"], answer = one["answer"];
    EXPECT_TRUE(question.starts_with("Tell me about ") || question.find("starred") != std::string::npos)
        << one;
    EXPECT_FALSE(answer.empty());
  }
}

}  // namespace
}  // namespace kgwalk
