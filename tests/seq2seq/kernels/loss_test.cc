#include <torch/nn/functional/loss.h>

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/cross_entropy.h"
#include "seq2seq/kernels/projection_loss.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::expect_gradients_match;
using torch::Tensor;

struct Case {
  Tensor states = testing::random_leaf({300, 5});  // more rows than one block
  Tensor weight = testing::random_leaf({7, 5});
  Tensor bias = testing::random_leaf({7});
  Tensor gold = torch::arange(300, torch::kInt64).remainder(7);
};

TEST(ProjectionLoss, EqualsLibTorchsCrossEntropy) {
  torch::manual_seed(1);
  const Case c;
  for (const double smoothing : {0.0, 0.1}) {
    const auto options =
        torch::nn::functional::CrossEntropyFuncOptions().label_smoothing(smoothing).reduction(torch::kSum);
    const Tensor expected =
        torch::nn::functional::cross_entropy(torch::linear(c.states, c.weight, c.bias), c.gold, options);
    const ProjectionLoss found = projection_loss(c.states, c.weight, c.bias, c.gold, smoothing);
    EXPECT_NEAR(found.loss.item<double>(), expected.item<double>(), 1e-9);
    const torch::NoGradGuard no_grad;
    const ProjectionLoss bare = projection_loss(c.states, c.weight, c.bias, c.gold, smoothing);
    EXPECT_NEAR(bare.loss.item<double>(), expected.item<double>(), 1e-9);
    EXPECT_FALSE(bare.loss.requires_grad());
    EXPECT_NEAR(bare.nll, projection_loss(c.states, c.weight, c.bias, c.gold, 0).loss.item<double>(), 1e-9);
  }
}

TEST(ProjectionLoss, GradientsMatch) {
  torch::manual_seed(2);
  const Case c;
  expect_gradients_match({{"states", c.states}, {"weight", c.weight}, {"bias", c.bias}},
                         [&] { return projection_loss(c.states, c.weight, c.bias, c.gold, 0.1).loss; });
  expect_gradients_match({{"states", c.states}, {"weight", c.weight}, {"bias", c.bias}},
                         [&] { return gold_log_probs(c.states, c.weight, c.bias, c.gold); });
  expect_gradients_match({{"states", c.states}, {"weight", c.weight}},
                         [&] { return projection_loss(c.states, c.weight, {}, c.gold, 0).loss; });
}

TEST(ProjectionLoss, TwoPassesAreHeldTogetherAsRDropsEquation4Says) {
  torch::manual_seed(4);
  const Case c;  // 300 rows are 150 pairs, more than one block
  const Tensor gold = c.gold.narrow(0, 0, 150);
  for (const double smoothing : {0.0, 0.1}) {
    const Tensor log_probs = torch::log_softmax(torch::linear(c.states, c.weight, c.bias), 1);
    const Tensor p = log_probs.narrow(0, 0, 150), q = log_probs.narrow(0, 150, 150);
    const Tensor apart = ((p.exp() - q.exp()) * (p - q)).sum();  // both divergences
    const ProjectionLoss plain =
        projection_loss(c.states, c.weight, c.bias, torch::cat({gold, gold}), smoothing);
    const auto paired = [&] {
      return paired_projection_loss(c.states, c.weight, c.bias, gold, smoothing, 5);
    };
    EXPECT_NEAR(paired().loss.item<double>(), (plain.loss + 2.5 * apart).item<double>(), 1e-9);
    EXPECT_NEAR(paired().nll, plain.nll, 1e-9);
    expect_gradients_match({{"states", c.states}, {"weight", c.weight}, {"bias", c.bias}},
                           [&] { return paired().loss; });
    const torch::NoGradGuard no_grad;
    EXPECT_NEAR(paired().loss.item<double>(), (plain.loss + 2.5 * apart).item<double>(), 1e-9);
  }
  EXPECT_THROW((void)paired_projection_loss(c.states, c.weight, c.bias, c.gold, 0, 5), ShapeError);
  EXPECT_THROW((void)paired_projection_loss(c.states, c.weight, c.bias, gold, 0, 0), ConfigError);
}

TEST(ProjectionLoss, WorksInFloat32WithLargeLogits) {
  torch::manual_seed(3);
  const Tensor states = torch::randn({20, 16}) * 20, weight = torch::randn({100, 16});
  const Tensor gold = torch::randint(100, {20}, torch::kInt64);
  const Tensor expected = torch::nn::functional::cross_entropy(
      torch::linear(states, weight), gold,
      torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
  EXPECT_NEAR(projection_loss(states, weight, {}, gold, 0).nll / expected.item<double>(), 1, 1e-5);
}

TEST(ProjectionLoss, RefusesWhatDoesNotFit) {
  const Tensor states = torch::zeros({2, 3}), weight = torch::zeros({4, 3});
  EXPECT_THROW((void)projection_loss(states, weight, {}, torch::tensor({0, 4}), 0), ShapeError);
  EXPECT_THROW((void)projection_loss(states, weight, {}, torch::tensor({0}), 0), ShapeError);
  EXPECT_EQ(projection_loss(states.narrow(0, 0, 0), weight, {}, torch::empty({0}, torch::kInt64), 0)
                .loss.item<float>(),
            0);
}

TEST(LargestColumns, AreThoseOfASort) {
  torch::manual_seed(4);
  for (const std::int64_t width : {1, 5, 64, 1000}) {
    Tensor x = torch::randint(50, {width}).to(torch::kFloat32);  // with ties
    if (width > 3) x[2] = -std::numeric_limits<float>::infinity();
    const float* data = x.data_ptr<float>();
    std::vector<std::pair<std::int64_t, float>> all, found;
    for (std::int64_t i = 0; i < width; ++i)
      if (std::isfinite(data[i])) all.emplace_back(i, data[i]);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    all.resize(std::min<std::size_t>(all.size(), 7));
    largest_columns({data, static_cast<std::size_t>(width)}, 7, found);
    EXPECT_EQ(found, all) << width;
  }
}

}  // namespace
}  // namespace kgwalk::seq2seq
