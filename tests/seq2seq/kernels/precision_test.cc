// Products of factors rounded to bfloat16, and the functions that make them under a PrecisionGuard.
#include <gtest/gtest.h>
#include <torch/nn/functional/loss.h>

#include <cmath>
#include <thread>

#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/precision.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/bf16_product.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/kernels/products.h"
#include "seq2seq/kernels/projection_loss.h"
#include "seq2seq/models/encoder_decoder.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using torch::Tensor;

#define KGWALK_NEEDS_BF16() \
  if (!bf16_available()) GTEST_SKIP() << "this processor or program has no AVX512_BF16"

Tensor rounded(const Tensor& x) { return x.to(torch::kBFloat16).to(torch::kFloat64); }

// The largest error of `found` against a b (+ c) of rounded factors, a part of the sum of the magnitudes.
double error_of(const Tensor& found, const Tensor& a, const Tensor& b, const Tensor& c = {}) {
  Tensor wanted = torch::mm(rounded(a), rounded(b)), size = torch::mm(rounded(a).abs(), rounded(b).abs());
  if (c.defined()) {
    wanted = wanted + c.to(torch::kFloat64);
    size = size + c.to(torch::kFloat64).abs();
  }
  return ((found.to(torch::kFloat64) - wanted).abs() / (size + 1e-30)).max().item<double>();
}

// Error of float32 sums of k terms: each step rounds, and the errors seldom agree.
double rounding(std::int64_t k) { return 2e-7 * std::sqrt(static_cast<double>(k) + 4); }

TEST(Bf16Product, EqualsRoundedFactorsForEveryShapeAndStride) {
  KGWALK_NEEDS_BF16();
  torch::manual_seed(1);
  for (const std::int64_t m : {1, 7, 16, 25, 131})
    for (const std::int64_t n : {1, 15, 33, 48, 100})
      for (const std::int64_t k : {1, 2, 31, 34, 64, 257, 301})
        for (const bool a_turned : {false, true})
          for (const bool b_turned : {false, true}) {
            const Tensor a = a_turned ? torch::randn({k, m}).t() : torch::randn({m, k}),
                         b = b_turned ? torch::randn({n, k}).t() : torch::randn({k, n}),
                         bias = torch::randn({n});
            const std::string what = std::to_string(m) + " x " + std::to_string(k) + " x " +
                                     std::to_string(n) + (a_turned ? " a^T" : "") + (b_turned ? " b^T" : "");
            EXPECT_LT(error_of(product(a, b, Precision::kBf16), a, b), rounding(k)) << what;
            Tensor out = torch::full({m, n}, 1e9);
            product_into(out, a, b, bias, Precision::kBf16);
            EXPECT_LT(error_of(out, a, b, bias), rounding(k)) << what;
            Tensor sum = torch::randn({m, n});
            const Tensor before = sum.clone();
            add_product(sum, a, b, Precision::kBf16);
            EXPECT_LT(error_of(sum, a, b, before), rounding(k)) << what;
          }
}

TEST(Bf16Product, TakesMoreThanOneBlockAndStridesOfBothKinds) {
  KGWALK_NEEDS_BF16();
  torch::manual_seed(2);
  const Tensor a = torch::randn({140, 600}), b = torch::randn({600, 1700});
  EXPECT_LT(error_of(product(a, b, Precision::kBf16), a, b), rounding(600));
  const auto none = torch::indexing::Slice(torch::indexing::None, torch::indexing::None, 3);
  const Tensor c = torch::randn({90, 150}).index({none, none}),
               d = torch::randn({150, 111}).index({none, none});
  EXPECT_LT(error_of(product(c, d, Precision::kBf16), c, d), rounding(50));
  const Tensor wide = torch::full({30, 80}, 5.0);
  Tensor part = wide.narrow(1, 20, 37);
  product_into(part, c, d, {}, Precision::kBf16);
  EXPECT_LT(error_of(part, c, d), rounding(50));
  EXPECT_TRUE((wide.narrow(1, 0, 20) == 5).all().item<bool>() &&
              (wide.narrow(1, 57, 23) == 5).all().item<bool>())
      << "nothing beside the result is written";
}

TEST(Bf16Product, NothingToSumGivesTheBias) {
  KGWALK_NEEDS_BF16();
  const Tensor a = torch::empty({3, 0}), b = torch::empty({0, 20}), bias = torch::randn({20});
  EXPECT_EQ(largest_difference(product(a, b, Precision::kBf16), torch::zeros({3, 20})), 0);
  Tensor out = torch::ones({3, 20});
  product_into(out, a, b, bias, Precision::kBf16);
  EXPECT_EQ(largest_difference(out, bias.expand({3, 20})), 0);
  EXPECT_EQ(product(torch::empty({0, 4}), torch::empty({4, 5}), Precision::kBf16).size(0), 0);
  EXPECT_THROW((void)product(torch::ones({2, 3}), torch::ones({4, 2}), Precision::kBf16), ShapeError);
}

TEST(Bf16Product, RoundsHalfwayToEvenAndKeepsWhatIsNoNumber) {
  KGWALK_NEEDS_BF16();
  const float ulp = 0x1p-7F;
  const Tensor x =
      torch::tensor({1 + ulp / 2, 1 + 3 * ulp / 2, 1 + ulp / 4, std::nanf(""), INFINITY}).unsqueeze(1);
  const Tensor y = product(x, torch::ones({1, 1}), Precision::kBf16);
  EXPECT_EQ(y[0].item<float>(), 1);
  EXPECT_EQ(y[1].item<float>(), 1 + 2 * ulp);
  EXPECT_EQ(y[2].item<float>(), 1);
  EXPECT_TRUE(std::isnan(y[3].item<float>()));
  EXPECT_TRUE(std::isinf(y[4].item<float>()));
}

TEST(Bf16Product, DoesNotDependOnTheNumberOfThreads) {
  KGWALK_NEEDS_BF16();
  torch::manual_seed(3);
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{500, 70}, {70, 500}}) {
    const Tensor a = torch::randn({m, 300}), b = torch::randn({300, n}), bias = torch::randn({n});
    std::vector<Tensor> results;
    for (const int threads : {1, 2, 3}) {
      set_num_threads(threads);
      Tensor out = torch::empty({m, n});
      product_into(out, a, b, bias, Precision::kBf16);
      results.push_back(out);
    }
    set_num_threads(1);
    EXPECT_TRUE(torch::equal(results[0], results[1]));
    EXPECT_TRUE(torch::equal(results[0], results[2]));
  }
}

struct Leaves {
  Tensor x = leaf({6, 10, 48}, 1), w1 = leaf({80, 48}, 0.15), b1 = leaf({80}, 0.1), w2 = leaf({48, 80}, 0.15),
         b2 = leaf({48}, 0.1);
  static Tensor leaf(at::IntArrayRef shape, double scale) {
    return (torch::randn(shape) * scale).requires_grad_(true);
  }
  [[nodiscard]] std::vector<Tensor> all() const { return {x, w1, b1, w2, b2}; }
};

// The value of `f` and the gradients of its leaves, backward outside of the scope.
std::vector<Tensor> run(Precision precision, const Leaves& leaves, const std::function<Tensor()>& f) {
  Tensor y;
  {
    const PrecisionGuard guard(precision);
    y = f();
  }
  std::vector<Tensor> results{y.detach()};
  for (const Tensor& grad : torch::autograd::grad({y.pow(2).sum()}, leaves.all(), {}, {}, false, true))
    if (grad.defined()) results.push_back(grad);
  return results;
}

void expect_rounded_only(const Leaves& leaves, const std::function<Tensor()>& f) {
  const std::vector<Tensor> exact = run(Precision::kFloat32, leaves, f),
                            found = run(Precision::kBf16, leaves, f);
  ASSERT_EQ(exact.size(), found.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = (found[i] - exact[i]).norm().item<double>() / exact[i].norm().item<double>();
    EXPECT_LT(error, 0.01) << i;
    EXPECT_GT(error, 1e-5) << i << " was not rounded, forward or backward";
  }
}

TEST(PrecisionGuard, FunctionsMultiplyRoundedFactorsForwardAndBackward) {
  KGWALK_NEEDS_BF16();
  torch::manual_seed(4);
  const Leaves l;
  expect_rounded_only(l, [&] { return linear(l.x, l.w1, l.b1); });
  expect_rounded_only(l, [&] { return feed_forward(l.x, {l.w1, l.b1, l.w2, l.b2}, Activation::kGelu, 0); });
  const Tensor gold = torch::arange(60, torch::kInt64);
  const auto states = [&] { return l.x.reshape({60, 48}); };
  expect_rounded_only(l, [&] { return projection_loss(states(), l.w1, l.b1, gold, 0.1).loss / 60; });
  expect_rounded_only(l, [&] { return gold_log_probs(states(), l.w1, l.b1, gold); });
}

TEST(PrecisionGuard, ABackwardPassHasThePrecisionOfItsForwardPass) {
  KGWALK_NEEDS_BF16();
  torch::manual_seed(5);
  const Leaves l;
  const Tensor y = linear(l.x, l.w1, l.b1).pow(2).sum(), plain = torch::linear(l.x, l.w1, l.b1).pow(2).sum();
  const PrecisionGuard guard(Precision::kBf16);
  const Tensor found = torch::autograd::grad({y}, {l.w1})[0],
               wanted = torch::autograd::grad({plain}, {l.w1})[0];
  EXPECT_LT((found - wanted).norm().item<double>() / wanted.norm().item<double>(), 1e-6);
}

TEST(PrecisionGuard, LeavesDoublesAndWhatRecordsNoGradientAlone) {
  torch::manual_seed(6);
  const Leaves l;
  const PrecisionGuard guard(Precision::kBf16);
  const auto twice = [](const Tensor& x) { return x.detach().to(torch::kFloat64).requires_grad_(true); };
  EXPECT_LT(largest_difference(linear(twice(l.x), twice(l.w1), twice(l.b1)),
                               torch::linear(twice(l.x), twice(l.w1), twice(l.b1))),
            1e-12);
  const torch::NoGradGuard no_grad;
  EXPECT_LT(largest_difference(linear(l.x, l.w1, l.b1), torch::linear(l.x, l.w1, l.b1)), 1e-5);
  EXPECT_LT(largest_difference(feed_forward(l.x, {l.w1, l.b1, l.w2, l.b2}, Activation::kRelu, 0),
                               torch::linear(torch::relu(torch::linear(l.x, l.w1, l.b1)), l.w2, l.b2)),
            1e-5);
}

// Copies its source: without attention to it the loss stays at log 16.
TEST(PrecisionGuard, ATranslatorLearnsToCopy) {
  KGWALK_NEEDS_BF16();
  constexpr std::int64_t kPieces = 20, kRows = 32, kLength = 6;
  EncoderDecoderOptions options;
  for (StackOptions* stack : {&options.encoder, &options.decoder}) {
    stack->layers = 1;
    stack->width = 32;
    stack->heads = 2;
    stack->ffn_width = 64;
    stack->dropout = 0;
    stack->attention_dropout = 0;
  }
  const auto last_loss = [&](Precision precision) {
    torch::manual_seed(7);
    EncoderDecoder model(options, kPieces);
    AdamConfig config;
    config.lr = 3e-3;
    FlatAdam adam(model->parameters(), config);
    const PrecisionGuard guard(precision);
    double loss = 0;
    for (int step = 0; step < 300; ++step) {
      adam.zero_grad();
      const Tensor source = torch::randint(4, kPieces, {kRows, kLength}, torch::kInt64);
      const Tensor start = torch::full({kRows, 1}, 2, torch::kInt64);
      const Tensor target = torch::cat({start, source.narrow(1, 0, kLength - 1)}, 1);
      const Teaching teaching{target, {}, torch::arange(kRows * kLength, torch::kInt64), source.flatten()};
      const Tensor mean = model->loss(model->encode(source, {}), teaching, 0).loss / double(kRows * kLength);
      mean.backward();
      adam.step();
      loss = mean.item<double>();
    }
    return loss;
  };
  const double rounded_loss = last_loss(Precision::kBf16);
  EXPECT_LT(rounded_loss, 0.5) << "of log 16 = 2.77";
  EXPECT_NE(rounded_loss, last_loss(Precision::kFloat32)) << "the precision changes nothing";
}

}  // namespace
}  // namespace kgwalk::seq2seq
