// Sentences a second of a pre-trained text encoder, of sequences of 32 pieces, in batches of 1 and 32, with
// weights in float32 and int8.
//
// KGWALK_TEXT names the encoder's folder (scripts/get_text_encoder.sh). KGWALK_THREADS as in walker_bench.
// Before anything is measured the states of the batch of 32 are written to the file that KGWALK_TEXT_STATES
// names, for scripts/bench_text_encoder.py to hold them beside those of other programs: safetensors with ids
// [32, 32], and float32 and int8 [32, 32, D].
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "dialogue/text/text_encoder.h"
#include "runtime/random.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kPieces = 32, kMost = 32;

using Encoder = std::shared_ptr<const TextEncoder>;

// Pieces drawn from the vocabulary between the marks of both ends.
std::vector<TokenSequence> sequences_of(const TextEncoder& encoder) {
  Random random(1);
  const auto& special = encoder.tokens().special();
  std::vector<TokenSequence> list(kMost);
  for (TokenSequence& sequence : list) {
    sequence.ids.push_back(special.cls);
    while (sequence.ids.size() + 1 < kPieces)
      sequence.ids.push_back(static_cast<std::int32_t>(
          random.below(static_cast<std::uint64_t>(encoder.tokens().tokenizer().size()))));
    sequence.ids.push_back(special.sep);
    sequence.age.assign(kPieces, kNoUtterance);
  }
  return list;
}

torch::Tensor states_of(const TextEncoder& encoder, const std::vector<TokenSequence>& sequences) {
  torch::Tensor all = torch::empty({static_cast<std::int64_t>(sequences.size()), kPieces, encoder.width()});
  encoder.encode(sequences, [&](auto places, const torch::Tensor& states, const torch::Tensor&) {
    for (std::size_t b = 0; b < places.size(); ++b)
      all[static_cast<std::int64_t>(places[b])].copy_(states[static_cast<std::int64_t>(b)]);
  });
  return all;
}

void write_states(const char* path, const std::vector<TokenSequence>& sequences, const Encoder& exact,
                  const Encoder& rounded) {
  std::vector<std::int64_t> ids;
  for (const TokenSequence& sequence : sequences)
    ids.insert(ids.end(), sequence.ids.begin(), sequence.ids.end());
  write_tensors(path, {{"ids", torch::tensor(ids, torch::kInt64).view({kMost, kPieces})},
                       {"float32", states_of(*exact, sequences)},
                       {"int8", states_of(*rounded, sequences)}});
}

void encode(benchmark::State& state, const Encoder& encoder, const std::vector<TokenSequence>& all) {
  const std::vector<TokenSequence> batch(all.begin(), all.begin() + state.range(0));
  for (auto _ : state)
    encoder->encode(batch, [](auto, const torch::Tensor& states, const torch::Tensor&) {
      benchmark::DoNotOptimize(states.data_ptr<float>());
    });
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

}  // namespace
}  // namespace kgwalk::dialogue

int main(int argc, char** argv) {
  using namespace kgwalk::dialogue;
  const char *folder = std::getenv("KGWALK_TEXT"), *threads = std::getenv("KGWALK_THREADS"),
             *states = std::getenv("KGWALK_TEXT_STATES");
  if (folder == nullptr) {
    std::puts("skipped: KGWALK_TEXT names no folder of a text encoder");
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  kgwalk::set_torch_threads(threads != nullptr ? std::atoi(threads) : 0);
  const Encoder exact = TextEncoder::load(folder),
                rounded = TextEncoder::load(folder, torch::kCPU, TextWeights::kInt8);
  const auto sequences = sequences_of(*exact);
  if (states != nullptr) write_states(states, sequences, exact, rounded);
  for (const auto& [name, encoder] : {std::pair{"float32", exact}, std::pair{"int8", rounded}})
    benchmark::RegisterBenchmark(name, encode, encoder, sequences)
        ->Arg(1)
        ->Arg(kMost)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
