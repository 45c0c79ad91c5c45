# TransE training and ranking and distance factors beside eager LibTorch and plain loops.
kgwalk_bench(embeddings_bench TORCH
  SOURCES embeddings_bench.cc
  DEPS kgwalk::tensor kgwalk::embeddings)
target_compile_definitions(embeddings_bench PRIVATE KGWALK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
