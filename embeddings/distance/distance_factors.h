// The factors that kgwalk/distance_factors.h stores, while they are made.
#pragma once

#include "embeddings/distance/low_rank.h"
#include "kgwalk/distance_factors.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"

namespace kgwalk::embeddings {

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

}  // namespace kgwalk::embeddings
