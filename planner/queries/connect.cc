#include "kgwalk/connect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "graph/entity_named.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "planner/planner_core.h"
#include "planner/queries/connecting_search.h"
#include "planner/queries/names.h"
#include "runtime/config.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using graph::Triple;

// What a path has in common with one that is shown already costs it this much of its logarithm, in whole.
constexpr double kSameness = 3.0;

void check(const ConnectRequest& request) {
  Problems problems;
  if (request.entities.size() < 2 || request.entities.size() > kMaxConnected)
    problems.add("entities", fmt::format("must be from 2 to {}", kMaxConnected));
  if (request.beam < 1 || request.beam > kMaxBeam)
    problems.add("beam", fmt::format("must be from 1 to {}", kMaxBeam));
  if (request.k < 1 || request.k > request.beam) problems.add("k", "must be from 1 to beam");
  if (request.detour < 0 || request.detour > 4) problems.add("detour", "must be from 0 to 4");
  problems.throw_if_any("connect");
}

std::vector<EntityId> entities_of(const graph::KnowledgeGraph& graph, const ConnectRequest& request) {
  std::vector<EntityId> out;
  for (const std::string& name : request.entities) {
    const EntityId entity = graph::entity_named(graph, name);
    if (std::find(out.begin(), out.end(), entity) != out.end())
      throw ConfigError(fmt::format("entity '{}' is given twice", name));
    out.push_back(entity);
  }
  return out;
}

// The share of inner entities that two paths have in common; of paths without any, whether the relation is
// the same.
double sameness(const WalkedPath& a, const WalkedPath& b) {
  const auto inner = [](const WalkedPath& path) { return path.hops.size() - 1; };
  if (inner(a) == 0 || inner(b) == 0)
    return inner(a) == inner(b) && a.hops.front().relation == b.hops.front().relation ? 1 : 0;
  std::size_t common = 0;
  for (std::size_t i = 0; i < inner(a); ++i)
    for (std::size_t j = 0; j < inner(b); ++j) common += a.hops[i].tail == b.hops[j].tail ? 1 : 0;
  return static_cast<double>(common) / static_cast<double>(std::min(inner(a), inner(b)));
}

// The likeliest first, then always the likeliest of what is little like those before.
std::vector<WalkedPath> different(std::vector<WalkedPath> paths, std::size_t k) {
  std::vector<WalkedPath> out;
  while (out.size() < k && !paths.empty()) {
    const auto worth = [&](const WalkedPath& path) {
      double most = 0;
      for (const WalkedPath& shown : out) most = std::max(most, sameness(path, shown));
      return path.log_prob - kSameness * most;
    };
    const auto best =
        std::max_element(paths.begin(), paths.end(),
                         [&](const WalkedPath& a, const WalkedPath& b) { return worth(a) < worth(b); });
    out.push_back(std::move(*best));
    paths.erase(best);
  }
  return out;
}

std::string reason_of(const graph::KnowledgeGraph& graph, const WalkedPath& path, int distance) {
  const int longer = static_cast<int>(path.hops.size()) - distance;
  std::string text =
      longer == 0 ? "a shortest path" : fmt::format("{} longer than a shortest path", hops_as_text(longer));
  // What few lead through says most.
  const Triple* rarest = nullptr;
  for (std::size_t i = 0; i + 1 < path.hops.size(); ++i)
    if (rarest == nullptr || graph.out_edges(path.hops[i].tail).size() < graph.out_edges(rarest->tail).size())
      rarest = &path.hops[i];
  if (rarest != nullptr) {
    const std::size_t edges = graph.out_edges(rarest->tail).size();
    text += fmt::format("; through {} ({} {})", graph.entity_name(rarest->tail), edges,
                        edges == 1 ? "edge" : "edges");
  }
  const double per_hop = std::exp(path.log_prob / static_cast<double>(path.hops.size()));
  return text + fmt::format("; the walker takes such hops with {:.1f} %", 100 * per_hop);
}

Link link_of(const Planner& planner, EntityId from, EntityId to, const ConnectRequest& request) {
  const graph::KnowledgeGraph& graph = planner.graph();
  Link link{std::string(graph.entity_name(from)), std::string(graph.entity_name(to)), std::nullopt, {}};
  ConnectingSearch search(planner.core(), from, to, request.history);
  if (!search.distance()) return link;
  link.distance = *search.distance();
  std::vector<WalkedPath> found =
      search.paths(*link.distance + request.detour, static_cast<std::size_t>(request.beam));
  for (const WalkedPath& path : different(std::move(found), static_cast<std::size_t>(request.k))) {
    ConnectingPath& shown = link.paths.emplace_back();
    for (const Triple& hop : path.hops) shown.hops.push_back(named_hop(graph, hop));
    shown.log_prob = path.log_prob;
    shown.reason = reason_of(graph, path, *link.distance);
  }
  return link;
}

// Prim's algorithm; of equally long links the one between entities given first.
std::vector<std::pair<std::size_t, std::size_t>> fewest_links(const graph::ExactDistances& distances,
                                                              const std::vector<EntityId>& entities) {
  distances.prepare(entities);
  const auto distance = [&](std::size_t i, std::size_t j) -> int {
    return distances.distance(entities[j], entities[i]);
  };
  std::vector<std::pair<std::size_t, std::size_t>> links;
  std::vector<std::size_t> in{0};
  while (in.size() < entities.size()) {
    int least = graph::kUnreachable + 1;
    std::pair<std::size_t, std::size_t> best;
    for (const std::size_t i : in)
      for (std::size_t j = 1; j < entities.size(); ++j)
        if (std::find(in.begin(), in.end(), j) == in.end() && distance(i, j) < least) {
          least = distance(i, j);
          best = {i, j};
        }
    links.push_back(best);
    in.push_back(best.second);
  }
  return links;
}

}  // namespace

std::string ConnectingPath::to_string() const {
  if (hops.empty()) return "";
  std::string text = hops.front().head;
  for (const NamedHop& hop : hops) text += fmt::format(" -[{}]-> {}", hop.relation, hop.tail);
  return text;
}

std::vector<Link> connect(const Planner& planner, const ConnectRequest& request) {
  check(request);
  const std::vector<EntityId> entities = entities_of(planner.graph(), request);
  std::vector<Link> links;
  for (const auto& [from, to] : fewest_links(planner.distances(), entities))
    links.push_back(link_of(planner, entities[from], entities[to], request));
  return links;
}

}  // namespace kgwalk
