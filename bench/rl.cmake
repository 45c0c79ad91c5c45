# Rollouts of stage 2 beside an eager loop with padded actions; skips itself without a real database and run.
kgwalk_bench(rl_rollouts TORCH SOURCES rl_rollouts.cc DEPS kgwalk::rl)
