// Targets P10 (beam step) and P12 (training step): the attention core beside the same network in eager
// LibTorch, equal weights, equal results (checked before timing).
//
//   seq2seq_bench --benchmark_enable_random_interleaving=true --benchmark_repetitions=7
//
// Times are wall time; the "CPU" column is the time of all threads together. Counters: gflop, the
// multiply-adds of the matrix products times two; floor_ms, those at the speed of a large product measured
// here; products_ms, the time of the products alone, made with LibTorch at the shapes of the plain form.
#include <torch/nn/modules/transformercoder.h>
#include <torch/nn/modules/transformerlayer.h>
#include <torch/optim.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "bench/eager_stack.h"
#include "kgwalk/threads.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"

namespace kgwalk {
namespace {

using torch::Tensor;

// Least processor time of all threads, in milliseconds.
template <class F>
double processor_ms(F&& f, int repeats) {
  double best = 1e9;
  for (int i = 0; i < repeats; ++i) {
    const std::clock_t start = std::clock();
    f();
    best = std::min(best, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

// GFLOP a processor-second of a large product.
double peak_gflops() {
  static const double value = [] {
    const Tensor a = torch::randn({1024, 1024}), b = torch::randn({1024, 1024});
    return 2 * 1.024 * 1.024 * 1.024 / processor_ms([&] { benchmark::DoNotOptimize(torch::mm(a, b)); }, 20) *
           1e3;
  }();
  return value;
}

void require_equal(const Tensor& a, const Tensor& b, const char* what) {
  const double difference = (a - b).abs().max().item<double>();
  if (difference > 2e-4) {
    std::fprintf(stderr, "%s: results differ by %g; the comparison would mean nothing\n", what, difference);
    std::exit(1);
  }
}

seq2seq::StackOptions options_of(double dropout) {
  seq2seq::StackOptions options;
  options.layers = 4;
  options.width = 256;
  options.heads = 4;
  options.ffn_width = 1024;
  options.norm = "post";
  options.dropout = options.attention_dropout = options.activation_dropout = dropout;
  return options;
}

void add_counters(benchmark::State& state, double gflop, double products_ms) {
  state.counters["gflop"] = gflop;
  state.counters["floor_cpu_ms"] = gflop / peak_gflops() * 1e3;
  if (products_ms > 0) state.counters["products_cpu_ms"] = products_ms;
}

// ---- P12: one supervised step ----

constexpr std::int64_t kBatch = 16, kLength = 64;

// Forward and backward products of one encoder pass over `rows` positions.
double training_gflop(const seq2seq::StackOptions& o) {
  const double d = o.width, f = o.ffn_width, rows = kBatch * kLength;
  return 3 * 2 * o.layers * rows * (4 * d * d + 2 * d * f + 2.0 * kLength * d) / 1e9;
}

double training_products_ms(const seq2seq::StackOptions& o) {
  const torch::NoGradGuard guard;
  const std::int64_t d = o.width, f = o.ffn_width, rows = kBatch * kLength;
  const Tensor x = torch::randn({rows, d}), qkv = torch::randn({3 * d, d}), out = torch::randn({d, d}),
               w1 = torch::randn({f, d}), w2 = torch::randn({d, f}), gq = torch::randn({rows, 3 * d}),
               gf = torch::randn({rows, f});
  const auto pass = [&](const Tensor& in, const Tensor& w, const Tensor& grad) {
    benchmark::DoNotOptimize(torch::mm(in, w.t()));
    benchmark::DoNotOptimize(torch::mm(grad, w));
    benchmark::DoNotOptimize(torch::mm(grad.t(), in));
  };
  return processor_ms(
      [&] {
        for (int l = 0; l < o.layers; ++l)
          pass(x, qkv, gq), pass(x, out, x), pass(x, w1, gf), pass(gf, w2, x);
      },
      5);
}

template <class Model, class Optimizer>
void training_loop(benchmark::State& state, Model& model, Optimizer& optimizer,
                   const seq2seq::StackOptions& options) {
  model->train();
  const Tensor x = torch::randn({kBatch, kLength, options.width}), target = torch::randn_like(x);
  for (auto _ : state) {
    optimizer.zero_grad();
    torch::mse_loss(model->forward(x), target).backward();
    optimizer.step();
  }
  static const double products = training_products_ms(options);
  add_counters(state, training_gflop(options), products);
}

void train_ours(benchmark::State& state) {
  const auto options = options_of(static_cast<double>(state.range(0)) / 100);
  seq2seq::TransformerEncoder ours(options);
  {
    eager::Encoder peer(options);
    peer->copy_from(*ours);
    ours->eval();
    peer->eval();
    const Tensor x = torch::randn({2, 9, options.width});
    require_equal(ours(x), peer(x), "encoder");
  }
  FlatAdam adam(ours->parameters(), AdamConfig{});
  training_loop(state, ours, adam, options);
}

void train_eager(benchmark::State& state) {
  const auto options = options_of(static_cast<double>(state.range(0)) / 100);
  eager::Encoder peer(options);
  torch::optim::Adam adam(peer->parameters(), torch::optim::AdamOptions(1e-3));
  training_loop(state, peer, adam, options);
}

// LibTorch's own module for the same network.
struct LibTorchEncoderImpl : torch::nn::Module {
  explicit LibTorchEncoderImpl(const seq2seq::StackOptions& o)
      : stack(register_module("stack", torch::nn::TransformerEncoder(torch::nn::TransformerEncoderOptions(
                                           torch::nn::TransformerEncoderLayerOptions(o.width, o.heads)
                                               .dim_feedforward(o.ffn_width)
                                               .dropout(o.dropout)
                                               .activation(torch::kGELU),
                                           o.layers)))) {}
  Tensor forward(const Tensor& x) { return stack(x.transpose(0, 1)).transpose(0, 1); }
  torch::nn::TransformerEncoder stack;
};
TORCH_MODULE(LibTorchEncoder);

void train_libtorch_module(benchmark::State& state) {
  const auto options = options_of(static_cast<double>(state.range(0)) / 100);
  LibTorchEncoder peer(options);
  torch::optim::Adam adam(peer->parameters(), torch::optim::AdamOptions(1e-3));
  training_loop(state, peer, adam, options);
}

// ---- P10: one step of the walker's beam ----

// Arguments: beams, memories (0 = the 12 D^2 layer of the target; 2 = the graph decoder, KG
// path and dialogue).
struct BeamScene {
  explicit BeamScene(benchmark::State& state)
      : beams(state.range(0)),
        num_memories(static_cast<int>(state.range(1))),
        options(options_of(0.1)),
        ours(options, std::vector<int>(static_cast<std::size_t>(num_memories), 0)),
        peer(options, num_memories) {
    torch::manual_seed(1);
    peer->copy_from(*ours);
    ours->eval();
    peer->eval();
    const std::vector<std::int64_t> lengths{8, 64};
    for (int m = 0; m < num_memories; ++m)
      memories.push_back(torch::randn({1, lengths[static_cast<std::size_t>(m)], options.width}));
    prefix = torch::randn({1, 3, options.width});  // cls, goal, bop
    rows = torch::zeros({beams}, torch::kInt64);
    x = torch::randn({beams, 1, options.width});
    check();
  }
  [[nodiscard]] seq2seq::DecoderState our_state() {
    std::vector<seq2seq::Memory> list;
    for (const Tensor& m : memories) list.push_back({m});
    seq2seq::DecoderState state = ours->start(list, 1);
    benchmark::DoNotOptimize(ours->step(prefix, state));
    return state;
  }
  [[nodiscard]] eager::DecoderImpl::State peer_state() {
    eager::DecoderImpl::State state = peer->start(memories);
    // The plain form is not causal by itself: the prefix goes in position by position.
    for (std::int64_t t = 0; t < 3; ++t) benchmark::DoNotOptimize(peer->step(prefix.narrow(1, t, 1), state));
    return state;
  }
  void check() {
    const torch::NoGradGuard guard;
    seq2seq::DecoderState a = our_state();
    eager::DecoderImpl::State b = peer_state();
    a.reorder(rows);
    eager::DecoderImpl::reorder(b, rows);
    require_equal(ours->step(x, a), peer->step(x, b), "beam step");
  }
  [[nodiscard]] double gflop() const {
    const double d = options.width, f = options.ffn_width;
    return 2.0 * options.layers * static_cast<double>(beams) * ((4 + 2 * num_memories) * d * d + 2 * d * f) /
           1e9;
  }
  std::int64_t beams;
  int num_memories;
  seq2seq::StackOptions options;
  seq2seq::TransformerDecoder ours;
  eager::Decoder peer;
  std::vector<Tensor> memories;
  Tensor prefix, rows, x;
};

// Beams are reordered and advanced; the state before the step is restored by a copy that shares its tensors.
void beam_ours(benchmark::State& state) {
  BeamScene scene(state);
  const torch::NoGradGuard guard;
  const seq2seq::DecoderState start = scene.our_state();
  for (auto _ : state) {
    seq2seq::DecoderState now = start;
    now.reorder(scene.rows);
    benchmark::DoNotOptimize(scene.ours->step(scene.x, now));
  }
  add_counters(state, scene.gflop(), 0);
}

void beam_eager(benchmark::State& state) {
  BeamScene scene(state);
  const torch::NoGradGuard guard;
  const eager::DecoderImpl::State start = scene.peer_state();
  for (auto _ : state) {
    eager::DecoderImpl::State now = start;
    eager::DecoderImpl::reorder(now, scene.rows);
    benchmark::DoNotOptimize(scene.peer->step(scene.x, now));
  }
  add_counters(state, scene.gflop(), 0);
}

double smallest(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

void configure(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MeasureProcessCPUTime()
      ->ComputeStatistics("min", smallest);
}
void training_arguments(benchmark::internal::Benchmark* b) {
  configure(b);
  b->ArgName("dropout%")->Arg(10)->Arg(0);
}
void beam_arguments(benchmark::internal::Benchmark* b) {
  configure(b);
  b->ArgNames({"beam", "memories"});
  for (const int memories : {0, 2})
    for (const int beams : {1, 25}) b->Args({beams, memories});
}

BENCHMARK(train_ours)->Apply(training_arguments);
BENCHMARK(train_eager)->Apply(training_arguments);
BENCHMARK(train_libtorch_module)->Apply(training_arguments);
BENCHMARK(beam_ours)->Apply(beam_arguments);
BENCHMARK(beam_eager)->Apply(beam_arguments);

}  // namespace
}  // namespace kgwalk

int main(int argc, char** argv) {
  const char* threads = std::getenv("OMP_NUM_THREADS");
  kgwalk::set_torch_threads(threads ? std::atoi(threads) : 0);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::printf("large sgemm: %.0f GFLOP a processor-second, %d threads\n", kgwalk::peak_gflops(),
              kgwalk::num_threads());
  benchmark::RunSpecifiedBenchmarks();
}
