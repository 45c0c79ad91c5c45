// Gathers names and triples and builds the immutable graph: inverses added, duplicates dropped, rows sorted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_rows.h"
#include "graph/names.h"
#include "graph/spooled_array.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// Not thread-safe. Names must be valid UTF-8 with a key that is not empty (DataError is the reader's
// business; here ConfigError).
class GraphBuilder {
 public:
  // For graphs that are large beside memory: what is sorted lies in files without names in this folder, which
  // must be there until the graph is built. Before anything is added.
  void spool_in(const std::filesystem::path& folder);
  // OpenDialKG has one entity whose name is empty: listed, in four triples and in two walked paths.
  // Off at first.
  void allow_empty_entity() noexcept { empty_entity_allowed_ = true; }
  // Ids of names seen before or new. Spellings met before cost one hash look-up.
  EntityId entity(std::string_view name);
  // Makes the inverse known too: "~x" for "x", "x" for "~x".
  RelationId relation(std::string_view name);
  [[nodiscard]] bool knows_entity_spelling(std::string_view name) const noexcept;
  [[nodiscard]] bool knows_relation_spelling(std::string_view name) const noexcept;
  // Ids of names seen before under exactly this spelling, else kNoName: one look-up.
  [[nodiscard]] EntityId entity_spelled(std::string_view name) const noexcept {
    return entities_.known_spelling(name);
  }
  [[nodiscard]] RelationId relation_spelled(std::string_view name) const noexcept {
    return relations_.known_spelling(name);
  }
  // Ids of names seen before under any spelling, else kNoName.
  [[nodiscard]] EntityId find_entity(std::string_view name) const { return entities_.find(name); }
  [[nodiscard]] RelationId find_relation(std::string_view name) const {
    return relations_.find(relation_spelling(name));
  }
  [[nodiscard]] std::size_t num_entities() const noexcept { return entities_.size(); }
  [[nodiscard]] std::size_t num_relations() const noexcept { return relations_.size(); }

  void add(const Triple& triple);
  [[nodiscard]] std::size_t num_triples() const noexcept { return triples_.size(); }
  // fn(span<const Triple>) over all, as they were added.
  template <class Fn>
  void for_each_chunk(Fn&& fn) const {
    triples_.for_each_chunk(fn);
  }
  void reserve(std::size_t triples) { triples_.reserve(triples); }
  // Marks a triple (not its inverse) as known only from annotations; false when it was never added. Only
  // after all add() calls, before build(): the first call sorts.
  bool mark_annotation_only(const Triple& triple);

  // ConfigError when an entity without edges was named before one with edges: connected entities have
  // the low ids.
  [[nodiscard]] KnowledgeGraph build();
  // The same, mapped from the file that it is written to as the snapshot of a database. Afterwards the
  // builder has its triples and counts alone.
  [[nodiscard]] KnowledgeGraph build_in(const std::filesystem::path& file);
  [[nodiscard]] const BuildCounts& counts() const noexcept { return rows_.counts; }

 private:
  void sort_triples();
  EntityId end_rows();
  template <class Take>
  auto with_parts(Take&& take);

  NameInterner entities_;
  NameInterner relations_;
  std::vector<RelationId> inverse_;
  std::filesystem::path folder_;
  SpooledArray<Triple> triples_;
  bool empty_entity_allowed_ = false;
  bool has_rows_ = false;
  GraphRows rows_;
  std::vector<std::uint64_t> annotation_bits_;
};

}  // namespace kgwalk::graph
