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
  std::string kind =
      {};  // "film", "person": as the graph's types say, else by its relations; empty = not known
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
  std::string label = {};          // the same in everyday words: "directed" for ~directed_by
  std::size_t total = 0;           // tails that there are
  std::vector<EntityFound> tails;  // those with the most edges first
};

struct Neighborhood {
  std::string entity;  // as the graph spells it
  std::string kind = {};
  std::size_t edges = 0;
  std::vector<NeighborGroup> groups;  // by relation, in the graph's order
};

struct KindCount {
  std::string kind;
  std::size_t entities = 0;
  std::vector<std::string> examples;  // those with the most edges, up to three
};

struct RelationCount {
  std::string relation, label;  // by name, and in everyday words
  std::size_t facts = 0;
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

  // What the graph is about: kinds of entities, and relations with inverses; those that there are most of
  // first.
  [[nodiscard]] std::vector<KindCount> kinds() const;
  [[nodiscard]] std::vector<RelationCount> relations(std::size_t count) const;

  // Hops of a shortest path, none when both are the same entity; nullopt when no path joins them.
  [[nodiscard]] std::optional<std::vector<NamedHop>> way(std::string_view from, std::string_view to) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace kgwalk
