// What every model of embeddings promises.
#include "embeddings/models/score_model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "embeddings/links/embedding_model.h"
#include "kgwalk/error.h"
#include "runtime/config.h"
#include "tests/embeddings/fixtures.h"

namespace kgwalk::embeddings {
namespace {

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  EmbeddingConfig config_ = default_embedding(Choice<EmbeddingKind>(GetParam()));
  EmbeddingModel model(bool reciprocal) {
    config_.dim = 38;  // halves that fill no whole lines
    config_.initial = 1;
    EmbeddingModel model = EmbeddingModel::random(config_, 40, reciprocal ? 6 : 3);
    if (reciprocal) model.reverse = {3, 4, 5};
    return model;
  }
  float asked(const EmbeddingModel& model, EntityId given, RelationId relation, Side side, EntityId other) {
    Matrix point(1, config_.dim);
    model.question(given, relation, side, point.row(0));
    float distance = 0;
    distances_to(model.measure, point.row(0), model.entities, std::span(&other, 1), &distance);
    return distance;
  }
};

TEST_P(EveryModel, IsItself) {
  EXPECT_EQ(score_model(config_.model).kind(), config_.model);
  EXPECT_EQ(config_.model.name(), GetParam());
}

TEST_P(EveryModel, ScoresAFactTheSameFromBothEnds) {
  const EmbeddingModel tables = model(false);
  for (EntityId e = 0; e < 20; ++e)
    EXPECT_NEAR(asked(tables, e, e % 3, Side::kTail, e + 20), asked(tables, e + 20, e % 3, Side::kHead, e),
                1e-4);
}

TEST_P(EveryModel, InvertedRelationsAskForTheOtherEnd) {
  EmbeddingModel tables = model(false);
  const ScoreModel& score = *tables.score;
  std::vector<float> inverse(38), head(38), tail(38), back(38);
  for (RelationId r = 0; r < 3; ++r) {
    score.invert(tables.relations.values(r), inverse);
    score.ask(tables.entities.values(7), tables.relations.values(r), Side::kHead, head);
    score.ask(tables.entities.values(7), inverse, Side::kTail, tail);
    for (std::size_t j = 0; j < 38; ++j) EXPECT_NEAR(head[j], tail[j], 1e-6);
    score.invert(inverse, back);
    for (std::size_t j = 0; j < 38; ++j) EXPECT_EQ(back[j], tables.relations.row(r)[j]);
  }
}

TEST_P(EveryModel, AsksForHeadsByTheReverseRelationWhereThereIsOne) {
  const EmbeddingModel tables = model(true);
  EXPECT_EQ(asked(tables, 4, 1, Side::kHead, 9), asked(tables, 4, 4, Side::kTail, 9));
  EXPECT_NE(asked(tables, 4, 1, Side::kHead, 9), asked(tables, 9, 1, Side::kTail, 4));
}

TEST_P(EveryModel, LeavesThePaddingOfPointsZero) {
  const EmbeddingModel tables = model(false);
  Matrix point(1, 38);
  tables.question(1, 2, Side::kHead, point.row(0));
  for (int j = 38; j < point.stride(); ++j) EXPECT_EQ(point.row(0)[j], 0.0F);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         testing::ValuesIn(Choice<EmbeddingKind>(EmbeddingKind::kTransE).names()),
                         [](const auto& model) { return model.param; });

TEST(EmbeddingConfig, TellsWhatDoesNotGoTogether) {
  const auto refused = [](auto change) {
    EmbeddingConfig config;
    change(config);
    try {
      validate(config);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused([](auto& c) { c.model = "complex"; }), "");
  EXPECT_NE(refused([](auto& c) { c.model = "complex", c.dim = 15; }).find("dim: must be even"),
            std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.model = "rotate", c.norm = "l1"; }).find("norm"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.model = "distmult", c.sampling = "per_triple"; }).find("sampling"),
            std::string::npos);
}

}  // namespace
}  // namespace kgwalk::embeddings
