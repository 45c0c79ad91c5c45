// `kgwalk plan --requests`: many plans, JSON Lines in and out.
#pragma once

#include <filesystem>

#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "kgwalk/shards.h"

namespace kgwalk::cli {

struct PlanRequests {
  ModelChoice model;  // resolved
  std::filesystem::path
      requests;               // a request a line, as POST /api/v1/plan takes it, "id" beside it; -: stdin
  std::filesystem::path out;  // an answer a line, as in a batch, in the order asked; empty: stdout
  Shards shards;
};

// All threads plan. A request that cannot be answered has its error on its line; how many there were is told
// at the end.
void answer_plan_requests(const PlanRequests& asked, const Common& common);

}  // namespace kgwalk::cli
