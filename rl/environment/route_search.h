// Looking ahead on the way to a goal: a beam search over whole routes by the walker's own probabilities, with
// the goal and without. Exact distances enter only where they are given, for what could be had at best.
// Torch-free.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rl/environment/route_rules.h"
#include "rl/environment/walks.h"
#include "walker/model.h"

namespace kgwalk::rl {

// What would be known of a graph: distances along all ways, and along those that enter no hub. Borrowed.
struct Foresight {
  const graph::ExactDistances* all = nullptr;
  const graph::ExactDistances* without_hubs = nullptr;
};

// About how many hops lie between an entity and a goal, as a walker takes it from its embeddings.
using EstimatedHops = std::function<double(graph::EntityId from, graph::EntityId goal)>;

struct RouteSearchOptions {
  RouteConfig route;
  // Routes of more than twice as many hops and two are not looked for, and those that can hardly arrive in
  // time are dropped. Null where a walker has no estimate.
  EstimatedHops estimate = nullptr;
  // For what could be had at best: partial routes from which the goal cannot be reached within twice the
  // distance and two hops are dropped, and only naturalness chooses. Without it, as a walker walks, nothing
  // exact is known.
  std::optional<Foresight> exact = {};
};

// For each situation with a goal the hops of the route found, to the goal or, where none is found, as far as
// the search has looked; empty where nothing may be entered. Of the routes that reach the goal, and are not
// much longer than the first one found, the one whose hops have the highest mean log-probability without the
// goal. `model` is a walker that heads for goals, or with `exact` any. Hubs are entered only where no route
// without them is found.
[[nodiscard]] std::vector<std::vector<graph::Edge>> find_routes(
    const walker::WalkModel& model, std::span<const walker::Example* const> situations,
    const RouteRules& rules, const RouteSearchOptions& options);

// Walks along such routes to their ends, whatever is said on the way; where one has been left, as after a
// question, it looks again. `model` is borrowed. For one thread.
[[nodiscard]] Chooser looking_ahead(const walker::WalkModel& model, const RouteSearchOptions& options);

// What a walker of this configuration does: looking_ahead(), or greedy() within the rules.
[[nodiscard]] Chooser choose_by(const walker::WalkModel& model, const RouteConfig& config,
                                const EstimatedHops& estimate = nullptr);

}  // namespace kgwalk::rl
