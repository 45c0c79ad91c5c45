# Candidate forms of an utterance: scored, and learned from.
kgwalk_bench(listening_bench TORCH SOURCES listening_bench.cc DEPS kgwalk::listening benchmark::benchmark_main)
