kgwalk_bench(graph_bench
  SOURCES graph_bench.cc graph_bench_distances.cc graph_bench_store.cc graph_bench_data.cc
  DEPS kgwalk::graph)
target_link_libraries(graph_bench PRIVATE RocksDB::rocksdb-shared)
target_compile_definitions(graph_bench PRIVATE KGWALK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# Graphs of any size, one a run: docs/results/scale.md.
kgwalk_bench(graph_growth SOURCES graph_growth.cc DEPS kgwalk::graph)
