// The histogram of all distances as a batch of work, 512 sources a unit.
#pragma once

#include <cstdint>
#include <vector>

#include "kgwalk/distances.h"
#include "runtime/sharded_work.h"

namespace kgwalk::graph {

// distance_histogram() of kgwalk/distances.h. Of a shard: its own counts, without pairs that nothing joins.
[[nodiscard]] std::vector<std::uint64_t> distance_histogram(const KnowledgeGraph& graph, ShardedWork& work,
                                                            Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::graph
