// A database that is edited, and all that can be told of its graph.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kgwalk/edits.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph::testing {

using Fact = std::tuple<std::string, std::string, std::string>;

inline const EditOptions kAda{.author = "ada", .time = "2026-01-31T12:00:00Z"};

class EditedDatabase : public ::testing::Test {
 protected:
  void make(const std::vector<Fact>& facts) {
    write("facts.tsv", facts);
    ingest({.database = db(), .replace = true, .triples = {folder_.path() / "facts.tsv"}});
  }
  void write(const std::string& file, const std::vector<Fact>& facts) {
    std::ofstream out(folder_.path() / file);
    for (const auto& [head, relation, tail] : facts) out << head << '\t' << relation << '\t' << tail << '\n';
  }
  [[nodiscard]] std::filesystem::path db() const { return folder_.path() / "kg.db"; }
  [[nodiscard]] KnowledgeGraph graph() const {
    return Store::open(db(), Store::Mode::kReadOnly).load_graph();
  }
  EditReport run(const EditOperation& operation) { return edit(db(), {&operation, 1}, kAda); }
  EditReport add(const std::string& head, const std::string& relation, const std::string& tail) {
    return run({.kind = EditOperation::Kind::kAdd, .names = {head, relation, tail}, .make_new = true});
  }
  TempFolder folder_;
};

// All that can be told of a graph, by names.
inline std::set<Fact> facts_of(const KnowledgeGraph& graph) {
  std::set<Fact> facts;
  for (EntityId e = 0; e < graph.num_entities(); ++e)
    for (const Edge& edge : graph.out_edges(e))
      facts.emplace(graph.entity_name(e), graph.relation_name(edge.relation), graph.entity_name(edge.tail));
  return facts;
}

// Rows, neighbors, inverses and look-ups hold together as in a graph that was built whole.
inline void expect_sound(const KnowledgeGraph& graph) {
  for (EntityId e = 0; e < graph.num_entities(); ++e) {
    const auto row = graph.out_edges(e);
    ASSERT_TRUE(std::is_sorted(row.begin(), row.end()));
    ASSERT_TRUE(std::adjacent_find(row.begin(), row.end()) == row.end());
    std::set<EntityId> near;
    for (const Edge& edge : row) {
      ASSERT_TRUE(graph.has_edge({edge.tail, graph.inverse(edge.relation), e}));
      if (edge.tail != e) near.insert(edge.tail);
    }
    const auto neighbors = graph.neighbors(e);
    ASSERT_TRUE(std::equal(near.begin(), near.end(), neighbors.begin(), neighbors.end()));
    if (e >= graph.num_connected()) {
      ASSERT_TRUE(row.empty());
    }
    if (!graph.entity_name(e).empty()) {
      ASSERT_EQ(graph.find_entity(graph.entity_name(e)), e);
    }
  }
}

}  // namespace kgwalk::graph::testing
