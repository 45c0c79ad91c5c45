/// Link prediction whose ranks are a batch of work.
#pragma once

#include "kgwalk/link_prediction.h"
#include "runtime/sharded_work.h"

namespace kgwalk::embeddings {

/// run_link_prediction() of kgwalk/link_prediction.h. A shard trains nothing and writes nothing into the run:
/// ConfigError where its training has not ended, or was another. Its report holds no ranks.
[[nodiscard]] LinkPredictionReport run_link_prediction(const LinkPredictionConfig& config,
                                                       const LinkDataset& data,
                                                       const std::filesystem::path& run, ShardedWork& work,
                                                       Reporter& reporter, const StopFlag& stop);

}  // namespace kgwalk::embeddings
