// How ingestion and opening grow (P20): one graph a run, so that the peak of memory is that of the graph.
//
//   gen_graph 1000000 5000000 200 7 > 5m.tsv
//   graph_growth ingest 5m.tsv kg.db 2       seconds, peak memory, size on disk
//   graph_growth open kg.db                  opening, first expansion, random expansions, look-ups
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "kgwalk/threads.h"

namespace kgwalk::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Of this process, in MB; pages of mapped files count while they are mapped in.
double peak_mb() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_maxrss) / 1024;
}

double processor_s() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

double folder_mb(const fs::path& folder) {
  double bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  return bytes / 1e6;
}

int ingest_one(const fs::path& file, const fs::path& database, int threads) {
  set_num_threads(threads);
  graph::IngestOptions options;
  options.triples = {file};
  options.database = database;
  options.replace = true;
  const auto begin = Clock::now();
  const graph::IngestReport report = graph::ingest(options);
  std::printf(
      "ingest: %llu lines, %llu entities, %llu edges: %.1f s, %.1f s of processor time, peak %.0f MB, "
      "%.0f MB on disk\n",
      static_cast<unsigned long long>(report.triple_lines), static_cast<unsigned long long>(report.entities),
      static_cast<unsigned long long>(report.edges), ms_since(begin) / 1000, processor_s(), peak_mb(),
      folder_mb(database));
  return 0;
}

// Random rows, `rows` of them; ns an edge.
double expand(const graph::KnowledgeGraph& graph, std::size_t rows, std::uint64_t seed, std::uint64_t& sum) {
  std::mt19937_64 random(seed);
  std::vector<graph::EntityId> from(rows);
  for (graph::EntityId& entity : from)
    entity = static_cast<graph::EntityId>(random() % graph.num_connected());
  std::uint64_t edges = 0;
  const auto begin = Clock::now();
  for (const graph::EntityId entity : from)
    for (const graph::Edge& edge : graph.out_edges(entity)) sum += edge.tail, ++edges;
  return 1e6 * ms_since(begin) / static_cast<double>(edges);
}

double look_up_us(const graph::KnowledgeGraph& graph, std::size_t count, std::uint64_t& sum) {
  std::mt19937_64 random(5);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i)
    names.emplace_back(graph.entity_name(static_cast<graph::EntityId>(random() % graph.num_entities())));
  const auto begin = Clock::now();
  for (const std::string& name : names) sum += *graph.find_entity(name);
  return 1e3 * ms_since(begin) / static_cast<double>(count);
}

int open_one(const fs::path& database) {
  const double before = peak_mb();
  auto begin = Clock::now();
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  const double open = ms_since(begin), after = peak_mb();
  std::uint64_t sum = 0;
  begin = Clock::now();
  for (const graph::Edge& edge : graph.out_edges(graph.num_connected() / 2)) sum += edge.tail;
  const double first = ms_since(begin);
  (void)expand(graph, 1 << 20, 3, sum);
  const double ns = expand(graph, 1 << 20, 4, sum);
  (void)look_up_us(graph, 1 << 16, sum);
  const double us = look_up_us(graph, 1 << 16, sum);
  std::printf(
      "open: %.1f ms, %.0f MB more; first row %.3f ms; then %.1f M edges/s, %.2f us a name, peak %.0f MB "
      "(%llu)\n",
      open, after - before, first, 1000 / ns, us, peak_mb(), static_cast<unsigned long long>(sum));
  return 0;
}

}  // namespace
}  // namespace kgwalk::bench

int main(int argc, char** argv) {
  try {
    if (argc >= 4 && std::strcmp(argv[1], "ingest") == 0)
      return kgwalk::bench::ingest_one(argv[2], argv[3], argc > 4 ? std::atoi(argv[4]) : 1);
    if (argc == 3 && std::strcmp(argv[1], "open") == 0) return kgwalk::bench::open_one(argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graph_growth: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: graph_growth ingest FILE DB [THREADS] | graph_growth open DB\n");
  return 2;
}
