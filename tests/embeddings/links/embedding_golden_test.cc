// Scores, loss and gradients of every model against PyTorch's autograd
// (tests/golden/make_embedding_scores.py).
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "embeddings/links/question_trainer.h"
#include "runtime/config.h"
#include "tests/embeddings/fixtures.h"

namespace kgwalk::embeddings {
namespace {

constexpr std::int64_t kEntities = 9;

Json golden() {
  const std::filesystem::path root = KGWALK_SOURCE_DIR;
  return read_json_file((root / "tests/golden/embedding_scores.json").string());
}

Matrix matrix_of(const Json& rows) {
  Matrix out(static_cast<std::int64_t>(rows.size()), static_cast<int>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      out.row(static_cast<std::int64_t>(i))[j] = rows[i][j].get<float>();
  return out;
}

EmbeddingConfig config_of(const Json& c) {
  EmbeddingConfig config;
  config.model = c["model"].get<std::string>();
  config.norm = c["norm"].get<std::string>();
  config.loss = c["loss"].get<std::string>();
  config.sampling = c["sampling"].get<std::string>();
  config.reciprocal = c["reciprocal"];
  config.margin = c["margin"];
  config.n3_penalty = c["n3_penalty"];
  config.dim = 10;
  config.batch = 4;
  config.negatives = 5;
  config.optimizer = "sgd";
  return config;
}

EmbeddingModel model_of(const EmbeddingConfig& config, const Json& c) {
  const ScoreModel& score = score_model(config.model);
  EmbeddingModel model{&score, score.measure(config), matrix_of(c["entities"]), Matrix(), Matrix()};
  Matrix trained = matrix_of(c["relations"]);
  if (score.parameters(config.dim) > 0) {
    model.relations = Matrix(trained.rows(), config.dim);
    for (std::int64_t r = 0; r < trained.rows(); ++r)
      score.make_relation(trained.values(r), model.relations.values(r));
    model.parameters = std::move(trained);
  } else {
    model.relations = std::move(trained);
  }
  if (config.reciprocal) model.reverse = {3, 4, 5};
  return model;
}

// The questions of the script, with their answers in ascending order.
struct Asked {
  std::vector<std::vector<EntityId>> answers{{3, 4}, {0, 2, 4}, {8}, {1}};
  std::vector<std::vector<float>> weights{{1, 0.5F}, {1, 2, 1}, {1}, {1.5F}};
  std::vector<Question> questions{{0, 0, Side::kTail, answers[0], weights[0], answers[0]},
                                  {4, 0, Side::kHead, answers[1], weights[1], answers[1]},
                                  {7, 1, Side::kTail, answers[2], weights[2], answers[2]},
                                  {5, 2, Side::kHead, answers[3], weights[3], answers[3]}};
  std::vector<EntityId> shared{1, 3, 6, 8, 0};
};

std::string name_of(const Json& c) {
  return c["model"].get<std::string>() + " " + c["norm"].get<std::string>() + " " +
         c["loss"].get<std::string>() + " " + c["sampling"].get<std::string>() +
         (c["reciprocal"].get<bool>() ? " reciprocal" : "");
}

TEST(EmbeddingGolden, DistancesAreThoseOfThePapers) {
  for (const Json& c : golden()) {
    const EmbeddingModel model = model_of(config_of(c), c);
    const Triple facts[] = {{0, 0, 1}, {4, 1, 4}, {8, 2, 3}};
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(model.distance(facts[i]), c["distances"][i].get<double>(), 2e-5) << name_of(c);
  }
}

// One step of plain descent at rate 1 moves the tables by the mean gradient over the questions.
TEST(EmbeddingGolden, LossAndGradientsAreThoseOfAutograd) {
  const Asked asked;
  const auto count = static_cast<double>(asked.questions.size());
  std::size_t cases = 0;
  for (const Json& c : golden()) {
    SCOPED_TRACE(name_of(c));
    const EmbeddingConfig config = config_of(c);
    EmbeddingModel model = model_of(config, c);
    const Matrix entities = matrix_of(c["entities"]), relations = matrix_of(c["relations"]);
    QuestionTrainer trainer(config, model);
    const bool all = config.sampling == EmbeddingSampling::kAll;
    const double loss = trainer.step(asked.questions, all ? std::span<const EntityId>() : asked.shared, 1.0F);
    EXPECT_NEAR(loss, c["value"].get<double>(), 1e-4 * loss);
    const Matrix& moved = model.parameters.rows() > 0 ? model.parameters : model.relations;
    for (std::int64_t e = 0; e < kEntities; ++e)
      for (int j = 0; j < config.dim; ++j)
        ASSERT_NEAR(
            count * (entities.row(e)[j] - model.entities.row(e)[j]),
            c["entity_gradient"][static_cast<std::size_t>(e)][static_cast<std::size_t>(j)].get<double>(),
            3e-5)
            << "entity " << e << ", column " << j;
    for (std::int64_t r = 0; r < relations.rows(); ++r)
      for (int j = 0; j < relations.dim(); ++j)
        ASSERT_NEAR(
            count * (relations.row(r)[j] - moved.row(r)[j]),
            c["relation_gradient"][static_cast<std::size_t>(r)][static_cast<std::size_t>(j)].get<double>(),
            3e-5)
            << "relation " << r << ", column " << j;
    ++cases;
  }
  EXPECT_EQ(cases, 84U);
}

}  // namespace
}  // namespace kgwalk::embeddings
