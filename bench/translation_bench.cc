// Training and decoding of Transformer-tiny (4 layers, width 128, feed-forward 256, 4 heads, 6,000 pieces) on
// random pieces, for several numbers and lengths of sentences; bench/translation_peer.py does the same with
// python3-torch's nn.Transformer. Processor time, one thread; `MiB` is what the work's memory
// peaked at above what was held before it:
//   OMP_NUM_THREADS=1 translation_bench --benchmark_repetitions=5
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <fstream>
#include <string>

#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/precision.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/kernels/quantize.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kPieces = 6000;
constexpr std::int64_t kStart = 2, kEnd = 3;

// `group_layers`: of the decoder's groups (GTRANS); 0 = none.
EncoderDecoder tiny(int group_layers = 0) {
  set_torch_threads(1);
  torch::manual_seed(1);
  EncoderDecoderOptions options;
  for (StackOptions* stack : {&options.encoder, &options.decoder}) {
    stack->layers = 4;
    stack->width = 128;
    stack->heads = 4;
    stack->ffn_width = 256;
    stack->dropout = 0.3;
    stack->attention_dropout = 0;
    stack->activation = "relu";
    stack->norm = "post";
  }
  options.decoder.group_layers = group_layers;
  return EncoderDecoder(options, kPieces);
}

// A line of /proc/self/status in MiB.
double status_mib(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) / 1024;
  return 0;
}

// The highest memory since it was made, above what was held then.
class PeakMemory {
 public:
  PeakMemory() {
    ::malloc_trim(0);
    before_ = status_mib("VmRSS");
    std::ofstream("/proc/self/clear_refs") << 5;
  }
  [[nodiscard]] double mib() const { return status_mib("VmHWM") - before_; }

 private:
  double before_ = 0;
};

void count(benchmark::State& state, const char* what, std::int64_t each, const PeakMemory& memory) {
  state.counters[what] = benchmark::Counter(
      static_cast<double>(each) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["MiB"] = memory.mib();
}

// Forward, backward and Adam on `rows` sentences of `length` pieces a side.
void train_step_in(Precision precision, benchmark::State& state) {
  const PrecisionGuard guard(precision);
  EncoderDecoder model = tiny();
  FlatAdam adam(model->parameters(), {});
  const std::int64_t rows = state.range(0), length = state.range(1);
  const torch::Tensor source = torch::randint(4, kPieces, {rows, length}, torch::kInt64);
  const torch::Tensor target = torch::randint(4, kPieces, {rows, length}, torch::kInt64);
  const Teaching teaching{target, {}, torch::arange(rows * length, torch::kInt64), target.flatten()};
  const PeakMemory memory;
  for (auto _ : state) {
    adam.zero_grad();
    model->loss(model->encode(source, {}), teaching, 0.1)
        .loss.div(static_cast<double>(rows * length))
        .backward();
    benchmark::DoNotOptimize(adam.step());
  }
  count(state, "target_pieces", rows * length, memory);
}
void train_step(benchmark::State& state) { train_step_in(Precision::kFloat32, state); }
void train_step_bf16(benchmark::State& state) {
  if (!bf16_available()) return state.SkipWithError("this processor does not multiply bfloat16");
  train_step_in(Precision::kBf16, state);
}
void train_sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"rows", "length"})
      ->ArgsProduct({{64, 256}, {16}})
      ->Args({64, 64})
      ->Args({16, 256})
      ->Args({4, 1024})
      ->Unit(benchmark::kMillisecond);
}
BENCHMARK(train_step)->Apply(train_sizes);
BENCHMARK(train_step_bf16)->Apply(train_sizes);

// `rows` sentences of `length` pieces, as many pieces written for each (the end is forbidden before).
void decode_with(EncoderDecoder& model, int beam, std::int64_t rows, std::int64_t length,
                 benchmark::State& state) {
  model->eval();
  const torch::NoGradGuard no_grad;
  const torch::Tensor source = torch::randint(4, kPieces, {rows, length}, torch::kInt64);
  TokenSearchOptions options;
  options.beam = beam;
  options.min_pieces = static_cast<int>(length);
  const TokenSearchTask task{kStart,
                             kEnd,
                             {0, 1, kStart},
                             std::vector<int>(static_cast<std::size_t>(rows), static_cast<int>(length))};
  const PeakMemory memory;
  for (auto _ : state) {
    DecoderState decoder = model->start(model->encode(source, {}));
    benchmark::DoNotOptimize(
        search_tokens(task, options, [&](const torch::Tensor& pieces, const torch::Tensor& parents) {
          if (decoder.length > 0) decoder.reorder(parents);
          return model->step(pieces, decoder);
        }));
  }
  count(state, "sentences", rows, memory);
}

void decode(benchmark::State& state) {
  EncoderDecoder model = tiny();
  if (state.range(3) == 8) quantize_linears(*model);
  decode_with(model, static_cast<int>(state.range(0)), state.range(1), state.range(2), state);
}
BENCHMARK(decode)
    ->ArgNames({"beam", "rows", "length", "bits"})
    ->ArgsProduct({{1, 5}, {64}, {16}, {32, 8}})
    ->ArgsProduct({{1}, {1, 8, 256}, {16}, {32}})
    ->ArgsProduct({{1}, {64}, {64, 256}, {32}})
    ->Unit(benchmark::kMillisecond);

// Two groups of two decoder layers, both of them or the lower one alone.
void decode_groups(benchmark::State& state) {
  EncoderDecoder model = tiny(2);
  if (state.range(0) == 1) model->keep_groups({0});
  decode_with(model, 5, 64, 16, state);
}
BENCHMARK(decode_groups)->ArgName("kept")->Arg(2)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kgwalk::seq2seq

BENCHMARK_MAIN();
