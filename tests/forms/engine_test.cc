#include <thread>

#include "kgwalk/error.h"
#include "tests/forms/film_world.h"

namespace kgwalk::forms {
namespace {

using graph::date_value;
using graph::number_value;
using graph::year_value;
using testing::FilmWorld;
using testing::Names;

using EngineTest = FilmWorld;

TEST_F(EngineTest, StepsFromSetsByAnyOfAFamily) {
  EXPECT_EQ(found(by("Ada")), (Names{"Arrow", "Beacon", "Candle"}));
  const Relations family = {relation("~director")[0], relation("~directed by")[0]};
  EXPECT_EQ(found(step(thing("Ben"), family)), (Names{"Candle", "Delta", "Ember"}));
  EXPECT_EQ(found(step(by("Ada"), relation("starring"))), (Names{"Cyd", "Dan"}));
}

TEST_F(EngineTest, HasTypesWithThoseBelow) {
  EXPECT_EQ(found(films()), (Names{"Arrow", "Beacon", "Candle", "Delta", "Ember"}));
  EXPECT_EQ(found(of_type({entity("Documentary")})), (Names{"Delta"}));
}

TEST_F(EngineTest, JoinsSets) {
  EXPECT_EQ(found(both(by("Ada"), by("Ben"))), (Names{"Candle"}));
  EXPECT_EQ(found(either(by("Ada"), by("Ben"))), (Names{"Arrow", "Beacon", "Candle", "Delta"}));
  EXPECT_EQ(found(but(by("Ada"), by("Ben"))), (Names{"Arrow", "Beacon"}));
  EXPECT_EQ(found(but(films(), having(relation("released")))), (Names{"Ember"}));
}

TEST_F(EngineTest, ComparesValuesOfOneKind) {
  const Relations released = relation("released");
  EXPECT_EQ(found(where(films(), released, {Comparison::kGreater, year_value(1994)})),
            (Names{"Beacon", "Candle"}));
  EXPECT_EQ(found(where(films(), released, between(year_value(1990), year_value(1999)))),
            (Names{"Arrow", "Beacon"}));
  EXPECT_EQ(found(where(films(), released, {Comparison::kLess, date_value(1994, 6, 1)})), (Names{"Delta"}));
  EXPECT_EQ(found(where(films(), released, {Comparison::kEqual, number_value(1999)})), (Names{"Beacon"}));
  const Set tall = where(having(relation("height")), relation("height"),
                         {Comparison::kGreater, number_value(175, *graph::find_unit("cm"))});
  EXPECT_EQ(found(tall), (Names{"Ada"}));
  EXPECT_EQ(
      found(where(having(relation("height")), relation("height"), {Comparison::kLess, number_value(1.75)})),
      (Names{"Ben"}));
}

TEST_F(EngineTest, TellsThatThereIsNoCommonValue) {
  const Answer heavy =
      engine_.answer(find(where(having(relation("height")), relation("height"),
                                {Comparison::kGreater, number_value(80, *graph::find_unit("kg"))})));
  EXPECT_TRUE(heavy.entities.empty());
  EXPECT_TRUE(heavy.no_common_value);
  EXPECT_TRUE(heavy.complete());
  const Answer ember =
      engine_.answer(which({thing("Arrow"), thing("Ember")}, value_of(relation("released"))));
  EXPECT_TRUE(ember.no_common_value);
  EXPECT_TRUE(ember.entities.empty());
  EXPECT_FALSE(
      engine_.answer(whether(thing("Cyd"), Comparison::kLess, thing("Dan"), value_of(relation("released"))))
          .truth);
}

TEST_F(EngineTest, AnswersContradictionsWithNothingAndKnowsIt) {
  const Relations released = relation("released");
  const Answer answer =
      engine_.answer(find(where(where(films(), released, {Comparison::kGreater, year_value(2000)}), released,
                                {Comparison::kLess, year_value(1990)})));
  EXPECT_TRUE(answer.entities.empty());
  EXPECT_TRUE(answer.complete());
  EXPECT_FALSE(answer.no_common_value);
  const Answer far =
      engine_.answer(find(where(films(), released, {Comparison::kGreater, year_value(99999)})));
  EXPECT_TRUE(far.entities.empty() && far.complete());
}

TEST_F(EngineTest, OrdersByValuesAndCountsWithTies) {
  const Measure released = value_of(relation("released")), cast = count_of(relation("starring"));
  EXPECT_EQ(found(first(films(), released)), (Names{"Delta"}));
  EXPECT_EQ(found(last(films(), released, 2)), (Names{"Candle", "Beacon"}));
  EXPECT_EQ(found(last(films(), cast)), (Names{"Delta"}));
  EXPECT_EQ(found(last(by("Ada"), count_of(relation("starring"), thing("Dan")))), (Names{"Arrow"}));
  const Answer longest = engine_.answer(find(last(films(), value_of(relation("minutes")))));
  EXPECT_EQ(names(longest.entities), (Names{"Beacon", "Candle"}));
  EXPECT_TRUE(longest.ties);
  EXPECT_EQ(longest.order, Order::kDescending);
  ASSERT_EQ(longest.measured.size(), 2U);
  EXPECT_EQ(longest.measured[0].value, number_value(120));
}

TEST_F(EngineTest, CountsSumsAndAverages) {
  EXPECT_EQ(engine_.answer(count(by("Ada"))).number, number_value(3));
  EXPECT_EQ(engine_.answer(sum(by("Ada"), relation("minutes"))).number, number_value(330));
  EXPECT_EQ(engine_.answer(average(by("Ada"), relation("minutes"))).number, number_value(110));
  EXPECT_TRUE(engine_.answer(sum(by("Ada"), relation("starring"))).no_common_value);
  // One of the films has a date among the years of the others.
  EXPECT_EQ(engine_.answer(average(by("Ben"), relation("released"))).number, number_value(1996));
  EXPECT_TRUE(engine_.answer(average(by("Ada"), relation("released"))).no_common_value);
  const Answer none = engine_.answer(average(thing("Ember"), relation("minutes")));
  EXPECT_FALSE(none.number);
  EXPECT_FALSE(none.no_common_value);
}

TEST_F(EngineTest, ComparesTwoOrMore) {
  const Measure height = value_of(relation("height")), cast = count_of(relation("starring"));
  EXPECT_EQ(names(engine_.answer(which({thing("Ada"), thing("Ben")}, height)).entities), (Names{"Ada"}));
  EXPECT_EQ(names(engine_.answer(which({thing("Ada"), thing("Ben")}, height, false)).entities),
            (Names{"Ben"}));
  EXPECT_EQ(engine_.answer(whether(thing("Ada"), Comparison::kGreater, thing("Ben"), height)).truth, true);
  EXPECT_NEAR(engine_.answer(difference(thing("Ada"), thing("Ben"), height)).number->from, 0.08, 1e-12);
  EXPECT_EQ(engine_.answer(whether(thing("Arrow"), Comparison::kLess, thing("Delta"), cast)).truth, true);
  EXPECT_EQ(engine_.answer(difference(thing("Delta"), thing("Beacon"), cast)).number, number_value(2));
  EXPECT_EQ(engine_
                .answer(whether(thing("Beacon"), Comparison::kEqual, thing("Candle"),
                                value_of(relation("minutes"))))
                .truth,
            true);
  const Measure released = value_of(relation("released"));
  EXPECT_EQ(engine_.answer(difference(thing("Candle"), thing("Delta"), released)).number, number_value(18));
  EXPECT_EQ(engine_.answer(difference(thing("Ben"), thing("Ada"), value_of(relation("born")))).number,
            number_value(3652, *graph::find_unit("d")));
}

TEST_F(EngineTest, ChecksMembersAndNumbers) {
  EXPECT_EQ(engine_.answer(check(by("Ada"))).truth, true);
  EXPECT_EQ(engine_.answer(check(by("Cyd"))).truth, false);
  EXPECT_EQ(engine_.answer(check_among(entities({entity("Arrow"), entity("Candle")}), by("Ada"))).truth,
            true);
  EXPECT_EQ(engine_.answer(check_among(entities({entity("Arrow"), entity("Delta")}), by("Ada"))).truth,
            false);
  EXPECT_EQ(engine_.answer(check_among(by("Cyd"), by("Ada"))).truth, false);  // of nobody, nothing holds
  EXPECT_EQ(engine_.answer(check_count(by("Ada"), {Comparison::kGreater, number_value(2)})).truth, true);
  EXPECT_EQ(engine_.answer(check_count(by("Ada"), {Comparison::kEqual, number_value(2)})).truth, false);
}

TEST_F(EngineTest, FiltersByCounts) {
  const Measure cast = count_of(relation("starring"));
  EXPECT_EQ(found(where_count(films(), cast, {Comparison::kAtLeast, number_value(2)})),
            (Names{"Arrow", "Delta"}));
  EXPECT_EQ(found(where_count(films(), cast, {Comparison::kEqual, number_value(0)})),
            (Names{"Candle", "Ember"}));
}

TEST_F(EngineTest, FindsRelationsBetween) {
  const Answer answer = engine_.answer(relations_between(thing("Arrow"), thing("Ada")));
  EXPECT_EQ(answer.relations, relation("director"));
}

TEST_F(EngineTest, TakesTheAnswersOfBefore) {
  const std::vector<EntityId> ada = {entity("Ada")};
  const std::vector<std::vector<EntityId>> bound = {ada};
  EXPECT_EQ(engine_.answer(count(step(before(0), relation("~director"))), bound).number, number_value(3));
  EXPECT_THROW((void)engine_.answer(count(before(1)), bound), ConfigError);
}

TEST_F(EngineTest, TellsWhatWasCut) {
  const Answer rows = engine_.answer(find(films()), {}, {.max_rows = 2});
  EXPECT_EQ(rows.cut, Cut::kRows);
  EXPECT_EQ(rows.entities.size(), 2U);
  EXPECT_EQ(rows.total, 5U);
  const Answer visits = engine_.answer(find(having(relation("released"))), {}, {.max_visits = 2});
  EXPECT_EQ(visits.cut, Cut::kVisits);
  EXPECT_TRUE(visits.entities.empty());
  EXPECT_FALSE(visits.complete());
  StopFlag stop;
  stop.request();
  EXPECT_EQ(engine_.answer(count(films()), {}, {.stop = &stop}).cut, Cut::kStopped);
  EXPECT_EQ(engine_.answer(count(films()), {}, {.budget_s = 1e-12}).cut, Cut::kTime);
}

TEST_F(EngineTest, RefusesWhatDoesNotHoldTogether) {
  EXPECT_THROW((void)engine_.answer(find(entities({12345}))), ConfigError);
  EXPECT_THROW((void)engine_.answer(find(step(thing("Ada"), {}))), ConfigError);
  EXPECT_THROW((void)engine_.answer(find({.kind = SetKind::kAnd})), ConfigError);
  EXPECT_THROW((void)engine_.answer(which({thing("Ada")}, value_of(relation("height")))), ConfigError);
  EXPECT_THROW((void)engine_.answer(check_count(films(), {Comparison::kLess, year_value(3)})), ConfigError);
  Set deep = thing("Ada");
  for (int i = 0; i < 200; ++i) deep = step(std::move(deep), relation("director"));
  EXPECT_THROW((void)engine_.answer(find(deep)), ConfigError);
}

TEST_F(EngineTest, AnswersManyThreadsAtOnce) {
  std::vector<Answer> answers(8);
  std::vector<std::thread> threads;
  for (Answer& answer : answers)
    threads.emplace_back(
        [&] { answer = engine_.answer(find(first(films(), value_of(relation("released"))))); });
  for (std::thread& thread : threads) thread.join();
  for (const Answer& answer : answers) EXPECT_EQ(names(answer.entities), (Names{"Delta"}));
}

}  // namespace
}  // namespace kgwalk::forms
