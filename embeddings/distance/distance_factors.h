// Low-rank factors of the matrix of all hop distances: row v of the left factor is the distance embedding
// of vertex v.
#pragma once

#include <cstdint>

#include "embeddings/distance/low_rank.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "runtime/config.h"

namespace kgwalk::embeddings {

struct DistanceFactorsConfig {
  int rank = 256;
  int oversampling = 32;
  int power_iterations = 1;
  int sample_vertices = 500;  // v of the quality sample
  int sample_pairs = 400;     // pairs (a, b) of unequal distance a v
  std::uint64_t seed = 1;
  template <class F>
  void fields(F& f) {
    f("rank", rank, "columns of the factors").range(1, 4096);
    f("oversampling", oversampling, "extra columns while iterating").range(0, 4096);
    f("power_iterations", power_iterations, "passes beyond the two that are needed").range(0, 20);
    f("sample_vertices", sample_vertices, "vertices of the quality sample").range(1, 1e6);
    f("sample_pairs", sample_pairs, "pairs a vertex of the quality sample").range(1, 1e6);
    f("seed", seed, "of the start and the sample");
  }
};

struct DistanceFactorsReport {
  std::int64_t vertices = 0;
  int longest = 0;          // largest finite distance
  double absent = 0;        // the value that unreachable pairs take: longest + 1
  double absent_share = 0;  // of all ordered pairs
  double relative_error =
      0;                   // |D - L R^T|_F / |D|_F, all pairs (exact, by Pythagoras on the singular values)
  double rmse = 0;         // the same per entry
  double exact_share = 0;  // sampled entries that rounding gives back exactly
  double order_agreement =
      0;  // sampled triples (v, a, b), d(v,a) != d(v,b), whose nearer one the factors tell
  std::int64_t sampled_triples = 0;
  double seconds = 0, cpu_seconds = 0;
  [[nodiscard]] Json to_json() const;
};

struct DistanceFactors {
  LowRankFactors factors;  // rows: connected vertices, [num_connected, rank]
  DistanceFactorsReport report;
};

/// Streams all distances power_iterations + 3 times (the first pass counts them) and never holds them.
/// Stopped when asked to stop.
[[nodiscard]] DistanceFactors factorize_distances(const graph::KnowledgeGraph& graph,
                                                  const DistanceFactorsConfig& config,
                                                  Reporter& reporter = silent_reporter(),
                                                  const StopFlag& stop = never_stop());

/// Writes tables "distance/RANK/left" and "distance/RANK/right" with configuration, report and graph
/// checksum.
void store_distance_factors(const DistanceFactors& factors, const DistanceFactorsConfig& config,
                            const graph::KnowledgeGraph& graph, graph::Store& store);

}  // namespace kgwalk::embeddings
