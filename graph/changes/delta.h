// What edits make of a graph: a base that never changes, and a delta over it.
//
// Ids of the base stay. New entities and relations get the ids behind it, in the order of the log. An entity
// that is no more keeps its id, without name and facts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/changes/change.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::graph {

// Looked at while it grows: find_entity(), has_fact() and the others tell of base and delta together.
// Not thread-safe.
class Delta {
 public:
  // `base` must outlive the object.
  explicit Delta(const KnowledgeGraph& base);

  // StoreError when the change does not follow from what is there: the log belongs to another base.
  void apply(const Change& change);

  [[nodiscard]] const KnowledgeGraph& base() const noexcept { return base_; }
  [[nodiscard]] std::uint32_t num_entities() const noexcept;
  // Behind the last that has or had an edge: it never shrinks, so that no table has more rows.
  [[nodiscard]] std::uint32_t num_connected() const noexcept { return num_connected_; }
  [[nodiscard]] std::uint32_t num_relations() const noexcept;
  [[nodiscard]] RelationId inverse(RelationId relation) const noexcept;
  [[nodiscard]] std::string_view entity_name(EntityId entity) const;  // empty: no more
  [[nodiscard]] std::string_view relation_name(RelationId relation) const;
  [[nodiscard]] std::string_view entity_id(EntityId entity) const;  // GraphDetails::id()
  // As those of KnowledgeGraph.
  [[nodiscard]] std::optional<EntityId> find_entity(std::string_view name) const;
  [[nodiscard]] std::optional<RelationId> find_relation(std::string_view name) const;

  [[nodiscard]] bool has_fact(const Triple& fact) const;
  [[nodiscard]] bool is_hidden(const Triple& fact) const { return hidden_.contains(fact); }
  [[nodiscard]] bool base_has(const Triple& fact) const;
  // Of a fact that is there.
  [[nodiscard]] FactNote note_of(const Triple& fact) const;
  // Whether more is known beside it, which no note has.
  [[nodiscard]] bool is_qualified(const Triple& fact) const;
  // All with this head, in their order.
  [[nodiscard]] std::vector<Edge> edges_of(EntityId head) const;
  [[nodiscard]] std::vector<std::string> aliases_of(EntityId entity) const;
  // Those that bear it as another name, compared by name_key(). The base's names are indexed at the first
  // call.
  [[nodiscard]] std::set<EntityId> called(std::string_view name) const;

  // What differs from the base; facts in both directions.
  using Added = std::map<Triple, std::shared_ptr<const FactNote>>;
  [[nodiscard]] const Added& added() const noexcept { return added_; }
  [[nodiscard]] const std::set<Triple>& hidden() const noexcept { return hidden_; }
  [[nodiscard]] const std::map<EntityId, std::string>& renamed() const noexcept { return renamed_; }
  [[nodiscard]] const std::vector<std::string>& new_names() const noexcept { return new_names_; }
  [[nodiscard]] const std::vector<std::string>& new_relations() const noexcept { return new_relations_; }
  [[nodiscard]] const std::map<EntityId, std::string>& new_ids() const noexcept { return new_ids_; }
  // Entities whose other names differ.
  [[nodiscard]] std::set<EntityId> realiased() const;

 private:
  void name(EntityId entity, const std::string& after);
  void fact(const Change& change);
  [[nodiscard]] std::optional<EntityId> find_new(const std::unordered_multimap<std::string, EntityId>& names,
                                                 const std::string& key,
                                                 std::string (*form)(std::string_view)) const;

  const KnowledgeGraph& base_;
  std::uint32_t num_connected_;
  std::map<EntityId, std::string> renamed_;  // of the base
  std::vector<std::string> new_names_;
  std::map<EntityId, std::string> new_ids_;
  std::unordered_map<std::string, EntityId> by_id_;                   // looked up alone, as the next three
  std::unordered_multimap<std::string, EntityId> by_key_, by_loose_;  // those that are no more stay in
  std::unordered_map<std::string, RelationId> relation_keys_;
  std::vector<std::string> new_relations_;  // each before its inverse
  Added added_;
  std::set<Triple> hidden_;
  std::map<EntityId, std::vector<std::string>> aliases_;       // added
  std::map<EntityId, std::set<std::string>> dropped_aliases_;  // of the base
  using NameKeys = std::unordered_multimap<std::string, EntityId>;
  NameKeys alias_keys_;  // of edits; those that were dropped stay in
  mutable std::optional<NameKeys> base_alias_keys_;
};

}  // namespace kgwalk::graph
