// The vector kernels against LibTorch's operations and the standard library.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/kernels/attend_cpu.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/kernels/linear.h"
#include "seq2seq/kernels/packed_matrix.h"
#include "seq2seq/kernels/vector_math.h"
#include "tests/seq2seq/golden.h"
#include "tests/seq2seq/gradient_check.h"

namespace kgwalk::seq2seq {
namespace {

using testing::expect_gradients_match;
using testing::largest_difference;
using testing::random_leaf;
using torch::Tensor;

TEST(VectorMath, ElementaryFunctionsAgreeWithTheStandardLibrary) {
  for (float x = -90; x < 88; x += 0.37f) {
    const double exact = std::exp(static_cast<double>(x));
    if (x > -87) {
      EXPECT_NEAR(math::exp(x) / exact, 1, 3e-7) << x;
    }
  }
  for (float x = -12; x < 12; x += 0.0137f) {
    EXPECT_NEAR(math::erf(x), std::erf(static_cast<double>(x)), 3e-7) << x;
    EXPECT_NEAR(math::tanh(x), std::tanh(static_cast<double>(x)), 5e-7) << x;
  }
  EXPECT_EQ(math::exp(0.0f), 1.0f);
}

TEST(VectorMath, DropoutKeepsTheStatedShare) {
  const math::Dropout dropout{0.3, 12345};
  int kept = 0;
  for (std::int64_t row = 0; row < 100; ++row) {
    const std::uint32_t seed = dropout.row_seed(row);
    for (std::uint32_t i = 0; i < 1000; ++i) kept += math::random_bits(seed, i) >= dropout.threshold();
  }
  EXPECT_NEAR(kept, 70000, 5 * std::sqrt(100000 * 0.3 * 0.7));
  EXPECT_NE(dropout.row_seed(1), dropout.row_seed(2));
}

Tensor plain_activation(const Tensor& x, Activation activation) {
  if (activation == Activation::kGelu) return torch::gelu(x);
  if (activation == Activation::kGeluNew) return torch::gelu(x, "tanh");
  return activation == Activation::kRelu ? torch::relu(x) : x;
}

constexpr Activation kAll[] = {Activation::kGelu, Activation::kGeluNew, Activation::kRelu};

TEST(PackedMatrix, ProductsOfAnyShapeEqualPlainOnes) {
  torch::manual_seed(1);
  for (const std::int64_t out : {5, 32, 70})
    for (const std::int64_t in : {1, 7, 64})
      for (const std::int64_t rows : {1, 2, 12, 13, 14, 30}) {
        const Tensor w = torch::randn({out, in}), x = torch::randn({rows, in}), b = torch::randn({out}),
                     residual = torch::randn({rows, out});
        Tensor y = torch::empty({rows, out});
        const PackedMatrix packed(w.data_ptr<float>(), out, in);
        PackedProduct product{x.data_ptr<float>(), in, y.data_ptr<float>(), out, rows};
        product.bias = b.data_ptr<float>();
        product.activation = Activation::kGelu;
        product.residual = residual.data_ptr<float>();
        product.residual_stride = out;
        multiply(packed, product);
        const Tensor wanted =
            torch::gelu(torch::linear(x.to(torch::kFloat64), w.to(torch::kFloat64), b.to(torch::kFloat64))) +
            residual;
        EXPECT_LT(largest_difference(y, wanted), 1e-5) << out << " x " << in << ", " << rows << " rows";
      }
}

TEST(Linear, PackedWeightsFollowEveryChangeOfTheParameters) {
  torch::manual_seed(2);
  Linear map(8, 40);
  map->eval();
  const Tensor x = torch::randn({3, 8});
  const torch::NoGradGuard guard;
  ASSERT_NE(map->packed(), nullptr);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(largest_difference(map(x), torch::linear(x, map->weight, map->bias)), 1e-5);
    map->weight.add_(0.5);  // in place, as optimizers and load_state do
  }
  map->train();
  EXPECT_EQ(map->packed(), nullptr);
  map->weight.data_ptr<float>()[0] += 3;  // behind LibTorch's back, as a flat optimizer may in training
  map->eval();
  EXPECT_LT(largest_difference(map(x), torch::linear(x, map->weight, map->bias)), 1e-5);
}

TEST(Linear, RefusesRowsOfAnotherWidth) {
  Linear map(8, 4);
  EXPECT_THROW(map(torch::randn({3, 7})), ShapeError);
}

TEST(Functions, FloatResultsEqualLibTorchs) {
  torch::manual_seed(3);
  const Tensor x = torch::randn({37, 53}) * 3, r = torch::randn({37, 53}), w = torch::randn({53}),
               b = torch::randn({53});
  for (const Activation activation : kAll)
    EXPECT_LT(largest_difference(activate(x, activation), plain_activation(x, activation)), 2e-6);
  EXPECT_LT(largest_difference(layer_norm(x, r, w, b, 1e-5), torch::layer_norm(x + r, {53}, w, b, 1e-5)),
            1e-5);
  EXPECT_LT(largest_difference(layer_norm(x, {}, w, b, 1e-5), torch::layer_norm(x, {53}, w, b, 1e-5)), 1e-5);
  EXPECT_EQ(largest_difference(dropout_add(x, r, 0), x + r), 0);
}

TEST(Functions, GradientsOfEveryFunctionAreRight) {
  torch::manual_seed(4);
  const Tensor x = random_leaf({3, 2, 19}), r = random_leaf({3, 2, 19}), w = random_leaf({19}),
               b = random_leaf({19});
  for (const Activation activation : kAll)
    expect_gradients_match({{"x", x}}, [&] { return activate(x, activation); });
  expect_gradients_match({{"x", x}, {"r", r}, {"w", w}, {"b", b}},
                         [&] { return layer_norm(x, r, w, b, 1e-5); });
  expect_gradients_match({{"x", x}, {"w", w}, {"b", b}}, [&] { return layer_norm(x, {}, w, b, 1e-5); });
  expect_gradients_match({{"x", x}, {"r", r}}, [&] { return dropout_add(x, r, 0); });
  const auto dropped = [&] {
    torch::manual_seed(11);
    return dropout_add(x, r, 0.4);
  };
  expect_gradients_match({{"x", x}, {"r", r}}, dropped);
  const Tensor m = random_leaf({7, 19}), c = random_leaf({7});
  expect_gradients_match({{"x", x}, {"m", m}, {"c", c}}, [&] { return seq2seq::linear(x, m, c); });
  expect_gradients_match({{"x", x}, {"m", m}}, [&] { return seq2seq::linear(x, m, Tensor()); });
}

TEST(Functions, FeedForwardGradientsAreRightWithAndWithoutDropout) {
  torch::manual_seed(5);
  const Tensor x = random_leaf({5, 6}), w1 = random_leaf({18, 6}), b1 = random_leaf({18}),
               w2 = random_leaf({6, 18}), b2 = random_leaf({6});
  for (const Activation activation : kAll)
    for (const double p : {0.0, 0.3}) {
      const auto f = [&] {
        torch::manual_seed(17);
        return feed_forward(x, {w1, b1, w2, b2}, activation, p);
      };
      expect_gradients_match({{"x", x}, {"w1", w1}, {"b1", b1}, {"w2", w2}, {"b2", b2}}, f);
    }
  const Tensor wanted = torch::linear(torch::gelu(torch::linear(x, w1, b1)), w2, b2);
  EXPECT_LT(largest_difference(feed_forward(x, {w1, b1, w2, b2}, Activation::kGelu, 0), wanted), 1e-12);
}

TEST(Functions, ResultsDoNotDependOnTheNumberOfThreads) {
  const Tensor x = torch::randn({400, 96}), w = torch::randn({96});
  std::vector<Tensor> results;
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    torch::manual_seed(6);
    Tensor leaf = x.clone().requires_grad_(true), weight = w.clone().requires_grad_(true);
    const Tensor y = dropout_add(layer_norm(leaf, {}, weight, w, 1e-5), leaf, 0.2);
    y.pow(2).sum().backward();
    results.push_back(torch::cat({y.detach().flatten(), leaf.grad().flatten(), weight.grad()}));
  }
  set_num_threads(1);
  EXPECT_TRUE(torch::equal(results[0], results[1]));
  EXPECT_TRUE(torch::equal(results[0], results[2]));
}

// One query a head, as in decoding step by step: every number of keys around the blocks of 16.
TEST(AttendForward, OneQueryEqualsTheFormulaForEveryNumberOfKeys) {
  torch::manual_seed(7);
  for (const std::int64_t d : {8, 16, 32, 48})
    for (std::int64_t keys = 1; keys <= 37; ++keys) {
      const std::int64_t heads = 2, inner = heads * d;
      const torch::Tensor q = torch::randn({1, inner}), kv = torch::randn({keys, 2 * inner});
      torch::Tensor out = torch::empty({1, inner});
      const AttendShape shape{1, 1, keys, heads, d, 0.3};
      const float* packed = kv.data_ptr<float>();
      attend_forward<float>(shape, {q.data_ptr<float>(), inner, inner}, {packed, keys * 2 * inner, 2 * inner},
                            {packed + inner, keys * 2 * inner, 2 * inner},
                            {out.data_ptr<float>(), inner, inner}, false, nullptr);
      for (std::int64_t h = 0; h < heads; ++h) {
        const torch::Tensor one = q.narrow(1, h * d, d), k = kv.narrow(1, h * d, d),
                            v = kv.narrow(1, inner + h * d, d);
        const torch::Tensor expected = torch::softmax(0.3 * torch::matmul(one, k.t()), 1).matmul(v);
        EXPECT_LT((out.narrow(1, h * d, d) - expected).abs().max().item<double>(), 1e-5) << d << " " << keys;
      }
    }
}

TEST(Functions, UnknownActivationsAreNamed) {
  try {
    (void)Choice<Activation>("mish");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("mish"), std::string::npos);
  }
}

}  // namespace
}  // namespace kgwalk::seq2seq
