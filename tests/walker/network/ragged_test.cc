#include "walker/network/ragged.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kgwalk/error.h"
#include "tests/seq2seq/golden_readings.h"
#include "tests/seq2seq/gradient_check.h"
#include "walker/training/loss.h"

namespace kgwalk::walker {
namespace {

using seq2seq::testing::expect_gradients_match;
using seq2seq::testing::random_leaf;
using torch::Tensor;

Tensor offsets_of(std::vector<std::int64_t> offsets) {
  return torch::tensor(at::ArrayRef<std::int64_t>(offsets), torch::kInt64);
}

TEST(Ragged, LogSoftmaxEqualsThatOfEachSegment) {
  const Tensor x = torch::randn({9}, torch::kFloat64) * 30;
  const Tensor y = ragged_log_softmax(x, offsets_of({0, 4, 4, 5, 9}));
  for (const auto& [begin, end] : {std::pair(0, 4), std::pair(4, 5), std::pair(5, 9)})
    EXPECT_LT(
        (y.slice(0, begin, end) - torch::log_softmax(x.slice(0, begin, end), 0)).abs().max().item<double>(),
        1e-12);
}

TEST(Ragged, LogSoftmaxStandsLargeScores) {
  const Tensor y = ragged_log_softmax(torch::tensor({1e4, 1e4 - 1.0}, torch::kFloat32), offsets_of({0, 2}));
  EXPECT_NEAR(y[0].item<double>(), -0.313, 1e-3);
}

TEST(Ragged, LogSoftmaxGradientIsRight) {
  const Tensor x = random_leaf({7});
  expect_gradients_match({{"scores", x}}, [&] { return ragged_log_softmax(x, offsets_of({0, 3, 7})); });
}

TEST(Ragged, ProductGradientIsRight) {
  const Tensor states = random_leaf({3, 5}), table = random_leaf({4, 5});
  const Tensor rows = torch::tensor({0, 2, 2, 3, 1, 0}, torch::kInt64);
  expect_gradients_match({{"states", states}, {"table", table}}, [&] {
    return ragged_product(states, table, rows, offsets_of({0, 2, 2, 6}));
  });
}

TEST(Ragged, ProductEqualsGatheredVectors) {
  const Tensor states = torch::randn({2, 6}), table = torch::randn({5, 6});
  const Tensor rows = torch::tensor({4, 1, 3}, torch::kInt64);
  const Tensor out = ragged_product(states, table, rows, offsets_of({0, 1, 3}));
  const Tensor wanted =
      (states.index_select(0, torch::tensor({0, 1, 1}, torch::kInt64)) * table.index_select(0, rows)).sum(1);
  EXPECT_LT((out - wanted).abs().max().item<double>(), 1e-5);
}

TEST(Ragged, PickTakesTheSegmentsRow) {
  const Tensor matrix = torch::arange(6, torch::kFloat32).view({2, 3});
  const Tensor out = ragged_pick(matrix, torch::tensor({2, 0, 1}, torch::kInt64), offsets_of({0, 1, 3}));
  EXPECT_TRUE(torch::equal(out, torch::tensor({2.0F, 3.0F, 4.0F})));
}

TEST(Ragged, OffsetsThatDoNotFitAreRefused) {
  EXPECT_THROW((void)ragged_log_softmax(torch::zeros({3}), offsets_of({0, 2})), ShapeError);
  EXPECT_THROW((void)ragged_product(torch::zeros({2, 3}), torch::zeros({4, 3}),
                                    torch::zeros({1}, torch::kInt64), offsets_of({0, 1})),
               ShapeError);
}

class ZeroShotScoring : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Readings, ZeroShotScoring,
                         ::testing::ValuesIn(seq2seq::testing::all_readings("walker.json")),
                         seq2seq::testing::reading_name);

// Eq. 5.7 over candidates of different numbers, eop among them, and the loss, of tests/golden/make_walker.py
// and of another reading.
TEST_P(ZeroShotScoring, EqualsTheReading) {
  const Json golden = read_json_file(GetParam())["zero_shot_scoring"];
  const auto tensor = [](const Json& json) { return seq2seq::testing::tensor_of(json); };
  const Tensor state = tensor(golden["inputs"]["state"]);
  const Tensor entities = tensor(golden["weights"]["entities"]),
               relations = tensor(golden["weights"]["relations"]);
  const Tensor eop = tensor(golden["weights"]["eop"]);
  const std::int64_t d = relations.size(1);
  const Tensor relation_table = torch::cat({relations, eop.slice(0, 0, d).unsqueeze(0)}, 0);
  const Tensor entity_table = torch::cat({entities, eop.slice(0, d).unsqueeze(0)}, 0);
  std::vector<std::int64_t> offsets{0}, rows, columns, gold;
  for (const Json& list : golden["inputs"]["candidates"]) {
    for (const Json& pair : list) {
      columns.push_back(pair[0]);
      rows.push_back(pair[1]);
    }
    columns.push_back(relations.size(0));
    rows.push_back(entities.size(0));
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
  for (std::size_t i = 0; i < golden["inputs"]["gold"].size(); ++i)
    gold.push_back(offsets[i] + golden["inputs"]["gold"][i].get<std::int64_t>());
  const Tensor starts = offsets_of(offsets);
  const Tensor scores =
      ragged_pick(torch::matmul(state.slice(1, 0, d), relation_table.t()), offsets_of(columns), starts) +
      ragged_product(state.slice(1, d).contiguous(), entity_table, offsets_of(rows), starts);
  const Tensor log_probs = ragged_log_softmax(scores, starts);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    EXPECT_LT(seq2seq::testing::largest_difference(log_probs.slice(0, offsets[i], offsets[i + 1]).exp(),
                                                   tensor(golden["expected"]["probabilities"][i])),
              1e-9);
  LossConfig config;
  config.length = golden["options"]["gamma"];
  config.path = golden["options"]["lambda"];
  const Tensor lengths = tensor(golden["inputs"]["length_gold"]).to(torch::kInt64);
  const WalkLoss loss = walk_loss(config, log_probs, starts, tensor(golden["inputs"]["length_logits"]),
                                  {offsets_of(gold), {}, lengths});
  EXPECT_NEAR(loss.path.item<double>(), golden["expected"]["path_cross_entropy"]["data"][0].get<double>(),
              1e-9);
  EXPECT_NEAR(loss.length.item<double>(), golden["expected"]["length_cross_entropy"]["data"][0].get<double>(),
              1e-9);
  EXPECT_NEAR(loss.total.item<double>(), golden["expected"]["loss_without_l2"]["data"][0].get<double>(),
              1e-9);
}

TEST(WalkLoss, ParallelEdgesShareTheGoldProbability) {
  LossConfig config;
  config.length = 0;
  config.path = 1;
  const Tensor log_probs = torch::tensor({0.5, 0.3, 0.2}, torch::kFloat64).log();
  WalkTargets targets;
  targets.gold = torch::tensor({0}, torch::kInt64);
  EXPECT_NEAR(walk_loss(config, log_probs, offsets_of({0, 3}), {}, targets).total.item<double>(),
              -std::log(0.5), 1e-9);
  targets.accepted = torch::tensor({1.0, 0.0, 1.0}, torch::kFloat64);
  EXPECT_NEAR(walk_loss(config, log_probs, offsets_of({0, 3}), {}, targets).total.item<double>(),
              -std::log(0.7), 1e-9);
}

TEST(WalkLoss, SmoothingGivesAShareOfTheGoldToAllCandidatesAlike) {
  LossConfig config;
  config.length = 0;
  config.path = 1;
  config.smoothing = 0.2;
  const Tensor log_probs = torch::tensor({0.5, 0.3, 0.2, 0.9, 0.1}, torch::kFloat64).log();
  WalkTargets targets;
  targets.gold = torch::tensor({1, 3}, torch::kInt64);
  const double first = 0.8 * std::log(0.3) + 0.2 * (std::log(0.5) + std::log(0.3) + std::log(0.2)) / 3,
               second = 0.8 * std::log(0.9) + 0.2 * (std::log(0.9) + std::log(0.1)) / 2;
  EXPECT_NEAR(walk_loss(config, log_probs, offsets_of({0, 3, 5}), {}, targets).total.item<double>(),
              -(first + second) / 2, 1e-9);
}

}  // namespace
}  // namespace kgwalk::walker
