// Latency of the embedded planner: the k = 5 best paths of at most two hops by a beam of 25, from every
// annotated turn of a split of a real database, through the public interface (names in, names out).
//
// KGWALK_PLAN_DB and KGWALK_PLAN_RUN name the database and the walker's run, KGWALK_PLAN_TEXT the text
// encoder when it has moved, KGWALK_PLAN_SPLIT the split (test). Nothing is prepared: every request's text is
// encoded in the call. Counters, in ms: wall time of a call at p50, p90, p99 and the longest; processor time
// of all threads (cpu_) on average and at p50 and p99, which other work on the machine hardly moves.
// KGWALK_THREADS as in walker_bench. KGWALK_PLAN_MODEL names a packed model, of which the opening is timed instead: each
// time in full, its files in the page cache.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include "bench/plan_requests.h"
#include "kgwalk/planner.h"
#include "runtime/tensor/torch_threads.h"

namespace kgwalk {
namespace {

struct Setting {
  Planner planner;
  std::vector<PlanRequest> requests;
};

void plan_turns(benchmark::State& state, const Setting* setting) {
  std::vector<double> times, processor;
  for (auto _ : state) {
    const PlanRequest& request = setting->requests[times.size() % setting->requests.size()];
    const std::clock_t before = std::clock();
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(setting->planner.plan(request));
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    processor.push_back(1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  std::sort(processor.begin(), processor.end());
  state.counters["p50_ms"] = percentile(times, 0.5);
  state.counters["p90_ms"] = percentile(times, 0.9);
  state.counters["p99_ms"] = percentile(times, 0.99);
  state.counters["max_ms"] = times.back();
  state.counters["cpu_ms"] =
      std::accumulate(processor.begin(), processor.end(), 0.0) / static_cast<double>(processor.size());
  state.counters["cpu_p50_ms"] = percentile(processor, 0.5);
  state.counters["cpu_p99_ms"] = percentile(processor, 0.99);
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
    std::puts(
        "skipped: KGWALK_PLAN_DB and KGWALK_PLAN_RUN name no database and no walker's run, KGWALK_PLAN_MODEL "
        "none "
        "packed");
    return 0;
  }
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
  benchmark::RegisterBenchmark("plan", kgwalk::plan_turns, &setting)
      ->Iterations(static_cast<std::int64_t>(setting.requests.size()))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
