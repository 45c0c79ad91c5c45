// A look around in a graph: entities by the beginning of a name, what lies about one, and the shortest way
// from one to another.
//
// Example:
//   #include "kgwalk/store.h"
//
//   const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   const auto graph = store.load_graph();
//   const kgwalk::Explorer explorer(graph);
//   for (const auto& found : explorer.search("iron m", 5)) std::cout << found.name << '\n';
//   for (const auto& group : explorer.around({.entity = "Iron Man"}).groups)
//     std::cout << group.relation << ": " << group.total << '\n';
//   if (const auto way = explorer.way("Iron Man", "Christopher Nolan"))
//     std::cout << way->size() << " hops\n";
//
// The graph is borrowed and must outlive the explorer, which is immutable: all its functions are thread-safe.
// Names are taken as KnowledgeGraph::find_entity takes them; a name that the graph does not have is a
// ConfigError with the nearest ones.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan.h"

namespace kgwalk {

// How a name fits what was typed, the best first.
enum class NameFit { kSame, kBegins, kWordBegins, kNear };

struct EntityFound {
  std::string name;
  std::size_t edges = 0;  // out-edges, inverses included
  NameFit fit = NameFit::kNear;
};

struct Around {
  std::string entity;
  std::string relation = {};     // only this one; empty = all
  std::size_t per_relation = 8;  // tails of each relation, from 1
  std::size_t skip = 0;          // tails left out before them: to turn pages
};

struct NeighborGroup {
  std::string relation;
  std::size_t total = 0;           // tails that there are
  std::vector<EntityFound> tails;  // those with the most edges first
};

struct Neighborhood {
  std::string entity;  // as the graph spells it
  std::size_t edges = 0;
  std::vector<NeighborGroup> groups;  // by relation, in the graph's order
};

class Explorer {
 public:
  // Takes about 0.1 s and 20 MB for 100,000 names.
  explicit Explorer(const graph::KnowledgeGraph& graph);
  Explorer(Explorer&&) noexcept;
  Explorer& operator=(Explorer&&) noexcept;
  ~Explorer();

  // At most `count` entities for what was typed so far, in any case, with or without accents and punctuation:
  // the name itself, names that begin so, names with a word that begins so; those with the most edges first
  // in each kind. Where there are none: names whose words begin with the words typed, else the nearest names.
  // Empty for an empty text.
  [[nodiscard]] std::vector<EntityFound> search(std::string_view text, std::size_t count) const;

  // What an entity is joined to, relation by relation. ConfigError for unknown names and per_relation 0.
  [[nodiscard]] Neighborhood around(const Around& request) const;

  // Hops of a shortest path, none when both are the same entity; nullopt when no path joins them.
  [[nodiscard]] std::optional<std::vector<NamedHop>> way(std::string_view from, std::string_view to) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace kgwalk
