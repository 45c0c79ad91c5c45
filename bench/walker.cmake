# Beam steps and supervised steps of the walker beside a plain eager one with padded candidates.
kgwalk_bench(walker_bench TORCH SOURCES walker_bench.cc DEPS kgwalk::walker)
# Latency of plan() on a real database and run; skips itself without them.
kgwalk_bench(walker_planner SOURCES walker_planner.cc plan_requests.cc TORCH DEPS kgwalk::planner)
# Throughput of plan() from several threads, beside Python's.
kgwalk_bench(plan_threads SOURCES plan_threads.cc TORCH DEPS kgwalk::planner)
