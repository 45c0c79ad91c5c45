#include <algorithm>

#include "rl/environment/route_rules.h"

namespace kgwalk::rl {
namespace {

bool stood_on(const walker::Example& situation, graph::EntityId entity) {
  if (entity == situation.start) return true;
  if (!situation.walked.empty() && situation.walked.front().head == entity) return true;
  return std::any_of(situation.walked.begin(), situation.walked.end(),
                     [entity](const graph::Triple& hop) { return hop.tail == entity; });
}

}  // namespace

bool RouteRules::allow(const walker::Example& situation, graph::EntityId tail, Strictness strictness) const {
  if (situation.goal == tail) return true;
  if (strictness == Strictness::kAll && hubs_.contains(tail)) return false;
  return revisit_ || !stood_on(situation, tail);
}

}  // namespace kgwalk::rl
