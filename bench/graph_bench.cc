// Benchmarks of the graph beside Boost.Graph, plain RocksDB loops and a plain line reader, in one run.
//
//   graph_bench                                   every benchmark once, and the histogram of distances
//   graph_bench --benchmark_filter=P6 --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
//
// Names begin with the row of the speed targets they answer (P5 ... P14). Time is wall time, CPU
// is processor time of all threads. Peers that would take minutes run on a sample of the
// sources; compare items_per_second.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string_view>

#include "graph_bench_data.h"
#include "kgwalk/distances.h"
#include "kgwalk/threads.h"
#include "runtime/text.h"

namespace kgwalk::bench {
namespace {

void print_histogram() {
  if (!opendialkg()) {
    std::printf("OpenDialKG is not there: no histogram; set KGWALK_DATA\n");
    return;
  }
  const std::vector<std::uint64_t> counts = graph::distance_histogram(*opendialkg());
  std::printf("distances of all ordered pairs, OpenDialKG\n");
  for (std::size_t d = 1; d < counts.size(); ++d)
    if (counts[d] > 0)
      std::printf("%5s %15s\n", d == graph::kUnreachable ? "none" : std::to_string(d).c_str(),
                  with_commas(static_cast<long long>(counts[d])).c_str());
}

}  // namespace
}  // namespace kgwalk::bench

int main(int argc, char** argv) {
  bool filtered = false;
  for (int i = 1; i < argc; ++i)
    filtered = filtered || std::string_view(argv[i]).starts_with("--benchmark_filter");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  if (!filtered) {
    kgwalk::set_num_threads(0);
    kgwalk::bench::print_histogram();
  }
  benchmark::Shutdown();
  return 0;
}
