// What joins entities: the most telling paths between two or more of them. Among the paths that are at most
// two hops longer than a shortest one, those that the walker would rather walk, and different ones rather
// than many of a kind.
//
// Example:
//   const auto planner = kgwalk::Planner::open("kg.db", "runs/walker");
//   const auto links = kgwalk::connect(planner, {.entities = {"Iron Man", "Christopher Nolan"}, .k = 3});
//   for (const auto& link : links)
//     for (const auto& path : link.paths) std::cout << path.to_string() << "   " << path.reason << '\n';
//
// A function of its arguments alone and thread-safe. Errors are the tree of kgwalk/error.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kgwalk/plan.h"
#include "kgwalk/planner.h"

namespace kgwalk {

inline constexpr int kMaxConnected = 10;  // entities of one request

struct ConnectRequest {
  std::vector<std::string> entities;    // 2 to kMaxConnected, different ones
  int k = 3;                            // paths of each link, from 1 to beam
  int detour = 2;                       // hops more than a shortest path has, from 0 to 4
  int beam = 32;                        // partial paths kept in the search, 1 to kMaxBeam
  std::vector<Utterance> history = {};  // what was said: makes some paths likelier than others
};

struct ConnectingPath {
  std::vector<NamedHop> hops;
  double log_prob = 0;  // natural logarithm: the walker's, of all hops
  std::string reason;   // "a shortest path; through Michael Mann, which few edges lead to (2)"
  [[nodiscard]] std::string to_string() const;  // as PlannedPath::to_string()
};

struct Link {
  std::string from, to;               // as the graph spells them
  std::optional<int> distance;        // hops of a shortest path; nullopt when none joins them
  std::vector<ConnectingPath> paths;  // the most telling first, at most k
};

// Two entities give one link; more are joined by as few links as possible, the shortest ones (a minimum
// spanning tree of their distances). ConfigError: numbers out of range, an entity that is unknown (with the
// nearest names) or given twice.
[[nodiscard]] std::vector<Link> connect(const Planner& planner, const ConnectRequest& request);

}  // namespace kgwalk
