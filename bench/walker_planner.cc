// Latency of the embedded planner: the k = 5 best paths of at most two hops by a beam of 25, from every
// annotated turn of a split of a real database, through the public interface (names in, names out).
//
// KGWALK_PLAN_DB and KGWALK_PLAN_RUN name the database and the walker's run, KGWALK_PLAN_TEXT the text
// encoder when it has moved, KGWALK_PLAN_SPLIT the split (test). Nothing is prepared: every request's text is
// encoded in the call. Counters, in ms: wall time of a call at p50, p90, p99 and the longest; processor time
// of all threads (cpu_) on average and at p50 and p99, which other work on the machine hardly moves.
// KGWALK_THREADS as in walker_bench.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include "dialogue/turn_example.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/planner.h"
#include "kgwalk/store.h"
#include "runtime/tensor/torch_threads.h"

namespace kgwalk {
namespace {

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

NamedHop named(const graph::KnowledgeGraph& graph, const graph::Triple& hop) {
  return {std::string(graph.entity_name(hop.head)), std::string(graph.relation_name(hop.relation)),
          std::string(graph.entity_name(hop.tail))};
}

PlanRequest request_of(const graph::KnowledgeGraph& graph, const dialogue::TurnExample& turn) {
  PlanRequest request;
  for (const graph::Chat& chat : turn.history)
    request.history.push_back({chat.speaker == graph::Speaker::kUser ? "user" : "assistant", chat.text});
  std::size_t begin = 0;
  for (const std::uint32_t end : turn.path_ends) {
    auto& path = request.walked.emplace_back();
    for (; begin < end; ++begin) path.push_back(named(graph, turn.walked[begin]));
  }
  request.start = graph.entity_name(turn.start);
  return request;
}

// Turns whose whole history can be asked for: hops known only from annotations are no edges of the graph.
std::vector<PlanRequest> requests_of(const std::string& database, const std::string& split) {
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::vector<PlanRequest> requests;
  for (const dialogue::TurnExample& turn :
       dialogue::load_examples(store, graph, std::vector<std::string>{split}))
    if (std::all_of(turn.walked.begin(), turn.walked.end(),
                    [&](const graph::Triple& hop) { return graph.has_edge(hop); }))
      requests.push_back(request_of(graph, turn));
  return requests;
}

struct Setting {
  Planner planner;
  std::vector<PlanRequest> requests;
};

double percentile(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

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

}  // namespace
}  // namespace kgwalk

int main(int argc, char** argv) {
  using kgwalk::environment;
  const std::string database = environment("KGWALK_PLAN_DB", ""), run = environment("KGWALK_PLAN_RUN", "");
  if (database.empty() || run.empty()) {
    std::puts("skipped: KGWALK_PLAN_DB and KGWALK_PLAN_RUN name no database and no walker's run");
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  kgwalk::set_torch_threads(std::atoi(environment("KGWALK_THREADS", "0").c_str()));
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
