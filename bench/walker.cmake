# Beam steps and supervised steps of the walker beside a plain eager one with padded candidates.
kgwalk_bench(walker_bench TORCH SOURCES walker_bench.cc DEPS kgwalk::walker)
