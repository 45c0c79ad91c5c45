#include "dialogue/response/evaluation.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

graph::KnowledgeGraph scored_graph() {
  const std::vector<graph::NamedTriple> triples{{"Heat", "directed_by", "Michael Mann"},
                                                {"Jaws", "directed_by", "Steven Spielberg"}};
  return graph::KnowledgeGraph::from_triples(triples);
}

std::vector<ResponseExample> two_examples() {
  ResponseExample example;
  example.message.start = "Heat";
  example.message.ways = {{{"Heat", "directed_by", "Michael Mann"}}};
  example.text = "Heat was directed by Michael Mann in fact.";
  return {example, example};
}

TEST(ResponseScores, ThatSayWhatPeopleSaidAreFull) {
  const graph::KnowledgeGraph graph = scored_graph();
  const NameChecker checker(graph, OrdinaryNames());
  const std::vector<ResponseExample> examples = two_examples();
  const std::vector<std::string> texts{examples[0].text, examples[1].text};
  const ResponseScores scores = score_responses("people", texts, examples, checker, {.samples = 20});
  EXPECT_NEAR(scores.bleu.score, 100, 1e-9);
  EXPECT_NEAR(scores.chrf.score, 100, 1e-9);
  EXPECT_NEAR(scores.rouge_l.score, 100, 1e-9);
  EXPECT_EQ(scores.named, 1.0);
  EXPECT_EQ(scores.all_named, 1.0);
  EXPECT_EQ(scores.wrong, 0.0);
  // Eight words and the period, twice.
  EXPECT_DOUBLE_EQ(scores.distinct_1, 9.0 / 18);
  EXPECT_DOUBLE_EQ(scores.distinct_2, 8.0 / 16);
}

TEST(ResponseScores, CountNamesThatAreMissingAndWrong) {
  const graph::KnowledgeGraph graph = scored_graph();
  const NameChecker checker(graph, OrdinaryNames());
  const std::vector<std::string> texts{"Heat is good.", "Michael Mann did Heat, not Jaws."};
  const ResponseScores scores = score_responses("some", texts, two_examples(), checker, {.samples = 20});
  EXPECT_DOUBLE_EQ(scores.named, 3.0 / 4);
  EXPECT_DOUBLE_EQ(scores.all_named, 1.0 / 2);
  EXPECT_DOUBLE_EQ(scores.wrong, 1.0 / 2);
  EXPECT_EQ(scores.wrong_examples, (std::vector<std::string>{"[Jaws] Michael Mann did Heat, not Jaws."}));
  EXPECT_THROW((void)score_responses("none", {}, {}, checker, {}), ConfigError);
  EXPECT_THROW((void)score_responses("one", std::span(texts).first(1), two_examples(), checker, {}),
               ConfigError);
}

}  // namespace
}  // namespace kgwalk::dialogue
