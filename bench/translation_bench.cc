// Training and decoding of Transformer-tiny (4 layers, width 128, feed-forward 256, 4 heads, 6,000 pieces) on
// random pieces; bench/translation_peer.py does the same with python3-torch's nn.Transformer. Processor time,
// one thread:
//   OMP_NUM_THREADS=1 translation_bench --benchmark_repetitions=5
#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/models/encoder_decoder.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::int64_t kPieces = 6000;
constexpr std::int64_t kLength = 16;
constexpr std::int64_t kStart = 2, kEnd = 3;

EncoderDecoder tiny() {
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
  return EncoderDecoder(options, kPieces);
}

// Forward, backward and Adam on `rows` sentences of 16 pieces a side.
void train_step(benchmark::State& state) {
  EncoderDecoder model = tiny();
  FlatAdam adam(model->parameters(), {});
  const std::int64_t rows = state.range(0);
  const torch::Tensor source = torch::randint(4, kPieces, {rows, kLength}, torch::kInt64);
  const torch::Tensor target = torch::randint(4, kPieces, {rows, kLength}, torch::kInt64);
  const Teaching teaching{target, {}, torch::arange(rows * kLength, torch::kInt64), target.flatten()};
  for (auto _ : state) {
    adam.zero_grad();
    model->loss(model->encode(source, {}), teaching, 0.1)
        .loss.div(static_cast<double>(rows * kLength))
        .backward();
    benchmark::DoNotOptimize(adam.step());
  }
  state.counters["target_pieces"] =
      benchmark::Counter(static_cast<double>(rows * kLength) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(train_step)->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);

// 64 sentences of 16 pieces, 16 pieces written for each (the end is forbidden before).
void decode(benchmark::State& state) {
  EncoderDecoder model = tiny();
  model->eval();
  const torch::NoGradGuard no_grad;
  const torch::Tensor source = torch::randint(4, kPieces, {64, kLength}, torch::kInt64);
  TokenSearchOptions options;
  options.beam = static_cast<int>(state.range(0));
  options.min_pieces = static_cast<int>(kLength);
  const TokenSearchTask task{kStart, kEnd, {0, 1, kStart}, std::vector<int>(64, static_cast<int>(kLength))};
  for (auto _ : state) {
    DecoderState decoder = model->start(model->encode(source, {}));
    benchmark::DoNotOptimize(
        search_tokens(task, options, [&](const torch::Tensor& pieces, const torch::Tensor& parents) {
          if (decoder.length > 0) decoder.reorder(parents);
          return model->step(pieces, decoder);
        }));
  }
  state.counters["sentences"] =
      benchmark::Counter(64.0 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(decode)->Arg(1)->Arg(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kgwalk::seq2seq

BENCHMARK_MAIN();
