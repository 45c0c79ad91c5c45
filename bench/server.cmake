# What serving over HTTP adds to plan(), on a real database and run; skips itself without them.
kgwalk_bench(server_overhead SOURCES server_overhead.cc plan_requests.cc TORCH DEPS kgwalk::server)
