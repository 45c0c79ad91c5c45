// From what a planner answers to what is said.
#include "kgwalk/responder.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

Plan plan_with(PlanAnswer answer) {
  Plan plan;
  plan.request.start = "Heat";
  plan.paths = {{.hops = {{"Heat", "has_genre", "Crime", 0.5}}},
                {.hops = {{"Heat", "release_year", "1995", 0.4}}}};
  plan.answer = std::move(answer);
  return plan;
}

bool names(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (text.find(part) == std::string::npos) return false;
  return true;
}

const Responder& responder() {
  static const Responder made = Responder::by_wordings();
  return made;
}

TEST(Responder, SaysThePathWhereNothingIsAsked) {
  Plan plan = plan_with({});
  EXPECT_TRUE(names(responder().say(plan), {"Heat", "Crime"})) << responder().say(plan);
  EXPECT_TRUE(names(responder().say(plan, 1), {"Heat", "1995"})) << responder().say(plan, 1);
  plan.answer.reset();
  EXPECT_TRUE(names(responder().say(plan), {"Heat", "Crime"}));
  EXPECT_THROW((void)responder().say(plan, 2), ConfigError);
  plan.paths.clear();
  EXPECT_TRUE(names(responder().say(plan), {"Heat"}));
}

TEST(Responder, SaysEveryKindOfAnswer) {
  PlanAnswer answer{.kind = AnswerKind::kOne, .heard = {{"directed_by", 0.9}}};
  answer.entities = {{"Michael Mann", 0.9, {{"Heat", "directed_by", "Michael Mann"}}},
                     {"Al Pacino", 0.1, {{"Heat", "starred_actors", "Al Pacino"}}}};
  const std::string one = responder().say(plan_with(answer));
  EXPECT_TRUE(names(one, {"Heat", "Michael Mann"})) << one;
  EXPECT_FALSE(names(one, {"Al Pacino"})) << one;
  answer.kind = AnswerKind::kList;
  EXPECT_TRUE(names(responder().say(plan_with(answer)), {"Heat", "Michael Mann", "Al Pacino"}));
  answer.kind = AnswerKind::kYes;
  answer.claim = "Michael Mann";
  answer.fact = NamedHop{"Heat", "directed_by", "Michael Mann"};
  EXPECT_TRUE(names(responder().say(plan_with(answer)), {"Heat", "Michael Mann"}));
  answer.kind = AnswerKind::kNo;
  answer.fact.reset();
  answer.claim = "Al Pacino";
  EXPECT_TRUE(names(responder().say(plan_with(answer)), {"Heat", "Al Pacino"}));
  answer.kind = AnswerKind::kNotSaid;
  answer.has = {"has_genre"};
  EXPECT_TRUE(names(responder().say(plan_with(answer)), {"director", "Heat", "genre"}));
}

TEST(Responder, AnswersWithoutAWayAreNotSaid) {
  PlanAnswer answer{
      .kind = AnswerKind::kOne, .heard = {{"directed_by", 0.9}}, .entities = {{"Nobody", 0.0, {}}}};
  EXPECT_FALSE(names(responder().say(plan_with(answer)), {"Nobody"}));
}

TEST(Responder, AQuestionWhetherNothingThatWasNamedIsSoIsNotAnswered) {
  for (const AnswerKind kind : {AnswerKind::kYes, AnswerKind::kNo}) {
    const std::string said =
        responder().say(plan_with({.kind = kind, .heard = {{"directed_by", 0.9}}, .has = {"has_genre"}}));
    EXPECT_TRUE(names(said, {"Heat"})) << said;
  }
}

TEST(Responder, TextThatIsNotUtf8IsRefused) {
  Plan plan = plan_with({});
  plan.paths[0].hops[0].tail = "Crime\xff";
  EXPECT_THROW((void)responder().say(plan), ConfigError);
}

}  // namespace
}  // namespace kgwalk
