// What joins entities.
#include "kgwalk/connect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kgwalk/error.h"
#include "tests/planner/talk_world.h"

namespace kgwalk {
namespace {

class Connecting : public ::testing::Test {
 protected:
  std::vector<Link> links(std::vector<std::string> entities, int k = 3, int detour = 2) {
    return connect(guide_.planner(), {.entities = std::move(entities), .k = k, .detour = detour});
  }
  Guide guide_ = testing::compass_guide();
};

std::set<std::string> texts(const Link& link) {
  std::set<std::string> out;
  for (const ConnectingPath& path : link.paths) out.insert(path.to_string());
  return out;
}

// All simple paths, by brute force.
void walk_all(const graph::KnowledgeGraph& graph, std::vector<graph::Triple>& hops, graph::EntityId from,
              graph::EntityId to, int longest, std::set<std::string>& out) {
  const graph::EntityId at = hops.empty() ? from : hops.back().tail;
  if (at == to) {
    ConnectingPath path;
    for (const graph::Triple& hop : hops)
      path.hops.push_back({std::string(graph.entity_name(hop.head)),
                           std::string(graph.relation_name(hop.relation)),
                           std::string(graph.entity_name(hop.tail))});
    out.insert(path.to_string());
    return;
  }
  if (static_cast<int>(hops.size()) == longest) return;
  for (const graph::Edge& edge : graph.out_edges(at)) {
    const bool seen = edge.tail == from || std::any_of(hops.begin(), hops.end(), [&](const auto& hop) {
                        return hop.tail == edge.tail;
                      });
    if (seen) continue;
    hops.push_back({at, edge.relation, edge.tail});
    walk_all(graph, hops, from, to, longest, out);
    hops.pop_back();
  }
}

TEST_F(Connecting, FindsEveryPathWithinTheDetourThatThereIs) {
  const graph::KnowledgeGraph& graph = guide_.planner().graph();
  const std::pair<const char*, const char*> pairs[] = {
      {"Heat (1995 Film)", "Crime"}, {"Al Pacino", "Robert De Niro"}, {"Scarface", "Collateral"}};
  for (const auto& [from, to] : pairs)
    for (const int detour : {0, 2}) {
      const Link link = links({from, to}, 32, detour).at(0);
      std::set<std::string> all;
      std::vector<graph::Triple> hops;
      walk_all(graph, hops, *graph.find_entity(from), *graph.find_entity(to), *link.distance + detour, all);
      EXPECT_EQ(texts(link), all) << from << " " << to << " " << detour;
    }
}

TEST_F(Connecting, PutsTheLikeliestFirstAndSaysWhy) {
  const Link link = links({"heat (1995 film)", "CRIME"}).at(0);
  EXPECT_EQ(link.from, "Heat (1995 Film)");
  EXPECT_EQ(*link.distance, 3);
  ASSERT_FALSE(link.paths.empty());
  EXPECT_EQ(
      link.paths[0].to_string(),
      "Heat (1995 Film) -[directed_by]-> Michael Mann -[~directed_by]-> Collateral -[has_genre]-> Crime");
  EXPECT_TRUE(testing::contains(link.paths[0].reason, "a shortest path; through Michael Mann (2 edges)"))
      << link.paths[0].reason;
  EXPECT_LE(link.paths[0].log_prob, 0);
}

TEST_F(Connecting, JoinsSeveralByTheFewestAndShortestLinks) {
  const std::vector<Link> all = links({"Al Pacino", "Michael Mann", "Scarface"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].to, "Scarface");  // one hop
  EXPECT_EQ(all[1].from, "Al Pacino");
  EXPECT_EQ(all[1].to, "Michael Mann");
}

TEST_F(Connecting, TellsWhatNoPathJoins) {
  const std::vector<Link> all = links({"Scarface", "Mars"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].distance);
  EXPECT_TRUE(all[0].paths.empty());
  EXPECT_FALSE(links({"Planet X", "Scarface"}).at(0).distance);
}

TEST_F(Connecting, RefusesWhatMeansNothing) {
  EXPECT_THROW((void)links({"Scarface"}), ConfigError);
  EXPECT_THROW((void)links({"Scarface", "scarface"}), ConfigError);
  EXPECT_THROW((void)links({"Scarface", "Mars"}, 0), ConfigError);
  EXPECT_THROW((void)links({"Scarface", "Mars"}, 3, 5), ConfigError);
  EXPECT_THROW((void)links({"Scarface", "Nobody"}), ConfigError);
}

}  // namespace
}  // namespace kgwalk
