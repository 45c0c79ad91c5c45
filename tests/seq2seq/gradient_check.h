// Numerical check of gradients: central differences in float64 against backward().
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tensor/torch.h"

namespace kgwalk::seq2seq::testing {

// Compares d f / d x for every element (at most `max_elements` of each tensor, evenly spread) of the given
// leaves. f must be a deterministic function of their values that returns any tensor; it is reduced by fixed
// random weights, so that no symmetry hides an error.
inline void expect_gradients_match(const std::vector<std::pair<std::string, torch::Tensor>>& leaves,
                                   const std::function<torch::Tensor()>& f, std::int64_t max_elements = 40,
                                   double step = 1e-5, double tolerance = 1e-6) {
  const torch::Tensor first = f().detach();
  torch::Generator generator = at::detail::createCPUGenerator(99);
  const torch::Tensor weights = torch::randn(first.sizes(), generator, first.options());
  const auto value = [&] { return (f() * weights).sum(); };
  for (const auto& [name, leaf] : leaves) {
    ASSERT_EQ(leaf.scalar_type(), torch::kFloat64) << name;
    ASSERT_TRUE(leaf.requires_grad()) << name;
    if (leaf.grad().defined()) leaf.mutable_grad() = torch::Tensor();
  }
  value().backward();
  double largest = 0;
  for (const auto& [name, leaf] : leaves) {
    ASSERT_TRUE(leaf.grad().defined()) << name << " got no gradient";
    const torch::Tensor grad = leaf.grad().contiguous().clone();
    const torch::NoGradGuard guard;
    const std::int64_t stride = std::max<std::int64_t>(1, leaf.numel() / max_elements);
    double* data = leaf.data_ptr<double>();
    for (std::int64_t i = 0; i < leaf.numel(); i += stride) {
      const double before = data[i];
      data[i] = before + step;
      const double above = value().item<double>();
      data[i] = before - step;
      const double below = value().item<double>();
      data[i] = before;
      const double numerical = (above - below) / (2 * step), analytic = grad.data_ptr<double>()[i];
      largest = std::max(largest, std::fabs(analytic));
      EXPECT_NEAR(analytic, numerical, tolerance * (1 + std::fabs(numerical))) << name << " element " << i;
    }
  }
  EXPECT_GT(largest, 0) << "all gradients are zero: the check checks nothing";
}

// All parameters of a module as leaves.
inline std::vector<std::pair<std::string, torch::Tensor>> leaves_of(const torch::nn::Module& module) {
  std::vector<std::pair<std::string, torch::Tensor>> leaves;
  for (const auto& item : module.named_parameters()) leaves.emplace_back(item.key(), item.value());
  return leaves;
}

inline torch::Tensor random_leaf(at::IntArrayRef shape) {
  return torch::randn(shape, torch::kFloat64).requires_grad_(true);
}

}  // namespace kgwalk::seq2seq::testing
