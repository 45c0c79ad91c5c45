// Ingestion with its report in words.
#pragma once

#include "kgwalk/ingest.h"
#include "kgwalk/settings.h"

namespace kgwalk {

// graph::ingest(); json: {"counts", "problems", "seconds"}.
[[nodiscard]] Report ingest_reported(const graph::IngestOptions& options, Reporter& reporter,
                                     const StopFlag& stop);

}  // namespace kgwalk
