// Guesses what tables are from what stands in them.
#pragma once

#include <memory>
#include <vector>

#include "graph/ingest/tables/table_source.h"
#include "kgwalk/table_plan.h"

namespace kgwalk::graph {

using TableSources = std::vector<std::unique_ptr<TableSource>>;

// Types, names and lists by the first rows of each table; ids, and links between tables, by all of them. What
// `options` say of ids, names and links comes first. Thrown: what reading throws; ConfigError for columns
// that are not there.
[[nodiscard]] TablePlan guess_plan(const TableSources& tables, const InputOptions& options,
                                   const StopFlag& stop);

}  // namespace kgwalk::graph
