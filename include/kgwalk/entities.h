// Entities that are one: found, with reasons, and joined.
//
// Example:
//   #include "kgwalk/store.h"
//
//   using kgwalk::graph::Store;
//   const auto graph = Store::open("kg.db", Store::Mode::kReadOnly).load_graph();
//   for (const kgwalk::graph::Duplicate& pair : kgwalk::graph::find_duplicates(graph))
//     std::cout << graph.entity_name(pair.a) << " = " << graph.entity_name(pair.b)
//               << ": " << pair.reason << '\n';
//   kgwalk::graph::merge_entities("kg.db", {{"Titanic (1997)", "Titanic (Q44578)"}});
//
// Thread-safe for different databases.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/graph_details.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

// Two entities that are likely one.
struct Duplicate {
  EntityId a = 0, b = 0;            // a has more edges, or as many and the lower id
  std::size_t common = 0;           // neighbors of both, types left out
  std::vector<EntityId> neighbors;  // the first few of them, those with the fewest edges first
  std::string reason;               // one line: the name, the type, the neighbors in common
};

struct DuplicateOptions {
  std::size_t count = 100;     // at most so many pairs
  std::size_t min_common = 1;  // neighbors in common, from 1
  // A neighbor that more entities of one name share tells nothing of any two of them and is passed over, so
  // that a million entities of one name take linear work.
  std::size_t max_sharing = 100;
};

// Pairs that have a name or alias in common (labels without what tells them apart; case, spaces and Unicode
// form do not matter), of which neither has a type that the other, having types, lacks altogether, and that
// have neighbors in common. Those with the most neighbors in common first, then by ids. ConfigError for a
// minimum below 1.
[[nodiscard]] std::vector<Duplicate> find_duplicates(const KnowledgeGraph& graph,
                                                     const DuplicateOptions& options = {});

struct MergeReport {
  std::size_t merged = 0;          // entities that are no more
  std::uint64_t edges_before = 0;  // directed
  std::uint64_t edges_after = 0;
  std::vector<std::string>
      dropped_tables;  // tables and blobs that followed the old ids, and have to be made anew
};

// Joins the second entity of each pair to the first: its edges, aliases, texts, weights and sources, and its
// places in dialogues; its own name and id become aliases. An edge between the two goes. Entities are named
// as KnowledgeGraph::find_entity takes them; chains (A=B, B=C) join all to the first.
//
// The database is made anew beside the old one and takes its place when it is whole, as by ingestion; ids of
// entities change, so tables made from them are left out. ConfigError: an entity that is not in the graph,
// one that would be joined to itself. StoreError, IoError, Stopped as ingest().
MergeReport merge_entities(const std::filesystem::path& database,
                           const std::vector<std::pair<std::string, std::string>>& pairs,
                           Reporter& reporter = silent_reporter(), const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
