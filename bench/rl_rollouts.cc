// Rollouts of stage 2 (P13): 512 dialogues in parallel over a real graph, two hops each an iteration, by the
// actor of A2C and by an eager loop with padded actions on the same weights.
//
// KGWALK_RL_DB and KGWALK_RL_RUN name the database and a walker's run that compares candidates with a goal,
// KGWALK_RL_TEXT the text encoder when it has moved, KGWALK_RL_SIMULATOR a run of the user simulator (without
// it only rollouts in which nobody speaks are measured), KGWALK_RL_CHUNK how many situations the peer pads
// together (64; all 512 at once take tens of gigabytes where one of them stands on a hub). KGWALK_THREADS as
// in walker_bench. Before anything is timed the log-probabilities of all candidates of 512 situations are
// compared. Counters: hops a second of wall and of processor time; of ours also the shares of the
// environment (hops, exact distances, new pairs), of the user's speech and of what the walker reads
// (text states, candidates and their features) in the time of a rollout.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "bench/rl_eager.h"
#include "kgwalk/error.h"
#include "rl/training/run.h"
#include "rl/training/walker_actor.h"
#include "runtime/tensor/torch_threads.h"
#include "walker/network/ragged.h"
#include "walker/training/run.h"

namespace kgwalk {
namespace {

using Clock = std::chrono::steady_clock;
using rl::Environment;
using torch::Tensor;

constexpr int kEpisodes = 512;
constexpr int kHops = 2;

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Measures the time of another voice.
class TimedVoice : public rl::UserVoice {
 public:
  explicit TimedVoice(const rl::UserVoice& voice) : voice_(voice) {}
  [[nodiscard]] std::vector<std::string> speak(std::span<const walker::Example* const> situations,
                                               Random& random) const override {
    const auto begin = Clock::now();
    auto said = voice_.speak(situations, random);
    seconds += seconds_since(begin);
    return said;
  }
  [[nodiscard]] std::string checksum() const override { return voice_.checksum(); }
  mutable double seconds = 0;

 private:
  const rl::UserVoice& voice_;
};

struct World {
  graph::Store store;
  std::unique_ptr<walker::WalkModel> model;
  std::unique_ptr<const graph::ExactDistances> distances;
  std::unique_ptr<rl::UserVoice> silent, simulator;
  rl::Stage2Config config;

  [[nodiscard]] walker::NeuralWalker& policy() const { return dynamic_cast<walker::NeuralWalker&>(*model); }
  [[nodiscard]] Environment environment(const rl::UserVoice& voice) const {
    return {model->graph(), *distances, voice, config.environment, 1};
  }
};

World open_world() {
  const std::string text = variable("KGWALK_RL_TEXT", ""), simulator = variable("KGWALK_RL_SIMULATOR", "");
  graph::Store store = graph::Store::open(variable("KGWALK_RL_DB", ""), graph::Store::Mode::kReadOnly);
  auto silent = rl::open_user(store, "");
  auto user = simulator.empty() ? nullptr : rl::open_user(store, simulator);
  const walker::WalkerRun run = rl::open_walker_run(variable("KGWALK_RL_RUN", ""));
  auto model = walker::open_walker_hearing(store, run, rl::shared_text(store, run, text));
  const auto* neural = dynamic_cast<walker::NeuralWalker*>(model.get());
  if (neural == nullptr || !neural->config().scoring.goal)
    throw ConfigError("KGWALK_RL_RUN: this walker knows no goals");
  auto distances = graph::open_distances(store, model->graph());
  World world{std::move(store),  std::move(model), std::move(distances),
              std::move(silent), std::move(user),  {}};
  world.config.environment.episodes = kEpisodes;
  return world;
}

void report(benchmark::State& state, double wall, std::clock_t before) {
  const double hops = static_cast<double>(state.iterations()) * kHops * kEpisodes;
  state.counters["hops_per_s"] = hops / wall;
  state.counters["hops_per_cpu_s"] = hops * CLOCKS_PER_SEC / static_cast<double>(std::clock() - before);
}

void ours(benchmark::State& state, const World* world, const rl::UserVoice* voice) {
  const torch::NoGradGuard no_grad;
  const TimedVoice timed(*voice);
  Environment environment = world->environment(timed);
  rl::WalkerActor actor(world->policy(), nullptr, nullptr, environment, world->config, 1, nullptr);
  (void)actor.act();  // pools and pages
  timed.seconds = 0;
  double wall = 0;
  const std::clock_t before = std::clock();
  for (auto _ : state) {
    const auto begin = Clock::now();
    for (int hop = 0; hop < kHops; ++hop) benchmark::DoNotOptimize(actor.act());
    wall += seconds_since(begin);
  }
  report(state, wall, before);
  state.counters["share_user"] = timed.seconds / wall;

  // The parts once more, apart from each other, on the situations that the rollouts came to.
  const double hops = static_cast<double>(state.iterations()) * kHops;
  timed.seconds = 0;
  double steps = 0, reading = 0;
  Random random(3);
  for (int i = 0; i < 5; ++i) {
    const auto situations = environment.situations();
    auto begin = Clock::now();
    benchmark::DoNotOptimize(world->policy().situations(situations));
    reading += seconds_since(begin);
    std::vector<graph::Edge> choices;
    for (const walker::Example* e : situations) {
      const auto edges = world->model->graph().out_edges(e->start);
      choices.push_back(edges[random.below(edges.size())]);
    }
    begin = Clock::now();
    benchmark::DoNotOptimize(environment.step(choices, {}));
    steps += seconds_since(begin);
  }
  state.counters["share_environment"] = (steps - timed.seconds) / 5 * hops / wall;
  state.counters["share_reading"] = reading / 5 * hops / wall;
}

// One hop of all episodes by the peer.
void eager_hop(eager::EagerPolicy& policy, Environment& environment, std::size_t chunk) {
  const auto situations = environment.situations();
  std::vector<graph::Edge> hops;
  for (std::size_t begin = 0; begin < situations.size(); begin += chunk) {
    const auto part = std::span(situations).subspan(begin, std::min(chunk, situations.size() - begin));
    eager::PaddedCandidates c;
    const Tensor chosen = torch::multinomial(policy.log_probs(part, c).exp(), 1);  // [N, 1]
    const Tensor relations = c.relations.gather(1, chosen), tails = c.tails.gather(1, chosen);
    for (std::int64_t i = 0; i < chosen.size(0); ++i)
      hops.push_back({static_cast<graph::RelationId>(relations[i].item<std::int64_t>()),
                      static_cast<graph::EntityId>(tails[i].item<std::int64_t>())});
  }
  benchmark::DoNotOptimize(environment.step(hops, {}));
}

void eager_loop(benchmark::State& state, const World* world, const rl::UserVoice* voice, std::size_t chunk) {
  const torch::NoGradGuard no_grad;
  eager::EagerPolicy policy(world->policy());
  Environment environment = world->environment(*voice);
  eager_hop(policy, environment, chunk);
  double wall = 0;
  const std::clock_t before = std::clock();
  for (auto _ : state) {
    const auto begin = Clock::now();
    for (int hop = 0; hop < kHops; ++hop) eager_hop(policy, environment, chunk);
    wall += seconds_since(begin);
  }
  report(state, wall, before);
}

// Largest difference between the two in the probabilities of all candidates of 512 situations.
double difference(const World& world, const rl::UserVoice& voice, std::size_t chunk) {
  const torch::NoGradGuard no_grad;
  eager::EagerPolicy peer(world.policy());
  Environment environment = world.environment(voice);
  eager_hop(peer, environment, chunk);  // so that there is a path behind them
  const auto situations = environment.situations();
  const auto now = world.policy().situations(situations);
  const auto& c = now.candidates;
  const Tensor stop = c.offsets.slice(0, 1) - 1;
  const Tensor own =
      walker::ragged_log_softmax(world.policy().first_hop(now).scores.index_fill(0, stop, -1e9), c.offsets);
  double worst = 0;
  for (std::size_t begin = 0; begin < situations.size(); begin += chunk) {
    const std::size_t end = std::min(situations.size(), begin + chunk);
    eager::PaddedCandidates padded;
    const Tensor theirs =
        peer.log_probs(std::span(situations).subspan(begin, end - begin), padded).masked_select(padded.keep);
    const auto* o = c.offsets.data_ptr<std::int64_t>();
    const Tensor part = own.slice(0, o[begin], o[end]);
    worst = std::max(worst, (part.exp() - theirs.exp()).abs().max().item<double>());
  }
  return worst;
}

}  // namespace
}  // namespace kgwalk

int main(int argc, char** argv) {
  using kgwalk::variable;
  if (variable("KGWALK_RL_DB", "").empty() || variable("KGWALK_RL_RUN", "").empty()) {
    std::puts("skipped: KGWALK_RL_DB and KGWALK_RL_RUN name no database and no walker's run");
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  kgwalk::set_torch_threads(std::atoi(variable("KGWALK_THREADS", "0").c_str()));
  const auto chunk =
      static_cast<std::size_t>(std::max(1, std::atoi(variable("KGWALK_RL_CHUNK", "64").c_str())));
  const kgwalk::World world = kgwalk::open_world();
  for (const auto& [name, voice] :
       {std::pair("silent", world.silent.get()), std::pair("user", world.simulator.get())}) {
    if (voice == nullptr) continue;
    const double worst = kgwalk::difference(world, *voice, chunk);
    std::printf("%s: probabilities differ by at most %.2g\n", name, worst);
    std::fflush(stdout);
    if (!(worst < 1e-4)) {
      std::fputs("the peer does not compute the same policy\n", stderr);
      return 1;
    }
    const std::string suffix = std::string("/") + name;
    benchmark::RegisterBenchmark(("rollout/ours" + suffix).c_str(), kgwalk::ours, &world, voice)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    benchmark::RegisterBenchmark(("rollout/eager" + suffix).c_str(), kgwalk::eager_loop, &world, voice, chunk)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
