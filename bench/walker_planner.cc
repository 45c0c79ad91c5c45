// Latency of the embedded planner: the k = 5 best paths of at most two hops by a beam of 25, from every
// annotated turn of a split of a real database, through the public interface (names in, names out).
//
// KGWALK_PLAN_DB and KGWALK_PLAN_RUN name the database and the walker's run, KGWALK_PLAN_TEXT the text
// encoder when it has moved, KGWALK_PLAN_SPLIT the split (test). Nothing is prepared: every request's text is
// encoded in the call. Counters, in ms: wall time of a call at p50, p90, p99 and the longest; processor time
// of all threads (cpu_) on average and at p50, p90, p99 and the longest, which other work on the machine
// hardly moves. The slowest hundredth of the calls by processor time is then made ten times more, of which
// the fastest counts: cpu_ms on average, cpu_max_ms the longest. KGWALK_THREADS as in walker_bench.
// KGWALK_PLAN_MODEL names a packed model, of which the opening is timed instead: each time in full, its files
// in the page cache.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "bench/plan_requests.h"
#include "kgwalk/planner.h"
#include "runtime/memory.h"
#include "runtime/tensor/torch_threads.h"

namespace kgwalk {
namespace {

struct Setting {
  Planner planner;
  std::vector<PlanRequest> requests;
};

struct Call {
  double wall_ms, cpu_ms;
};

Call plan_once(const Planner& planner, const PlanRequest& request) {
  const std::clock_t before = std::clock();
  const auto start = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(planner.plan(request));
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC};
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void plan_turns(benchmark::State& state, const Setting* setting, std::vector<double>* cpu_ms) {
  std::vector<double> times;
  for (auto _ : state) {
    const Call call = plan_once(setting->planner, setting->requests[times.size()]);
    times.push_back(call.wall_ms);
    cpu_ms->push_back(call.cpu_ms);
  }
  std::vector<double> processor = *cpu_ms;
  std::sort(times.begin(), times.end());
  std::sort(processor.begin(), processor.end());
  state.counters["p50_ms"] = percentile(times, 0.5);
  state.counters["p90_ms"] = percentile(times, 0.9);
  state.counters["p99_ms"] = percentile(times, 0.99);
  state.counters["max_ms"] = times.back();
  state.counters["cpu_ms"] = mean(processor);
  state.counters["cpu_p50_ms"] = percentile(processor, 0.5);
  state.counters["cpu_p90_ms"] = percentile(processor, 0.9);
  state.counters["cpu_p99_ms"] = percentile(processor, 0.99);
  state.counters["cpu_max_ms"] = processor.back();
}

void plan_slowest(benchmark::State& state, const Setting* setting, const std::vector<double>* cpu_ms) {
  std::vector<std::size_t> order(cpu_ms->size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return (*cpu_ms)[a] > (*cpu_ms)[b]; });
  order.resize(order.size() / 100 + 1);
  std::vector<double> fastest(order.size(), std::numeric_limits<double>::max());
  for (auto _ : state)
    for (std::size_t i = 0; i < order.size(); ++i)
      fastest[i] = std::min(fastest[i], plan_once(setting->planner, setting->requests[order[i]]).cpu_ms);
  state.counters["cpu_ms"] = mean(fastest);
  state.counters["cpu_max_ms"] = *std::max_element(fastest.begin(), fastest.end());
}

void open_model(benchmark::State& state, const std::string& model) {
  std::vector<double> times, processor;
  for (auto _ : state) {
    const std::clock_t before = std::clock();
    const auto start = std::chrono::steady_clock::now();
    const Planner planner = Planner::open(model);
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    processor.push_back(1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  std::sort(processor.begin(), processor.end());
  state.counters["p50_ms"] = percentile(times, 0.5);
  state.counters["min_ms"] = times.front();
  state.counters["cpu_p50_ms"] = percentile(processor, 0.5);
}

}  // namespace
}  // namespace kgwalk

int main(int argc, char** argv) {
  using kgwalk::environment;
  const std::string database = environment("KGWALK_PLAN_DB", ""), run = environment("KGWALK_PLAN_RUN", ""),
                    model = environment("KGWALK_PLAN_MODEL", "");
  if (model.empty() && (database.empty() || run.empty())) {
    std::puts("skipped: neither KGWALK_PLAN_DB and KGWALK_PLAN_RUN nor KGWALK_PLAN_MODEL are given");
    return 0;
  }
  kgwalk::keep_freed_memory();  // as the program does
  benchmark::Initialize(&argc, argv);
  kgwalk::set_torch_threads(std::atoi(environment("KGWALK_THREADS", "0").c_str()));
  if (!model.empty()) {
    benchmark::RegisterBenchmark("open", kgwalk::open_model, model)
        ->Iterations(15)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }
  const kgwalk::Setting setting{
      kgwalk::Planner::open(database, run, {.text = environment("KGWALK_PLAN_TEXT", "")}),
      kgwalk::requests_of(database, environment("KGWALK_PLAN_SPLIT", "test"))};
  if (setting.requests.empty()) {
    std::fputs("the split holds no turn to plan for\n", stderr);
    return 1;
  }
  for (int i = 0; i < 20; ++i) (void)setting.planner.plan(setting.requests[0]);  // pools and pages
  std::vector<double> cpu_ms;
  benchmark::RegisterBenchmark("plan", kgwalk::plan_turns, &setting, &cpu_ms)
      ->Iterations(static_cast<std::int64_t>(setting.requests.size()))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RegisterBenchmark("slowest", kgwalk::plan_slowest, &setting, &cpu_ms)
      ->Iterations(10)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
