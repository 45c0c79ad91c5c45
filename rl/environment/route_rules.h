// Which hops a route to a goal may take, and how far a walker looks ahead before it takes one. Torch-free.
#pragma once

#include "graph/hubs.h"
#include "runtime/config.h"
#include "walker/example.h"

namespace kgwalk::rl {

// As it is by default, a walker takes its most probable hop.
struct RouteConfig {
  int avoid_hubs = 0;   // largest hubs that are entered only where nothing else leads on; 0 = none
  bool revisit = true;  // an entity may be stood on twice
  int beam = 1;         // partial routes that a search ahead keeps; 1 = no search
  int branch = 8;       // hops that it tries from each
  int horizon = 14;     // hops that it looks ahead at most
  // A route may have `detour` times the hops of the first one found, or `spare` hops more than it, for the
  // sake of naturalness.
  double detour = 1.6;
  int spare = 2;
  double natural = 0.75;  // weight, while searching, of log p without the goal against log p with it
  template <class F>
  void fields(F& f) {
    f("avoid_hubs", avoid_hubs,
      "Number of largest hubs that a route enters only where nothing else leads on; 0 means none.")
        .range(0, 1e6);
    f("revisit", revisit, "A route may stand on an entity twice.");
    f("beam", beam,
      "Number of partial routes that are kept while looking ahead; 1 looks no further than a hop.")
        .range(1, 1000);
    f("branch", branch, "Number of hops that are tried from each of them.").range(1, 1000);
    f("horizon", horizon, "Number of hops that are looked ahead at most.").range(1, 100);
    f("detour", detour,
      "Number of hops that a route may have for the sake of naturalness, as a multiple of those of the first "
      "one "
      "found.")
        .range(1, 10);
    f("spare", spare, "Number of hops that it may have more than the first one found in any case.")
        .range(0, 100);
    f("natural", natural,
      "Weight of a hop's log-probability without the goal, against that with the goal, while routes are "
      "searched.")
        .range(0, 1);
  }
  [[nodiscard]] bool free() const { return avoid_hubs == 0 && revisit; }
};

// How strictly a hop is chosen: where nothing is allowed the next looser rule holds.
enum class Strictness { kAll, kHubsToo };

class RouteRules {
 public:
  RouteRules(const graph::KnowledgeGraph& graph, const RouteConfig& config)
      : hubs_(graph, static_cast<std::size_t>(config.avoid_hubs)), revisit_(config.revisit) {}

  // Whether a route that stands in `situation` may go on to `tail`. The goal is always allowed.
  [[nodiscard]] bool allow(const walker::Example& situation, graph::EntityId tail,
                           Strictness strictness = Strictness::kAll) const;
  [[nodiscard]] bool hubs_avoided() const { return !hubs_.list().empty(); }
  [[nodiscard]] const graph::Hubs& hubs() const { return hubs_; }

 private:
  graph::Hubs hubs_;
  bool revisit_;
};

}  // namespace kgwalk::rl
