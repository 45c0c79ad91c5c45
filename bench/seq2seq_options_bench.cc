// What the options of the attention core cost: a training step of an encoder (4 layers, width 256, T = 64,
// B = 16, dropout 0) and a step of beam search at the size of Transformer base with all heads and with the
// pillars of two groups. Counter `parameters`: trained values of the stack. The "CPU" column is the time
// of all threads.
//
//   seq2seq_options_bench --benchmark_enable_random_interleaving=true --benchmark_repetitions=5
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include "kgwalk/threads.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"

namespace kgwalk {
namespace {

using seq2seq::StackOptions;
using torch::Tensor;

void add_parameters(benchmark::State& state, const torch::nn::Module& module) {
  double total = 0;
  for (const Tensor& p : module.parameters()) total += static_cast<double>(p.numel());
  state.counters["parameters"] = total;
}

void train(benchmark::State& state, const std::function<void(StackOptions&)>& change) {
  StackOptions options;
  options.layers = 4;
  options.norm = "post";
  options.dropout = options.attention_dropout = 0;
  change(options);
  seq2seq::TransformerEncoder encoder(options);
  FlatAdam adam(encoder->parameters(), AdamConfig{});
  const Tensor x = torch::randn({16, 64, options.width}), target = torch::randn_like(x);
  for (auto _ : state) {
    adam.zero_grad();
    torch::mse_loss(encoder(x), target).backward();
    adam.step();
  }
  add_parameters(state, *encoder);
}

// Beam 5 for 8 sentences of 32 source positions, the 16th to 24th target positions.
void decode(benchmark::State& state, int pillars) {
  constexpr std::int64_t kSentences = 8, kBeam = 5, kSource = 32, kBefore = 16, kSteps = 8;
  StackOptions options;
  options.layers = 6;
  options.width = 512;
  options.heads = 8;
  options.ffn_width = 2048;
  options.norm = "post";
  if (pillars > 0) options = options.with_pillars(pillars);
  seq2seq::TransformerDecoder decoder(options, std::vector<int>{0});
  decoder->eval();
  const torch::NoGradGuard guard;
  seq2seq::DecoderState first = decoder->start({{torch::randn({kSentences, kSource, 512})}});
  first.reorder(torch::arange(kSentences).repeat_interleave(kBeam));
  (void)decoder->step(torch::randn({kSentences * kBeam, kBefore, 512}), first);
  const Tensor x = torch::randn({kSentences * kBeam, 1, 512}), same = torch::arange(kSentences * kBeam);
  for (auto _ : state) {
    seq2seq::DecoderState copy = first;
    for (std::int64_t i = 0; i < kSteps; ++i) {
      benchmark::DoNotOptimize(decoder->step(x, copy));
      copy.reorder(same);
    }
  }
  add_parameters(state, *decoder);
}

#define KGWALK_TRAIN(name, change)                                \
  BENCHMARK_CAPTURE(train, name, [](StackOptions& o) { change; }) \
      ->Unit(benchmark::kMillisecond)                             \
      ->MeasureProcessCPUTime()                                   \
      ->UseRealTime()
KGWALK_TRAIN(plain, (void)o);
KGWALK_TRAIN(hi_concat_eq9, o.hi = (seq2seq::HiAttentionOptions{2, 1, "concat_eq9"}));
KGWALK_TRAIN(hi_concat_eq6, o.hi = (seq2seq::HiAttentionOptions{2, 1, "concat_eq6"}));
KGWALK_TRAIN(hi_sum, o.hi = (seq2seq::HiAttentionOptions{2, 1, "sum"}));
KGWALK_TRAIN(tasa_residual, o.tasa.mode = "residual");
KGWALK_TRAIN(tasa_dense, o.tasa.mode = "dense");
KGWALK_TRAIN(relative_positions, o.relative_positions = true);
KGWALK_TRAIN(groups_of_2, o.group_layers = 2);
KGWALK_TRAIN(two_pillars_of_8_heads, o.heads = 8; o = o.with_pillars(2));
#undef KGWALK_TRAIN

BENCHMARK_CAPTURE(decode, base_8_heads, 0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(decode, base_2_pillars, 2)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace kgwalk

int main(int argc, char** argv) {
  const char* threads = std::getenv("OMP_NUM_THREADS");
  kgwalk::set_torch_threads(threads ? std::atoi(threads) : 0);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
