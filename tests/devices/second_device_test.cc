#include <c10/util/Exception.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>

#include "kgwalk/device.h"
#include "kgwalk/error.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/trainer.h"
#include "tests/devices/on_both.h"
#include "tests/runtime/tensor/regression_task.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

using testing::ComputeOn;
using testing::second_device;
using torch::Tensor;

TEST(SecondDevice, RefusesTensorsThatWereLeftBehind) {
  const Tensor x = torch::randn({3, 4}).to(second_device()), index = torch::tensor({2, 0}, torch::kInt64);
  EXPECT_EQ(x.device(), second_device());
  EXPECT_THROW((void)x.index_select(0, index), c10::Error);
  EXPECT_THROW((void)(x + torch::ones({3, 4})), c10::Error);
  EXPECT_THROW((void)torch::cat({x, torch::ones({3, 4})}), c10::Error);
  EXPECT_TRUE(torch::equal(on_processor(x).index_select(0, index),
                           on_processor(x.index_select(0, index.to(second_device())))));
  EXPECT_TRUE(torch::equal(on_processor(x * 2), on_processor(x) * 2)) << "numbers come along";
}

TEST(SecondDevice, ItsMemoryCannotBeReadThroughPointers) {
  GTEST_FLAG_SET(death_test_style, "fast");
  const Tensor x = torch::ones({4}).to(second_device());
  EXPECT_DEATH((void)*static_cast<volatile float*>(x.data_ptr()), "");
}

TEST(Devices, AreNamedAndMovedTo) {
  EXPECT_EQ(parse_device(testing::kSecondDevice), second_device());
  set_device(testing::kSecondDevice);
  EXPECT_EQ(compute_device(), second_device());
  set_device("cpu");
  EXPECT_EQ(compute_device(), torch::Device(torch::kCPU));
  EXPECT_THROW(set_device("gpu"), ConfigError);
  torch::nn::LSTM lstm(4, 4);
  const Tensor kept = lstm->parameters()[0], before = kept.detach().clone();
  move_to(*lstm, second_device());
  EXPECT_EQ(device_of(*lstm), second_device());
  EXPECT_EQ(kept.device(), second_device()) << "who holds a weight holds it still";
  EXPECT_TRUE(torch::equal(on_processor(kept), before));
  move_to(*lstm, torch::kCPU);
  EXPECT_TRUE(torch::equal(kept, before));
}

// y = W x over batches that lie on the processor.
class LinearTask : public Task {
 public:
  LinearTask() {
    torch::manual_seed(3);
    x_ = torch::randn({40, 5});
    y_ = torch::sin(x_.sum(1, true));
    network_ = torch::nn::Linear(5, 1);
  }
  torch::nn::Module& module() override { return *network_; }
  std::int64_t begin_epoch(int /*epoch*/, Random& /*random*/) override { return 5; }
  StepResult step(std::int64_t batch) override {
    return {loss(x_.narrow(0, batch * 8, 8), y_.narrow(0, batch * 8, 8)), 8, Json::object()};
  }
  Json evaluate() override { return {{"score", -loss(x_, y_).item<double>()}}; }

 private:
  Tensor loss(const Tensor& x, const Tensor& y) {
    const torch::Device device = device_of(*network_);
    return torch::mse_loss(network_->forward(x.to(device)), y.to(device));
  }
  Tensor x_, y_;
  torch::nn::Linear network_{nullptr};
};

TEST(Devices, ATrainingGoesOnOnAnotherDevice) {
  const test::TempFolder temporary;
  TrainerConfig config;
  config.max_epochs = 4;
  config.accumulate = 2;
  config.log_every = 1;
  config.weight_average = 0.9;
  config.adam.clip_norm = 1;
  const auto train_for = [&](const std::filesystem::path& run, int epochs) {
    LinearTask task;
    config.max_epochs = epochs;
    RunFolder folder = RunFolder::create(run, test::kTestRun);
    (void)train(task, config, RunManifest(test::kTestRun, to_json_of(config), 1), folder, silent_reporter(),
                never_stop());
  };
  testing::expect_same_training(temporary.path(), "regression",
                                [&](const std::filesystem::path& run) { train_for(run, 4); });
  const std::filesystem::path half = temporary / "half";
  {
    const ComputeOn second(second_device());
    train_for(half, 2);
  }
  train_for(half, 4);  // the rest on the processor, from what was saved of the second device
  const NamedTensors whole = read_checkpoint_model(temporary / "regression here" / "checkpoints" / "last"),
                     pieces = read_checkpoint_model(half / "checkpoints" / "last");
  for (const auto& [name, weight] : whole) testing::expect_alike(weight, pieces.at(name), name);
}

TEST(Devices, WhatIsForTheProcessorIsRefusedElsewhere) {
  const test::TempFolder temporary;
  const ComputeOn second(second_device());
  LinearTask task;
  TrainerConfig config;
  config.precision = Precision::kBf16;
  RunFolder folder = RunFolder::create(temporary / "run", test::kTestRun);
  EXPECT_THROW((void)train(task, config, RunManifest(test::kTestRun, to_json_of(config), 1), folder,
                           silent_reporter(), never_stop()),
               ConfigError);
}

}  // namespace
}  // namespace kgwalk
