if(KGWALK_WITH_TORCH)
  kgwalk_bench(runtime_bench SOURCES runtime_bench.cc DEPS kgwalk::tensor TORCH)
endif()
