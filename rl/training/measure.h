// Measuring ways to walk on disk: success rates to goals, and routes beside those that people took.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "kgwalk/store.h"
#include "rl/environment/route_rules.h"
#include "rl/environment/routes.h"
#include "rl/environment/success_rates.h"
#include "walker/training/run.h"

namespace kgwalk {
class ShardedWork;
}

namespace kgwalk::rl {

// Ways to walk that are no run: shortest paths drawn evenly; those that stage 1 finds natural; the most
// natural route within twice the distance and two hops that enters no hub unless none avoids them, found by
// exact distances: what could be had; the likeliest hops of the count prior, which knows no goal.
enum class SearchWay { kShortest, kNaturalShortest, kNaturalSearch, kPrior };
constexpr auto choice_names(SearchWay) {
  return choices_in_order<SearchWay>("shortest", "natural-shortest", "natural-search", "prior");
}

struct Way {
  const walker::WalkerRun* run = nullptr;  // of either stage, borrowed; null = `search`
  Choice<SearchWay> search = SearchWay::kShortest;
  std::optional<RouteConfig> route = {};  // how its routes go; nullopt = as it was trained
};

struct SuccessOptions {
  Way way;
  const walker::WalkerRun* stage1 = nullptr;  // whose log-probabilities are reported, borrowed; null = none
  std::filesystem::path simulator;            // empty = nobody speaks
  std::filesystem::path text;
  std::vector<int> distances = {3, 5, 7, 9, 11};
  int episodes = 100;
  int extra = 0;                  // hops that a walk may take beyond twice the distance
  std::string goals = "test";     // split of the goals
  double ask = 0;                 // share of the turns in which the user asks a direct question, below 1
  std::uint64_t seed = 1;         // of the pairs and of what is said
  std::ostream* walks = nullptr;  // every walk as json (docs/reference/formats/rl.md); borrowed, may be null
  // Asked for each batch of walks; borrowed, null = all of it is done here. Of a shard no rows come back.
  ShardedWork* work = nullptr;
};

// Success rates of walks to goals that no training used. ConfigError when questions are to be asked of
// shortest paths, or of a walker that does not listen, and when a search needs stage 1 and there is none.
[[nodiscard]] std::vector<SuccessRow> measure_success(const graph::Store& store,
                                                      const SuccessOptions& options,
                                                      Reporter& reporter = silent_reporter(),
                                                      const StopFlag& stop = never_stop());

struct RoutesOptions {
  std::vector<Way> ways;
  std::vector<std::string> names;             // of the ways
  const walker::WalkerRun* stage1 = nullptr;  // as above
  std::filesystem::path text;
  std::string split = "dev";  // of the dialogues
  int extra = 2;              // hops that a walk may take beyond twice the distance of the two ends
  std::uint64_t seed = 1;
  std::ostream* walks = nullptr;  // every route beside people's as json; borrowed, may be null
  ShardedWork* work = nullptr;    // as above
};

struct RoutesResult {
  std::vector<RouteRow> rows;                                 // people first, then the ways
  std::int64_t too_short = 0, led_back = 0, unreachable = 0;  // dialogues left out (rl/environment/routes.h)
};

// Walks between the ends of dialogues of a split; nobody speaks. StoreError for an unknown split, Error when
// none of its dialogues is a route.
[[nodiscard]] RoutesResult measure_routes(const graph::Store& store, const RoutesOptions& options,
                                          Reporter& reporter = silent_reporter(),
                                          const StopFlag& stop = never_stop());

}  // namespace kgwalk::rl
