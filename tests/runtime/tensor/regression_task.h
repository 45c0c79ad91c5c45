// A small regression with dropout, so that a resumed training must restore weights, moments,
// shuffling and generators.
#pragma once

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>

#include <functional>
#include <numeric>
#include <vector>

#include "runtime/files.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk::test {

inline constexpr RunKind kTestRun{.name = "test", .command = "test", .parts = {"trainer"}};

class RegressionTask : public Task {
 public:
  explicit RegressionTask(double dropout = 0.2, std::int64_t batch = 8) : batch_(batch) {
    seed(3);
    x_ = torch::randn({40, 5});
    y_ = torch::sin(x_.sum(1, /*keepdim=*/true));
    network_ = torch::nn::Sequential(torch::nn::Linear(5, 16), torch::nn::Tanh(), torch::nn::Dropout(dropout),
                                     torch::nn::Linear(16, 1));
  }
  torch::nn::Module& module() override { return *network_; }
  std::int64_t begin_epoch(int, Random& random) override {
    order_.resize(static_cast<std::size_t>(x_.size(0)));
    std::iota(order_.begin(), order_.end(), 0);
    if (shuffles) random.shuffle(std::span<std::int64_t>(order_));
    return (x_.size(0) + batch_ - 1) / batch_;
  }
  StepResult step(std::int64_t batch) override {
    ++steps;
    const std::int64_t begin = batch * batch_;
    const std::int64_t size = std::min<std::int64_t>(batch_, x_.size(0) - begin);
    const torch::Tensor rows = torch::from_blob(order_.data() + begin, {size}, torch::kInt64);
    torch::Tensor loss =
        torch::mse_loss(network_->forward(x_.index_select(0, rows)), y_.index_select(0, rows));
    if (on_loss) loss = on_loss(loss);
    return {loss, static_cast<double>(size), {{"rows", size}}};
  }
  Json evaluate() override {
    if (on_evaluate) return on_evaluate();
    const double loss = torch::mse_loss(network_->forward(x_), y_).item<double>();
    return {{"score", -loss}, {"loss", loss}};
  }
  void after_update(std::int64_t step) override {
    if (on_update) on_update(step);
  }
  void save_extra(const std::filesystem::path& folder) const override {
    write_file_atomically(folder / "vocabulary.txt", "a b c\n");
  }
  [[nodiscard]] std::string weights() { return checksum_of(state_of(*network_)); }

  void in_double() {
    network_->to(torch::kFloat64);
    x_ = x_.to(torch::kFloat64);
    y_ = y_.to(torch::kFloat64);
  }

  static void seed(std::uint64_t value) { torch::manual_seed(value); }

  bool shuffles = true;
  int steps = 0;  // batches seen by this object
  std::function<torch::Tensor(torch::Tensor)> on_loss;
  std::function<Json()> on_evaluate;
  std::function<void(std::int64_t)> on_update;

 private:
  std::int64_t batch_;
  torch::Tensor x_, y_;  // [40, 5], [40, 1]
  torch::nn::Sequential network_{nullptr};
  std::vector<std::int64_t> order_;
};

// Rows of metrics.jsonl without what depends on the clock.
inline std::vector<Json> timeless(std::vector<Json> rows) {
  for (Json& row : rows) row.erase("seconds");
  return rows;
}

}  // namespace kgwalk::test
