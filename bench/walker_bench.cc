// Targets P10 and P12: one beam step and one supervised step of the walker (4 layers of width 256) beside the
// plain eager walker of bench/walker_eager.h on the same weights, in one run. The graph is synthetic: fan-out
// as in OpenDialKG, a few hubs of thousands of edges among many entities of tens.
//
// Before measuring, both must give the same numbers. Counters: gflop is the work in matrix products by the
// formulas below, gflops the rate reached, product_share the part of the time that these products alone would
// take at the rate of a large sgemm measured in the same process.
#include <torch/nn/functional/loss.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim.h>

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench/walker_eager.h"
#include "kgwalk/threads.h"
#include "runtime/random.h"
#include "runtime/tensor/optimizer.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"
#include "walker/network/neural_walker.h"
#include "walker/network/ragged.h"
#include "walker/training/loss.h"

namespace kgwalk::walker {
namespace {

constexpr int kWidth = 256, kLayers = 4, kTokens = 64, kTrainBatch = 16;

// States of fixed length drawn from the words' hash; width as of a small ALBERT.
class RandomText : public TextSource {
 public:
  [[nodiscard]] std::int64_t width() const override { return 128; }
  [[nodiscard]] std::int64_t max_tokens() const override { return kTokens; }
  [[nodiscard]] std::int64_t num_tokens(const Context& /*context*/) const override { return kTokens; }
  [[nodiscard]] Batch batch(std::span<const Context> contexts) const override {
    const auto n = static_cast<std::int64_t>(contexts.size());
    return {states_.slice(0, 0, n), torch::ones({n, kTokens}, torch::kBool)};
  }
  void prepare(std::span<const Context> /*contexts*/, std::string_view /*slot*/,
               Reporter& /*reporter*/) override {}
  [[nodiscard]] std::string checksum() const override { return "random"; }

 private:
  torch::Tensor states_ = torch::randn({64, kTokens, 128});
};

std::string name(std::string prefix, std::uint64_t number) { return prefix.append(std::to_string(number)); }

std::shared_ptr<const graph::KnowledgeGraph> synthetic_graph() {
  Random random(7);
  std::vector<graph::NamedTriple> triples;
  for (int e = 0; e < 20000; ++e) {
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t u = random.below(1000000);
      const auto tail = u % 3 == 0 ? u % 20 : u % 20000;  // a third of the edges lead to hubs
      triples.push_back(
          {name("e", static_cast<std::uint64_t>(e)), name("r", random.below(300)), name("e", tail)});
    }
  }
  return std::make_shared<const graph::KnowledgeGraph>(graph::KnowledgeGraph::from_triples(triples));
}

struct World {
  WalkerConfig config;
  std::unique_ptr<NeuralWalker> walker;
  std::unique_ptr<eager::EagerWalker> eager, eager_training;
  std::vector<Example> examples;  // kTrainBatch of them
  std::vector<const Example*> pointers;
  double sgemm_gflops = 0;
};

WalkerConfig bench_config() {
  WalkerConfig config;
  for (seq2seq::StackOptions* stack : {&config.encoder, &config.decoder}) {
    stack->layers = kLayers;
    stack->width = kWidth;
    stack->heads = 8;
    stack->ffn_width = 4 * kWidth;
    stack->dropout = stack->attention_dropout = 0;
  }
  config.metapath.kg_width = 384;
  return config;
}

// Paths of two hops that avoid hubs half of the time.
Example random_example(const graph::KnowledgeGraph& graph, Random& random) {
  Example example;
  example.context = {{graph::Speaker::kUser, "x"}};
  graph::EntityId here = static_cast<graph::EntityId>(20 + random.below(graph.num_connected() - 20));
  for (int h = 0; h < 4; ++h) {
    const auto edges = graph.out_edges(here);
    const graph::Edge edge = edges[random.below(edges.size())];
    if (h < 2) example.walked.push_back({here, edge.relation, edge.tail});
    if (h == 1) example.start = edge.tail;
    if (h >= 2) example.gold.push_back(edge);
    here = edge.tail;
  }
  example.path_ends = {2};
  return example;
}

World& world() {
  static World w = [] {
    World made;
    made.config = bench_config();
    const auto graph = synthetic_graph();
    seed_torch(1);
    made.walker = std::make_unique<NeuralWalker>(
        made.config, make_resources(made.config, graph,
                                    random_graph_tables(graph->num_entities(), graph->num_relations(),
                                                        made.config.metapath, 1),
                                    std::make_shared<RandomText>(), {}));
    Random random(3);
    for (int i = 0; i < kTrainBatch; ++i) made.examples.push_back(random_example(*graph, random));
    made.eager = std::make_unique<eager::EagerWalker>(made.config, made.walker->net(), false);
    made.eager_training = std::make_unique<eager::EagerWalker>(made.config, made.walker->net(), true);
    made.sgemm_gflops = probe_blas().gflops_sgemm;
    return made;
  }();
  if (w.pointers.empty())
    for (const Example& example : w.examples) w.pointers.push_back(&example);
  return w;
}

// ---- the beam step ----

// `beam` first hops of one example: those with the smallest edge index of the start, repeated when
// there are fewer.
struct BeamStep {
  WalkInputs inputs;
  MetaPathIds hops;  // [beam, 1]
  CandidateTensors candidates;
  torch::Tensor owners;  // [beam]
};

BeamStep beam_step(int beam) {
  World& w = world();
  BeamStep step;
  const Example* one[] = {w.pointers[0]};
  step.inputs = w.walker->inputs().build(one);
  const auto edges = w.walker->graph().out_edges(one[0]->start);
  std::vector<PartialPath> paths;
  std::vector<graph::EntityId> entities;
  std::vector<std::int32_t> taken;
  for (int i = 0; i < beam; ++i) {
    PartialPath path{.num_hops = 1};
    path.hops[0] = edges[static_cast<std::size_t>(i) % edges.size()];
    entities.push_back(path.hops[0].tail);
    taken.push_back(1);
    paths.push_back(path);
  }
  step.hops = InputBuilder::hops(paths, one, 1);
  step.candidates = w.walker->candidates(entities, taken, {});
  step.owners = torch::zeros({beam}, torch::kInt64);
  return step;
}

// Products of one step: projections of self-attention (4), memories' queries and outputs (2 x 2) and the
// feed-forward network (8) in D^2 a row and layer, the scores' projection and the relation table.
double beam_gflop(int beam, const World& w) {
  const double d = kWidth, mp = 768, relations = w.walker->graph().num_relations() + 1;
  return 2e-9 * beam * (kLayers * (4 + 4 + 8) * d * d + mp * d + d * mp + relations * 384);
}

torch::Tensor ours_beam(const BeamStep& step, const WalkState& state) {
  World& w = world();
  const torch::Tensor states = w.walker->net().network->extend(state, step.hops, step.owners);
  return ragged_log_softmax(w.walker->net().scorer->forward(states, step.candidates),
                            step.candidates.offsets);
}

torch::Tensor eager_beam(const BeamStep& step, eager::EagerWalker::State state) {
  World& w = world();
  eager::EagerWalker::reorder(state, step.owners);
  const torch::Tensor states =
      w.eager->step(w.eager->hop(step.hops.relations, step.hops.tails), state).select(1, 0);
  return w.eager->score(states, eager::pad_candidates(step.candidates), step.candidates.hops);
}

void report(benchmark::State& state, double gflop) {
  state.counters["gflop"] = gflop;
  state.counters["gflops"] =
      benchmark::Counter(gflop * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["floor_ms"] = 1e3 * gflop / world().sgemm_gflops;
}

void BM_BeamStepOurs(benchmark::State& state) {
  const torch::NoGradGuard no_grad;
  const BeamStep step = beam_step(static_cast<int>(state.range(0)));
  const auto start = world().walker->net().network->start(step.inputs);
  for (auto _ : state) benchmark::DoNotOptimize(ours_beam(step, *start));
  report(state, beam_gflop(static_cast<int>(state.range(0)), world()));
}

void BM_BeamStepEager(benchmark::State& state) {
  const torch::NoGradGuard no_grad;
  const BeamStep step = beam_step(static_cast<int>(state.range(0)));
  eager::EagerWalker::State start = world().eager->start(step.inputs);
  world().eager->step(world().eager->prefix(step.inputs), start);
  for (auto _ : state) benchmark::DoNotOptimize(eager_beam(step, start));
  report(state, beam_gflop(static_cast<int>(state.range(0)), world()));
}

// ---- the supervised step ----

struct TrainStep {
  WalkInputs inputs;
  MetaPathIds hops;             // [B, 1] first gold hops
  CandidateTensors candidates;  // 2 B states: before the first and the second hop
  torch::Tensor gold, lengths;  // place among all candidates; place within the state's
  torch::Tensor gold_place;
};

TrainStep train_step() {
  World& w = world();
  TrainStep step;
  step.inputs = w.walker->inputs().build(w.pointers);
  std::vector<PartialPath> prefixes;
  std::vector<graph::EntityId> entities;
  std::vector<std::int32_t> taken;
  std::vector<std::int64_t> places;
  for (std::size_t b = 0; b < w.examples.size(); ++b) {
    const Example& e = w.examples[b];
    PartialPath prefix{.example = static_cast<std::int32_t>(b), .num_hops = 1};
    prefix.hops[0] = e.gold[0];
    prefixes.push_back(prefix);
    for (int h = 0; h < 2; ++h) {
      entities.push_back(h == 0 ? e.start : e.gold[0].tail);
      taken.push_back(h);
      places.push_back(place_of(w.walker->graph(), entities.back(), e.gold[static_cast<std::size_t>(h)]));
    }
  }
  step.hops = InputBuilder::hops(prefixes, w.pointers, 1);
  step.candidates = w.walker->candidates(entities, taken, {});
  step.gold_place = torch::tensor(at::ArrayRef<std::int64_t>(places), torch::kInt64);
  step.gold = step.candidates.offsets.slice(0, 0, step.candidates.offsets.size(0) - 1) + step.gold_place;
  step.lengths = torch::ones({kTrainBatch}, torch::kInt64);
  return step;
}

// Forward products of both encoders and the decoder, three times for the backward pass.
double train_gflop(const World& w) {
  const double d = kWidth, b = kTrainBatch, text = kTokens, path = 3, decoder = 4, mp = 768;
  const double encoders = kLayers * (12 * d * d * (text + path) + 2 * d * (text * text + path * path));
  const double memories = kLayers * 2 * d * d * (text + path);
  const double decoding =
      kLayers * ((4 + 4 + 8) * d * d * decoder + 2 * d * decoder * (decoder + text + path));
  const double in_out =
      128 * d * text + mp * d * (path + 2) + 2 * (d * mp + 384 * (w.walker->graph().num_relations() + 1));
  return 3 * 2e-9 * b * (encoders + memories + decoding + in_out);
}

torch::Tensor ours_loss(const TrainStep& step) {
  World& w = world();
  const Decoded decoded = w.walker->net().network->teach(step.inputs, step.hops);  // [B, 2, D]
  const torch::Tensor log_probs = ragged_log_softmax(
      w.walker->net().scorer->forward(decoded.states.reshape({-1, kWidth}), step.candidates),
      step.candidates.offsets);
  return walk_loss(w.config.loss, log_probs, step.candidates.offsets, decoded.lengths,
                   {step.gold, torch::Tensor(), step.lengths})
      .total;
}

torch::Tensor eager_loss(const TrainStep& step, eager::EagerWalker& eager) {
  World& w = world();
  eager::EagerWalker::State state = eager.start(step.inputs);
  const torch::Tensor x = torch::cat(
      {eager.prefix(step.inputs), eager.hop(step.hops.relations, step.hops.tails)}, 1);  // [B, 4, D]
  const torch::Tensor out = eager.step(x, state);
  const torch::Tensor states = out.slice(1, 2).reshape({-1, kWidth});
  const torch::Tensor log_probs =
      eager.score(states, eager::pad_candidates(step.candidates), step.candidates.hops);
  const torch::Tensor path = -log_probs.gather(1, step.gold_place.unsqueeze(1)).mean();
  const torch::Tensor length =
      torch::nn::functional::cross_entropy(eager.lengths(out.select(1, 0)), step.lengths);
  return path * w.config.loss.path + length * w.config.loss.length;
}

void BM_TrainStepOurs(benchmark::State& state) {
  const TrainStep step = train_step();
  WalkerNetImpl& net = world().walker->net();
  net.train();
  FlatAdam optimizer(net.parameters(), AdamConfig{.lr = 0, .clip_norm = 1});
  for (auto _ : state) {
    optimizer.zero_grad();
    ours_loss(step).backward();
    benchmark::DoNotOptimize(optimizer.step());
  }
  net.eval();
  report(state, train_gflop(world()));
}

void BM_TrainStepEager(benchmark::State& state) {
  const TrainStep step = train_step();
  eager::EagerWalker& eager = *world().eager_training;
  torch::optim::Adam optimizer(eager.parameters(), torch::optim::AdamOptions(0));
  for (auto _ : state) {
    optimizer.zero_grad();
    eager_loss(step, eager).backward();
    torch::nn::utils::clip_grad_norm_(eager.parameters(), 1.0);
    optimizer.step();
  }
  report(state, train_gflop(world()));
}

// Interleaved by the order of registration and Google Benchmark's --benchmark_enable_random_interleaving.
BENCHMARK(BM_BeamStepOurs)->Arg(25)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_BeamStepEager)->Arg(25)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_TrainStepOurs)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_TrainStepEager)->Unit(benchmark::kMillisecond)->UseRealTime();

// Both walkers must agree before anything is measured.
bool results_agree() {
  const torch::NoGradGuard no_grad;
  const BeamStep step = beam_step(25);
  const auto ours_state = world().walker->net().network->start(step.inputs);
  eager::EagerWalker::State eager_state = world().eager->start(step.inputs);
  world().eager->step(world().eager->prefix(step.inputs), eager_state);
  const torch::Tensor ours = ours_beam(step, *ours_state), padded = eager_beam(step, eager_state);
  const torch::Tensor theirs = padded.masked_select(eager::pad_candidates(step.candidates).keep);
  const double beam = (ours - theirs).abs().max().item<double>();
  const TrainStep train = train_step();
  const double loss =
      std::abs(ours_loss(train).item<double>() - eager_loss(train, *world().eager).item<double>());
  std::printf("largest difference to the eager walker: beam step %.2e, loss %.2e; sgemm %.0f GFLOP/s\n", beam,
              loss, world().sgemm_gflops);
  return beam < 1e-3 && loss < 1e-3;
}

}  // namespace
}  // namespace kgwalk::walker

int main(int argc, char** argv) {
  const char* threads = std::getenv("KGWALK_THREADS");
  kgwalk::set_torch_threads(threads != nullptr ? std::atoi(threads) : 0);
  benchmark::Initialize(&argc, argv);
  if (!kgwalk::walker::results_agree()) {
    std::fprintf(stderr, "the walkers disagree; nothing is measured\n");
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
