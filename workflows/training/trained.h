// What the one training loop reports, as the public result.
#pragma once

#include <filesystem>

#include "kgwalk/training.h"
#include "runtime/run_manifest.h"

namespace kgwalk {

struct TrainReport;

// Its text is the loop's line and the run's folder; its json the loop's numbers.
[[nodiscard]] Trained trained_in(const std::filesystem::path& run, const TrainReport& report);

// Keeps the numbers in the run's results.json too.
void keep_training(Trained& trained, const RunKind& kind);

}  // namespace kgwalk
