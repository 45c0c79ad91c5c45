// The fused update of FlatAdam against torch::optim::AdamW, same parameters, clipping
// included; checkpoints; text.
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim.h>

#include <benchmark/benchmark.h>

#include <filesystem>

#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

// The shapes of four Transformer layers, 256 wide: 3.2 million parameters in 48 tensors.
std::vector<torch::Tensor> parameters() {
  std::vector<torch::Tensor> list;
  for (int layer = 0; layer < 4; ++layer) {
    for (int i = 0; i < 4; ++i) list.push_back(torch::randn({256, 256}).requires_grad_());
    list.push_back(torch::randn({256, 1024}).requires_grad_());
    list.push_back(torch::randn({1024, 256}).requires_grad_());
    for (int i = 0; i < 6; ++i) list.push_back(torch::randn({256}).requires_grad_());
  }
  return list;
}

constexpr double kClip = 1.0;

void bm_flat_adam(benchmark::State& state) {
  set_torch_threads(static_cast<int>(state.range(0)));
  AdamConfig config;
  config.weight_decay = 0.01;
  config.clip_norm = kClip;
  std::vector<torch::Tensor> list = parameters();
  FlatAdam adam(list, config);
  for (torch::Tensor& p : list) p.mutable_grad().normal_();
  for (auto _ : state) benchmark::DoNotOptimize(adam.step());
  state.SetItemsProcessed(state.iterations() * adam.num_parameters());
}

void bm_torch_adamw(benchmark::State& state) {
  set_torch_threads(static_cast<int>(state.range(0)));
  std::vector<torch::Tensor> list = parameters();
  std::int64_t total = 0;
  for (torch::Tensor& p : list) {
    p.mutable_grad() = torch::randn_like(p);
    total += p.numel();
  }
  torch::optim::AdamW adam(list, torch::optim::AdamWOptions(1e-3).weight_decay(0.01));
  for (auto _ : state) {
    torch::nn::utils::clip_grad_norm_(list, kClip);
    adam.step();
  }
  state.SetItemsProcessed(state.iterations() * total);
}

void bm_write_checkpoint(benchmark::State& state) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "kgwalk-bench-checkpoint";
  const Checkpoint checkpoint{{{"w", torch::randn({state.range(0) << 18})}}, {}, Json::object()};
  for (auto _ : state) write_checkpoint(folder, checkpoint);
  state.SetBytesProcessed(state.iterations() * (state.range(0) << 20));
  std::filesystem::remove_all(folder);
}

void bm_fold_name(benchmark::State& state) {
  const std::string name =
      state.range(0) == 0 ? "The Lord of the Rings" : "Am\xC3\xA9lie Poulain, Gar\xC3\xA7on";
  for (auto _ : state) benchmark::DoNotOptimize(fold_name(name));
}

BENCHMARK(bm_flat_adam)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(bm_torch_adamw)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(bm_write_checkpoint)->Arg(16)->UseRealTime();
BENCHMARK(bm_fold_name)->Arg(0)->Arg(1);

}  // namespace
}  // namespace kgwalk

BENCHMARK_MAIN();
