#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim.h>

#include "runtime/tensor/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "runtime/tensor/torch.h"

namespace kgwalk {
namespace {

// A network whose parameters are no multiples of a vector's width.
torch::nn::Sequential network() {
  torch::manual_seed(1);
  return torch::nn::Sequential(torch::nn::Linear(7, 13), torch::nn::Tanh(), torch::nn::Linear(13, 3));
}

torch::Tensor loss_of(torch::nn::Sequential& net, int i) {
  torch::manual_seed(static_cast<std::uint64_t>(100 + i));
  return net->forward(torch::randn({9, 7})).pow(2).sum();
}

void expect_same(torch::nn::Sequential& a, torch::nn::Sequential& b) {
  const auto pa = a->parameters(), pb = b->parameters();
  for (std::size_t i = 0; i < pa.size(); ++i)
    EXPECT_TRUE(torch::allclose(pa[i], pb[i], 1e-5, 1e-6))
        << i << " " << (pa[i] - pb[i]).abs().max().item<float>();
}

template <class Reference>
void compare(const AdamConfig& config, Reference make_reference) {
  torch::nn::Sequential ours = network(), theirs = network();
  FlatAdam adam(ours->parameters(), config);
  auto reference = make_reference(theirs->parameters());
  for (int i = 0; i < 15; ++i) {
    adam.zero_grad();
    loss_of(ours, i).backward();
    const double norm = adam.step();
    reference.zero_grad();
    loss_of(theirs, i).backward();
    if (config.clip_norm > 0) {
      const double expected = torch::nn::utils::clip_grad_norm_(theirs->parameters(), config.clip_norm);
      EXPECT_NEAR(norm, expected, 1e-4 * expected);
    }
    reference.step();
  }
  expect_same(ours, theirs);
}

TEST(FlatAdam, EqualsTorchsAdamWithL2) {
  AdamConfig config;
  config.lr = 0.01;
  config.l2 = 0.03;
  config.beta2 = 0.98;
  compare(config, [](auto parameters) {
    return torch::optim::Adam(parameters,
                              torch::optim::AdamOptions(0.01).betas({0.9, 0.98}).weight_decay(0.03));
  });
}

TEST(FlatAdam, EqualsTorchsAdamWWithClipping) {
  AdamConfig config;
  config.lr = 0.005;
  config.weight_decay = 0.1;
  config.clip_norm = 0.5;
  compare(config, [](auto parameters) {
    return torch::optim::AdamW(parameters, torch::optim::AdamWOptions(0.005).weight_decay(0.1));
  });
}

TEST(FlatAdam, TheFirstStepIsTheRateItself) {
  // By definition m/(1-b1) = g and v/(1-b2) = g^2, so the first step moves every parameter by lr
  // against its sign.
  torch::Tensor p = torch::tensor({1.0f, -2.0f, 3.0f}, torch::requires_grad());
  AdamConfig config;
  config.lr = 0.25;
  config.eps = 0;
  FlatAdam adam({p}, config);
  (p * torch::tensor({2.0f, -5.0f, 0.5f})).sum().backward();
  EXPECT_NEAR(adam.step(0.5), std::sqrt(4 + 25 + 0.25), 1e-6);
  EXPECT_TRUE(torch::allclose(p.detach(), torch::tensor({0.875f, -1.875f, 2.875f})));
}

TEST(FlatAdam, TheNumberOfThreadsChangesNothing) {
  const auto run = [](int threads) {
    set_num_threads(threads);
    torch::manual_seed(2);
    torch::Tensor p = torch::randn({300'001}).requires_grad_();
    AdamConfig config;
    config.clip_norm = 1;
    FlatAdam adam({p}, config);
    std::vector<double> norms;
    for (int i = 0; i < 3; ++i) {
      adam.zero_grad();
      p.pow(3).sum().backward();
      norms.push_back(adam.step());
    }
    set_num_threads(1);
    return std::make_pair(norms, p.detach().clone());
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.first, three.first);
  EXPECT_TRUE(torch::equal(one.second, three.second));
}

TEST(FlatAdam, InDoublePrecisionItMakesTheSameSteps) {
  const AdamConfig config{.lr = 0.01, .l2 = 0.1, .weight_decay = 0.01, .clip_norm = 0.5};
  std::vector<torch::Tensor> ends;
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    torch::Tensor x = torch::arange(1, 20, torch::kFloat32).to(type).requires_grad_();
    FlatAdam adam({x}, config);
    for (int i = 0; i < 20; ++i) {
      adam.zero_grad();
      torch::sin(x).sum().backward();
      (void)adam.step();
    }
    ends.push_back(x.detach().to(torch::kFloat64));
  }
  EXPECT_LT((ends[0] - ends[1]).abs().max().item<double>(), 1e-4);
}

TEST(FlatAdam, FrozenAndSharedParametersAreHandled) {
  torch::Tensor frozen = torch::ones({4});
  torch::Tensor shared = torch::ones({3}).requires_grad_();
  FlatAdam adam({frozen, shared, shared}, {});
  EXPECT_EQ(adam.num_parameters(), 3);
  (shared * 2).sum().backward();
  (void)adam.step();
  EXPECT_TRUE(torch::equal(frozen, torch::ones({4})));
  EXPECT_LT(shared.detach().max().item<float>(), 1);
  EXPECT_THROW(FlatAdam({frozen}, {}), ConfigError);
  EXPECT_THROW(FlatAdam({torch::ones({2}, torch::kFloat16).requires_grad_()}, {}), ConfigError);
}

TEST(FlatAdam, AGradientThatIsNoNumberIsRefusedAndChangesNothing) {
  torch::Tensor p = torch::ones({3}).requires_grad_();
  FlatAdam adam({p}, {});
  (p * std::nan("")).sum().backward();
  EXPECT_THROW((void)adam.step(), NumericError);
  EXPECT_TRUE(torch::equal(p.detach(), torch::ones({3})));
  EXPECT_EQ(adam.state().at("step").item<std::int64_t>(), 0);
}

TEST(FlatAdam, AGradientOutsideItsBufferIsNoticed) {
  torch::nn::Sequential net = network();
  FlatAdam adam(net->parameters(), {});
  net->parameters()[0].mutable_grad() = torch::Tensor();
  loss_of(net, 0).backward();
  EXPECT_THROW((void)adam.step(), ConfigError);
}

TEST(FlatAdam, StateGoesOnExactly) {
  torch::nn::Sequential a = network(), b = network();
  FlatAdam first(a->parameters(), {});
  const auto step = [](torch::nn::Sequential& net, FlatAdam& adam, int i) {
    adam.zero_grad();
    loss_of(net, i).backward();
    (void)adam.step();
  };
  for (int i = 0; i < 5; ++i) step(a, first, i);
  FlatAdam second(b->parameters(), {});
  load_state(*b, state_of(*a), "a");
  second.set_state(first.state(), "a");
  for (int i = 5; i < 9; ++i) {
    step(a, first, i);
    step(b, second, i);
  }
  EXPECT_EQ(checksum_of(state_of(*a)), checksum_of(state_of(*b)));
  NamedTensors wrong = first.state();
  wrong.erase("v");
  EXPECT_THROW(second.set_state(wrong, "x"), FormatError);
  wrong["v"] = torch::zeros({3});
  EXPECT_THROW(second.set_state(wrong, "x"), FormatError);
}

}  // namespace
}  // namespace kgwalk
