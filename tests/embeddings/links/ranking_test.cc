#include <gtest/gtest.h>

#include <cmath>

#include "embeddings/links/embedding_training.h"
#include "embeddings/links/ranking.h"
#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "tests/embeddings/fixtures.h"

namespace kgwalk::embeddings {
namespace {

EmbeddingKind kind_of(Measure measure) {
  return measure == Measure::kProduct ? EmbeddingKind::kDistMult : EmbeddingKind::kTransE;
}

EmbeddingModel line_model(std::initializer_list<float> entities, float relation) {
  EmbeddingModel model =
      tables_of(Measure::kL1, Matrix(static_cast<std::int64_t>(entities.size()), 1), Matrix(1, 1));
  std::int64_t i = 0;
  for (const float x : entities) model.entities.row(i++)[0] = x;
  model.relations.row(0)[0] = relation;
  return model;
}

// Entities on a line: 0 at 0, 1 at 1, 2 at 2, 3 at 2, 4 at 4; relation +1. The question (1, r, ?)
// points at 2.
TEST(Ranking, TiesCountHalfAndKnownAnswersNothing) {
  const EmbeddingModel model = line_model({0, 1, 2, 2, 4}, 1);
  const Triple asked{1, 0, 3};
  const std::vector<Triple> one{asked};
  EXPECT_EQ(plain_ranks(model, one, AnswerIndex({one}))[0].tail, 1.5);  // tied with 2
  const std::vector<Triple> both{asked, {1, 0, 2}};
  EXPECT_EQ(plain_ranks(model, one, AnswerIndex({both}))[0].tail, 1.0);  // 2 is a known answer
  // The question (?, r, 3) points at 1: entity 1 itself; (?, r, 4) for head 2 points at 3, from which 2, 3
  // and 4 are 1 off.
  EXPECT_EQ(plain_ranks(model, one, AnswerIndex({one}))[0].head, 1.0);
  const std::vector<Triple> other{{2, 0, 4}};
  EXPECT_EQ(plain_ranks(model, other, AnswerIndex({other}))[0].head, 2.0);
  for (const auto& triples : {one, both, other})
    EXPECT_EQ(ranks(model, triples, AnswerIndex({triples})),
              plain_ranks(model, triples, AnswerIndex({triples})));
}

TEST(Ranking, FastEqualsPlainOnRandomTables) {
  Random random(11);
  for (const Measure norm : {Measure::kL1, Measure::kL2, Measure::kL2Squared, Measure::kProduct})
    for (const int dim : {3, 50, 64}) {
      const EmbeddingModel model =
          tables_of(norm, random_matrix(1300, dim, random), random_matrix(5, dim, random), kind_of(norm));
      const std::vector<Triple> triples = random_triples(150, 1300, 5, random);
      const std::vector<Triple> known = random_triples(20000, 1300, 5, random);
      const AnswerIndex filter({triples, known});
      EXPECT_EQ(ranks(model, triples, filter), plain_ranks(model, triples, filter));
    }
}

TEST(Ranking, FastEqualsPlainWithMassesOfTiesAndConstantTables) {
  Random random(12);
  for (const Measure norm : {Measure::kL1, Measure::kL2, Measure::kL2Squared, Measure::kProduct})
    for (const int values : {1, 2, 3}) {
      const EmbeddingModel model = tables_of(norm, coarse_matrix(700, 6, values, random),
                                             coarse_matrix(3, 6, values, random), kind_of(norm));
      const std::vector<Triple> triples = random_triples(200, 700, 3, random);
      const AnswerIndex filter({triples});
      const std::vector<TripleRanks> plain = plain_ranks(model, triples, filter);
      EXPECT_EQ(ranks(model, triples, filter), plain);
      std::int64_t halves = 0;
      for (const TripleRanks& r : plain)
        halves += r.tail != static_cast<double>(static_cast<std::int64_t>(r.tail));
      EXPECT_GT(halves, values > 1 ? 20 : -1);  // the test does see ties
    }
}

TEST(Ranking, FastEqualsPlainWhenTheFilterMissesTheRankedTriples) {
  Random random(13);
  const EmbeddingModel model =
      tables_of(Measure::kL1, random_matrix(300, 10, random), random_matrix(2, 10, random));
  const std::vector<Triple> triples = random_triples(50, 300, 2, random);
  const AnswerIndex none({std::span<const Triple>{}});
  EXPECT_EQ(ranks(model, triples, none), plain_ranks(model, triples, none));
}

TEST(Ranking, FastEqualsPlainOnTrainedTables) {
  Random random(14);
  for (const auto& [model, norm] : {std::pair("transe", "l1"),
                                    {"transe", "l2"},
                                    {"complex", "l2"},
                                    {"rotate", "l2"},
                                    {"distmult", "l2"}}) {
    EmbeddingConfig config = default_embedding(Choice<EmbeddingKind>(model));
    config.dim = 24;
    config.norm = norm;
    config.negatives = 64;
    config.batch = 64;
    config.epochs = 5;
    const std::vector<Triple> triples = random_triples(1500, 400, 6, random);
    EmbeddingTraining training(config, triples, 400, 6);
    while (!training.done()) training.run_epoch();
    const AnswerIndex filter({triples});
    const std::span<const Triple> some(triples.data(), 300);
    EXPECT_EQ(ranks(training.model(), some, filter), plain_ranks(training.model(), some, filter)) << model;
  }
}

TEST(Ranking, RefusesTablesThatAreNotFinite) {
  for (const Measure norm : {Measure::kL1, Measure::kL2, Measure::kProduct}) {
    EmbeddingModel model = tables_of(norm, Matrix(4, 3), Matrix(1, 3));
    model.entities.row(2)[1] = NAN;
    const std::vector<Triple> triples{{0, 0, 1}};
    EXPECT_THROW((void)ranks(model, triples, AnswerIndex({triples})), NumericError);
  }
}

TEST(Ranking, SummaryIsTheTextbookOne) {
  const std::vector<TripleRanks> r{{1, 2}, {10, 40}};
  const RankReport report = summarize(r);
  EXPECT_DOUBLE_EQ(report.both.mrr, (1 + 0.5 + 0.1 + 0.025) / 4);
  EXPECT_DOUBLE_EQ(report.both.mean_rank, 53.0 / 4);
  EXPECT_DOUBLE_EQ(report.both.hits10, 0.75);
  EXPECT_DOUBLE_EQ(report.head.hits1, 0.5);
  EXPECT_DOUBLE_EQ(report.tail.hits3, 0.5);
  EXPECT_EQ(report.both.count, 4);
}

}  // namespace
}  // namespace kgwalk::embeddings
