// P8 and P14: expansion of vertices, ingestion, reopening.
#include <benchmark/benchmark.h>
#include <rocksdb/db.h>
#include <rocksdb/table.h>

#include <fstream>
#include <memory>
#include <random>

#include "graph/store/packed_edges.h"
#include "graph_bench_data.h"
#include "kgwalk/store.h"
#include "kgwalk/threads.h"

namespace kgwalk::bench {
namespace {

using graph::Edge;
using graph::EntityId;
using graph::KnowledgeGraph;

std::string big_endian(std::initializer_list<std::uint32_t> values) {
  std::string key;
  for (const std::uint32_t value : values)
    for (int shift = 24; shift >= 0; shift -= 8) key += static_cast<char>(value >> shift);
  return key;
}

// The same graph twice in plain RocksDB: a key an edge, and a packed value a vertex. Without a block cache
// every read takes its block from the file (the operating system's memory) and checks it. The packed one has
// our store's options, the other RocksDB's own.
class PlainDatabases {
 public:
  explicit PlainDatabases(const KnowledgeGraph& graph) {
    by_edge_ = open("by_edge", false);
    packed_ = open("packed", true);
    rocksdb::WriteOptions options;
    options.disableWAL = true;
    for (EntityId v = 0; v < graph.num_connected(); ++v) {
      packed_->Put(options, big_endian({v}), graph::pack_edges(graph.out_edges(v)));
      for (const Edge& e : graph.out_edges(v))
        by_edge_->Put(options, big_endian({v, e.relation, e.tail}), "");
    }
    for (rocksdb::DB* db : {by_edge_.get(), packed_.get()}) {
      db->Flush(rocksdb::FlushOptions());
      db->CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr);
    }
  }
  [[nodiscard]] rocksdb::DB& by_edge() const { return *by_edge_; }
  [[nodiscard]] rocksdb::DB& packed() const { return *packed_; }

 private:
  static std::unique_ptr<rocksdb::DB> open(const std::string& name, bool as_our_store) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.compression = rocksdb::kNoCompression;
    options.allow_mmap_reads = as_our_store;
    rocksdb::BlockBasedTableOptions table;
    if (as_our_store) {
      table.checksum = rocksdb::kXXH3;
      table.format_version = 5;
      table.block_size = 1024;
    }
    table.no_block_cache = true;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    rocksdb::DB* db = nullptr;
    const rocksdb::Status status = rocksdb::DB::Open(options, (work_folder() / name).string(), &db);
    if (!status.ok()) throw std::runtime_error(status.ToString());
    return std::unique_ptr<rocksdb::DB>(db);
  }
  std::unique_ptr<rocksdb::DB> by_edge_, packed_;
};

const PlainDatabases& plain_databases() {
  static const PlainDatabases databases(uniform_graph());
  return databases;
}

std::vector<EntityId> random_vertices(const KnowledgeGraph& graph, std::size_t count) {
  std::mt19937_64 random(4);
  std::vector<EntityId> vertices(count);
  for (EntityId& v : vertices) v = static_cast<EntityId>(random() % graph.num_connected());
  return vertices;
}

// expand(v) adds the tails of v to the sum and gives their number.
template <class Expand>
void expansion(benchmark::State& state, Expand&& expand) {
  const std::vector<EntityId> vertices = random_vertices(uniform_graph(), 1 << 16);
  std::size_t i = 0;
  std::uint64_t sum = 0;
  std::int64_t edges = 0;
  for (auto _ : state) edges += expand(vertices[i++ & (vertices.size() - 1)], sum);
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(edges);
}

void snapshot(benchmark::State& state, const KnowledgeGraph& graph) {
  expansion(state, [&](EntityId v, std::uint64_t& sum) {
    const std::span<const Edge> row = graph.out_edges(v);
    for (const Edge& e : row) sum += e.tail;
    return static_cast<std::int64_t>(row.size());
  });
}

void P8_snapshot_in_memory(benchmark::State& state) { snapshot(state, uniform_graph()); }
void P8_snapshot_mapped(benchmark::State& state) { snapshot(state, mapped_graph()); }

// By name, in random order.
void look_ups(benchmark::State& state, const KnowledgeGraph& graph) {
  std::vector<std::string> names;
  for (const EntityId v : random_vertices(uniform_graph(), 1 << 16)) names.emplace_back(graph.entity_name(v));
  std::size_t i = 0;
  std::uint64_t sum = 0;
  for (auto _ : state) sum += *graph.find_entity(names[i++ & (names.size() - 1)]);
  benchmark::DoNotOptimize(sum);
}
void names_in_memory(benchmark::State& state) { look_ups(state, uniform_graph()); }
void names_mapped(benchmark::State& state) { look_ups(state, mapped_graph()); }

void P8_rocksdb_seek_next_cold(benchmark::State& state) {
  const std::unique_ptr<rocksdb::Iterator> it(
      plain_databases().by_edge().NewIterator(rocksdb::ReadOptions()));
  expansion(state, [&](EntityId v, std::uint64_t& sum) {
    const std::string prefix = big_endian({v});
    std::int64_t edges = 0;
    for (it->Seek(prefix); it->Valid() && it->key().starts_with(prefix); it->Next()) {
      const auto* tail = reinterpret_cast<const unsigned char*>(it->key().data() + 8);
      sum += std::uint32_t{tail[0]} << 24 | tail[1] << 16 | tail[2] << 8 | tail[3];
      ++edges;
    }
    return edges;
  });
}

void P8_rocksdb_packed_cold(benchmark::State& state) {
  rocksdb::DB& db = plain_databases().packed();
  std::vector<Edge> row;
  rocksdb::PinnableSlice value;
  expansion(state, [&](EntityId v, std::uint64_t& sum) {
    value.Reset();
    if (!db.Get(rocksdb::ReadOptions(), db.DefaultColumnFamily(), big_endian({v}), &value).ok())
      return std::int64_t{0};
    row.clear();
    graph::unpack_edges({value.data(), value.size()}, row);
    for (const Edge& e : row) sum += e.tail;
    return static_cast<std::int64_t>(row.size());
  });
}

BENCHMARK(P8_snapshot_in_memory);
BENCHMARK(P8_snapshot_mapped);
BENCHMARK(names_in_memory);
BENCHMARK(names_mapped);
BENCHMARK(P8_rocksdb_seek_next_cold);
BENCHMARK(P8_rocksdb_packed_cold);

// A reader that only finds the lines and their fields.
void plain_reader(benchmark::State& state, const std::filesystem::path& file) {
  std::int64_t lines = 0;
  for (auto _ : state) {
    std::ifstream in(file);
    std::string line;
    std::size_t bytes = 0;
    while (std::getline(in, line)) {
      const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
      bytes += second - first;
      ++lines;
    }
    benchmark::DoNotOptimize(bytes);
  }
  state.SetItemsProcessed(lines);
}

void ingestion(benchmark::State& state, graph::IngestOptions options) {
  set_num_threads(static_cast<int>(state.range(0)));
  std::int64_t triples = 0;
  for (auto _ : state) {
    const graph::IngestReport report = graph::ingest(options);
    triples += static_cast<std::int64_t>(report.triple_lines);
  }
  state.SetItemsProcessed(triples);
}

graph::IngestOptions big_options() {
  graph::IngestOptions options;
  options.database = work_folder() / "big";
  options.triples = {big_triples()};
  options.replace = true;
  return options;
}

void P14_plain_reader(benchmark::State& state) { plain_reader(state, big_triples()); }
void P14_ingest(benchmark::State& state) { ingestion(state, big_options()); }

graph::IngestOptions options_of(const std::filesystem::path& file) {
  graph::IngestOptions options = big_options();
  options.triples = {file};
  return options;
}
void ntriples_ingest(benchmark::State& state) { ingestion(state, options_of(million_ntriples())); }
void turtle_ingest(benchmark::State& state) { ingestion(state, options_of(million_turtle())); }

void P14_reopen(benchmark::State& state) {
  (void)graph::ingest(big_options());
  for (auto _ : state) {
    const graph::Store store = graph::Store::open(big_options().database, graph::Store::Mode::kReadOnly);
    benchmark::DoNotOptimize(store.load_graph().num_edges());
  }
}

// Records written in order, the store's fastest plain way in: one a triple, then flushed.
void P14_rocksdb_fillseq(benchmark::State& state) {
  constexpr std::uint32_t kRecords = 1190000;
  for (auto _ : state) {
    const std::string path = (work_folder() / "fillseq").string();
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* raw = nullptr;
    if (!rocksdb::DB::Open(options, path, &raw).ok()) return state.SkipWithError("cannot open a database");
    const std::unique_ptr<rocksdb::DB> db(raw);
    rocksdb::WriteOptions unlogged;
    unlogged.disableWAL = true;
    for (std::uint32_t i = 0; i < kRecords; ++i) db->Put(unlogged, big_endian({i / 12, i % 200, i}), "");
    db->Flush(rocksdb::FlushOptions());
    db->Close();
    rocksdb::DestroyDB(path, options);
  }
  state.SetItemsProcessed(state.iterations() * kRecords);
}

void opendialkg_plain_reader(benchmark::State& state) {
  if (!opendialkg_files()) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  plain_reader(state, opendialkg_files()->triples[0]);
}

void opendialkg_ingest(benchmark::State& state) {
  if (!opendialkg_files()) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  graph::IngestOptions options = *opendialkg_files();
  options.database = work_folder() / "opendialkg_again";
  ingestion(state, options);
}

void opendialkg_reopen(benchmark::State& state) {
  if (!opendialkg()) return state.SkipWithError("the data set is not there; set KGWALK_DATA");
  for (auto _ : state) {
    const graph::Store store =
        graph::Store::open(opendialkg_files()->database, graph::Store::Mode::kReadOnly);
    benchmark::DoNotOptimize(store.load_graph().num_edges());
  }
}

#define KGWALK_SLOW(name) \
  BENCHMARK(name)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime()
KGWALK_SLOW(P14_plain_reader);
KGWALK_SLOW(P14_rocksdb_fillseq);
KGWALK_SLOW(P14_ingest)->ArgName("threads")->Arg(1)->Arg(2);
KGWALK_SLOW(P14_reopen);
KGWALK_SLOW(ntriples_ingest)->ArgName("threads")->Arg(1)->Arg(2);
KGWALK_SLOW(turtle_ingest)->ArgName("threads")->Arg(1)->Arg(2);
KGWALK_SLOW(opendialkg_plain_reader);
KGWALK_SLOW(opendialkg_ingest)->ArgName("threads")->Arg(1)->Arg(2);
KGWALK_SLOW(opendialkg_reopen);

}  // namespace
}  // namespace kgwalk::bench
