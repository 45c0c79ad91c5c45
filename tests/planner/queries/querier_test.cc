// Forms that are written down, answered with all that is told of them.
#include "kgwalk/querier.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "tests/planner/talk_world.h"

namespace kgwalk {
namespace {

class Querying : public ::testing::Test {
 protected:
  std::shared_ptr<const graph::KnowledgeGraph> graph_ = testing::talk_graph();
  Querier querier_{*graph_};
};

TEST_F(Querying, AnswersJsonAndItsOwnSparqlAlike) {
  const AnsweredForm listed =
      querier_.answer({.form = R"({"find": {"step": "~has_genre", "from": "Crime"}})"});
  ASSERT_TRUE(listed.sparql) << listed.no_sparql;
  const AnsweredForm again = querier_.answer({.sparql = *listed.sparql});
  EXPECT_EQ(again.answer.entities, listed.answer.entities);
  const Json json = querier_.to_json(listed);
  EXPECT_EQ(json["rows"].size(), listed.answer.total);
  EXPECT_EQ(json["evidence"].size(), 1U);
  for (const Json& row : json["rows"])
    EXPECT_NE(listed.said.find(row["name"].get<std::string>()), std::string::npos) << listed.said;
}

TEST_F(Querying, RestsAComparisonOnAllThatIsComparedAndAYesOnItsFact) {
  const AnsweredForm yes = querier_.answer(
      {.form =
           R"form({"check": {"step": "directed_by", "from": "Heat (1995 Film)"}, "members": "Michael Mann"})form"});
  ASSERT_EQ(yes.answer.truth, true) << yes.words;
  ASSERT_EQ(yes.evidence.size(), 1U) << yes.words;
  const AnsweredForm no = querier_.answer(
      {.form =
           R"form({"check": {"step": "directed_by", "from": "Heat (1995 Film)"}, "members": "Al Pacino"})form"});
  EXPECT_EQ(no.answer.truth, false);
  EXPECT_TRUE(no.evidence.empty());
  const AnsweredForm larger = querier_.answer(
      {.form =
           R"form({"which": ["Heat (1986 Film)", "Heat (1995 Film)"], "by_count": "starred_actors"})form"});
  ASSERT_EQ(larger.answer.entities.size(), 1U) << larger.words;
  EXPECT_EQ(larger.evidence.size(), 3U) << "two actors of one, one of the other";
}

TEST_F(Querying, TellsSomeRowsAndHowManyThereAre) {
  const AnsweredForm one =
      querier_.answer({.form = R"({"find": {"step": "~has_genre", "from": "Crime"}})", .rows = 1});
  EXPECT_EQ(one.answer.entities.size(), 1U);
  EXPECT_GT(one.answer.total, 1U);
  EXPECT_EQ(querier_.to_json(one)["answer"]["cut"], "rows");
}

TEST_F(Querying, RefusesWhatIsNoFormWithWhatIsNear) {
  const auto told = [&](const FormRequest& request) {
    try {
      (void)querier_.answer(request);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  const auto has = [&](const FormRequest& request, const char* part) {
    EXPECT_NE(told(request).find(part), std::string::npos) << told(request);
  };
  has({}, "one of both");
  has({.form = "{}", .sparql = "ASK {}"}, "one of both");
  has({.form = "{"}, "no json");
  has({.form = R"({"find": {"step": "~has_genre", "from": "Crimes"}})"}, "Crime");
  has({.form = R"({"find": "Crime"})", .rows = 0}, "rows");
  has({.sparql = "SELECT * WHERE { ?s ?p ?o }"}, "*");
}

}  // namespace
}  // namespace kgwalk
