// Routes that people took: real dialogues from their first entity to their last, and how much of them a
// walker finds that is given the two ends. Torch-free.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/hubs.h"
#include "kgwalk/dialogue.h"
#include "rl/environment/walks.h"
#include "seq2seq/metrics/bootstrap.h"

namespace kgwalk::rl {

inline constexpr int kLeastTurns = 3;  // paths of a dialogue that counts as a route

struct PeopleRoute {
  Pair pair;  // its ends
  std::vector<graph::Triple> hops;
  std::vector<std::uint32_t> path_ends;  // hops[0, path_ends[i]) are the hops of the first i + 1 paths
  std::uint64_t line = 0;                // of the dialogue in its file
  [[nodiscard]] std::int64_t turns() const { return static_cast<std::int64_t>(path_ends.size()); }
  // Met on the way: distinct, ascending, without the two ends.
  [[nodiscard]] std::vector<graph::EntityId> between() const;
};

struct PeopleRoutes {
  std::vector<PeopleRoute> routes;
  std::int64_t too_short = 0;    // dialogues with fewer paths
  std::int64_t led_back = 0;     // that end where they began
  std::int64_t unreachable = 0;  // whose ends no way joins
};
// Routes of dialogues with at least `least_turns` paths.
[[nodiscard]] PeopleRoutes people_routes(std::span<const graph::Dialogue> dialogues,
                                         const graph::ExactDistances& distances,
                                         int least_turns = kLeastTurns);

// One route beside what people did, or sums of such.
struct RouteCounts {
  double routes = 0, reached = 0;
  double between = 0, found = 0;  // entities that people met on the way, those of them on the walker's route
  double hops = 0, hub_hops = 0;  // hub_hops enter one of the hubs
  double turns = 0, people_turns = 0;
  double log_prob = 0;   // of all hops, by the stage-1 walker
  double revisited = 0;  // routes that stand on an entity twice
  RouteCounts& operator+=(const RouteCounts& other);
  [[nodiscard]] double recall() const { return between == 0 ? 0 : 100 * found / between; }
  [[nodiscard]] double hub_share() const { return hops == 0 ? 0 : 100 * hub_hops / hops; }
  [[nodiscard]] double more_turns() const { return routes == 0 ? 0 : (turns - people_turns) / routes; }
};

// How a route of `hops` compares with the one people took. A walker takes a hop a turn.
[[nodiscard]] RouteCounts compare(const PeopleRoute& people, std::span<const graph::Triple> hops,
                                  const graph::Hubs& hubs);
// Whether an entity is stood on twice.
[[nodiscard]] bool stands_twice(std::span<const graph::Triple> hops);

// One way of walking over all routes.
struct RouteRow {
  std::string name;
  std::vector<RouteCounts> each;  // in the order of the routes
  [[nodiscard]] RouteCounts sum() const;
};

// Share of the entities met on the way, in percent, of `row` less that of `baseline`, with its interval by a
// paired bootstrap over dialogues.
[[nodiscard]] seq2seq::BootstrapInterval recall_over(const RouteRow& row, const RouteRow& baseline);

// Rows with intervals over dialogues; the first is what people did. `baseline`: the row that recalls are told
// above, or none. `natural`: log-probabilities are those of a stage-1 walker; otherwise they are not told.
[[nodiscard]] std::string routes_table(std::span<const RouteRow> rows, std::optional<std::size_t> baseline,
                                       bool natural);
[[nodiscard]] Json routes_json(std::span<const RouteRow> rows, std::optional<std::size_t> baseline,
                               bool natural);

}  // namespace kgwalk::rl
