// What is asked of a planner in benchmarks: every annotated turn of a split of a real database.
#pragma once

#include <string>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk {

// Turns whose whole history can be asked for: hops known only from annotations are no edges of the graph.
[[nodiscard]] std::vector<PlanRequest> requests_of(const std::string& database, const std::string& split);

[[nodiscard]] std::string environment(const char* name, const char* otherwise);
[[nodiscard]] double percentile(const std::vector<double>& sorted, double share);

}  // namespace kgwalk
