// The same work on the processor and on the second device.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runtime/config.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/devices/second_device.h"

namespace kgwalk::testing {

// Models that are opened or trained while it lives compute there.
class ComputeOn {
 public:
  explicit ComputeOn(torch::Device device) { set_compute_device(device); }
  ~ComputeOn() { set_compute_device(torch::kCPU); }
  ComputeOn(const ComputeOn&) = delete;
  ComputeOn& operator=(const ComputeOn&) = delete;
};

inline void expect_alike(double a, double b, const std::string& what, double tolerance = 1e-3) {
  EXPECT_LE(std::abs(a - b), tolerance * std::max(1.0, std::abs(a))) << what << ": " << a << " and " << b;
}

inline void expect_alike(const torch::Tensor& a, const torch::Tensor& b, const std::string& what,
                         double tolerance = 1e-4) {
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  if (a.numel() == 0) return;
  const torch::Tensor here = on_processor(a).to(torch::kFloat64), there = on_processor(b).to(torch::kFloat64);
  const double largest = std::max(1.0, here.abs().max().item<double>());
  EXPECT_LE((here - there).abs().max().item<double>(), tolerance * largest) << what;
}

// make() gives a fresh module, loss(module) the loss of a batch that lies on the processor. Loss, gradients,
// and the loss after an update must not depend on where the module lies.
template <class Make, class Loss>
void expect_same_update(const Make& make, const Loss& loss, const std::string& what) {
  std::vector<double> losses;
  std::vector<NamedTensors> gradients;
  for (const torch::Device device : {torch::Device(torch::kCPU), second_device()}) {
    torch::manual_seed(4);
    auto module = make();
    move_to(*module, device);
    module->train();
    FlatAdam optimizer(module->parameters(), {.lr = 1e-3, .clip_norm = 1});
    optimizer.zero_grad();
    torch::manual_seed(5);
    const torch::Tensor first = loss(module);
    EXPECT_EQ(first.device(), device) << what;
    first.backward();
    NamedTensors& found = gradients.emplace_back();
    for (const auto& weight : module->named_parameters())
      if (weight.value().grad().defined()) found.emplace(weight.key(), on_processor(weight.value().grad()));
    (void)optimizer.step();
    const torch::NoGradGuard no_grad;
    module->eval();
    losses.push_back(first.template item<double>());
    losses.push_back(loss(module).template item<double>());
  }
  expect_alike(losses[0], losses[2], what + ", loss", 1e-4);
  expect_alike(losses[1], losses[3], what + ", loss after an update");
  EXPECT_NE(losses[0], losses[1]) << what << ": nothing was learned";
  ASSERT_EQ(gradients[0].size(), gradients[1].size()) << what;
  for (const auto& [name, gradient] : gradients[0])
    expect_alike(gradient, gradients[1].at(name), what + ", gradient of " + name);
}

// train(run) trains into a run folder. What it told of each update and evaluation must not depend on the
// device.
inline void expect_same_training(const std::filesystem::path& folder, const std::string& name,
                                 const std::function<void(const std::filesystem::path&)>& train) {
  const std::filesystem::path here = folder / (name + " here"), there = folder / (name + " there");
  std::int64_t before = operations_on_second_device();
  train(here);
  EXPECT_EQ(operations_on_second_device(), before) << name;
  {
    const ComputeOn second(second_device());
    train(there);
  }
  EXPECT_GT(operations_on_second_device(), before + 100) << name << ": trained on the processor";
  const std::vector<Json> a = read_metrics(here / "metrics.jsonl"), b = read_metrics(there / "metrics.jsonl");
  ASSERT_EQ(a.size(), b.size()) << name;
  ASSERT_GT(a.size(), 2U) << name;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const auto& [key, value] : a[i].items())
      if (value.is_number() && key.find("seconds") == std::string::npos)
        expect_alike(value.get<double>(), b[i].at(key).get<double>(),
                     name + ", row " + std::to_string(i) + ", " + key, 1e-2);
}

}  // namespace kgwalk::testing
