// On the real benchmark sets: the fast evaluator against the plain one, and a short training run's quality.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "embeddings/links/embedding_training.h"
#include "embeddings/links/ranking.h"
#include "kgwalk/link_prediction.h"

namespace kgwalk::embeddings {
namespace {

std::filesystem::path data_folder() {
  if (const char* given = std::getenv("KGWALK_DATA")) return given;
  return std::filesystem::path(KGWALK_SOURCE_DIR).parent_path() / "shared" / "data";
}

std::optional<LinkDataset> load(const char* name) {
  const std::filesystem::path folder = data_folder() / name;
  if (!std::filesystem::exists(folder / "train.txt")) return std::nullopt;
  return LinkDataset::load(folder / "train.txt", folder / "valid.txt", folder / "test.txt");
}

TEST(BenchmarkData, CountsAreThePublishedOnes) {
  const auto data = load("FB15k-237");
  if (!data) GTEST_SKIP() << "FB15k-237 is not under " << data_folder() << "; set KGWALK_DATA";
  EXPECT_EQ(data->entities.size(), 14541U);
  EXPECT_EQ(data->relations.size(), 237U);
  EXPECT_EQ(data->train.size(), 272115U);
  EXPECT_EQ(data->valid.size(), 17535U);
  EXPECT_EQ(data->test.size(), 20466U);
}

TEST(BenchmarkData, FastRanksEqualPlainOnesAfterTraining) {
  const auto data = load("FB15k-237");
  if (!data) GTEST_SKIP() << "FB15k-237 is not under " << data_folder() << "; set KGWALK_DATA";
  const AnswerIndex known({data->train, data->valid, data->test});
  for (const char* norm : {"l1", "l2"}) {
    EmbeddingConfig config;
    config.dim = 50;
    config.norm = norm;
    config.negatives = 128;
    config.batch = 512;
    config.epochs = 2;
    EmbeddingTraining training(config, data->train, 14541, 237);
    while (!training.done()) training.run_epoch();
    const std::span<const Triple> some(data->test.data(), 1000);
    const std::vector<TripleRanks> fast = ranks(training.model(), some, known);
    EXPECT_EQ(fast, plain_ranks(training.model(), some, known));
    EXPECT_GT(summarize(fast).both.mrr, 0.15);
  }
}

}  // namespace
}  // namespace kgwalk::embeddings
