// Scoring the candidate forms of an utterance beside the text encoder, and learning from batches of them.
#include <benchmark/benchmark.h>

#include "listening/network/form_scorer.h"
#include "runtime/random.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/listening/random_forms.h"

namespace {

using namespace kgwalk;
using namespace kgwalk::listening;

constexpr std::int64_t kWidth = 384, kRank = 48, kWords = 20;

struct Fixture {
  explicit Fixture(std::int64_t utterances) {
    set_torch_threads(1);
    forms.words = kWords;
    forms.covers = 12;
    forms.slots = 90;
    forms.types = 6;
    forms.candidates = 160;
    forms.relations = 600;
    forms.type_rows = 300;
    forms.features = 150;
    forms.cues = 20;
    Random random(1);
    for (std::int64_t i = 0; i < utterances; ++i) inputs.push_back(forms.draw(random));
    for (const FormInput& input : inputs) pointers.push_back(&input);
    scorer = testing::scorer_for(forms, kWidth, kRank);
    states = torch::randn({utterances, kWords, kWidth});
    relations = torch::randn({forms.relations, kWidth});
    types = torch::randn({forms.type_rows, kWidth});
  }
  testing::RandomForms forms;
  FormScorer scorer{nullptr};
  std::vector<FormInput> inputs;
  std::vector<const FormInput*> pointers;
  torch::Tensor states, relations, types;
};

// range(0): keys of the relations are made once a graph, else once an utterance.
void hear_one(benchmark::State& state) {
  Fixture f(1);
  f.scorer->eval();
  const torch::NoGradGuard no_grad;
  const FormKeys all = f.scorer->keys(f.relations, f.types);
  for (auto _ : state) {
    if (state.range(0) == 1) {
      const FormBatch batch = collate(f.pointers, TableRows::kAll);
      benchmark::DoNotOptimize(f.scorer->forward(f.states, batch, all));
    } else {
      const FormBatch batch = collate(f.pointers, TableRows::kUsed);
      const FormKeys keys = f.scorer->keys(f.relations.index_select(0, batch.relation_rows),
                                           f.types.index_select(0, batch.type_rows));
      benchmark::DoNotOptimize(f.scorer->forward(f.states, batch, keys));
    }
  }
}
BENCHMARK(hear_one)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void collate_one(benchmark::State& state) {
  const Fixture f(1);
  for (auto _ : state) benchmark::DoNotOptimize(collate(f.pointers, TableRows::kAll));
}
BENCHMARK(collate_one)->Unit(benchmark::kMillisecond);

// Forward and backward pass over a batch.
void learn_batch(benchmark::State& state) {
  Fixture f(32);
  f.scorer->train();
  for (auto _ : state) {
    const FormBatch batch = collate(f.pointers, TableRows::kUsed);
    const FormKeys keys = f.scorer->keys(f.relations.index_select(0, batch.relation_rows),
                                         f.types.index_select(0, batch.type_rows));
    marginal_loss(f.scorer->forward(f.states, batch, keys), batch).backward();
  }
}
BENCHMARK(learn_batch)->Unit(benchmark::kMillisecond);

}  // namespace
