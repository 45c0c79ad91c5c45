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
