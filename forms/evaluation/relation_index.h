// Which entities have which relation, made at first use; and the types below a type.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "kgwalk/forms.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::forms {

// Immutable, thread-safe.
class RelationIndex {
 public:
  explicit RelationIndex(const graph::KnowledgeGraph& graph);

  // Those with an out-edge by the relation, ascending.
  [[nodiscard]] std::span<const EntityId> heads(RelationId relation) const;
  [[nodiscard]] std::uint64_t num_edges(RelationId relation) const;

  [[nodiscard]] std::optional<RelationId> type_relation() const noexcept { return type_relation_; }
  // The types and all below them by rdfs:subClassOf, ascending.
  [[nodiscard]] std::vector<EntityId> with_subtypes(const std::vector<EntityId>& types) const;
  [[nodiscard]] std::optional<RelationId> subclass_relation() const noexcept { return subclass_relation_; }

 private:
  void make() const;

  const graph::KnowledgeGraph& graph_;
  std::optional<RelationId> type_relation_, subclass_relation_;
  mutable std::once_flag once_;
  mutable std::vector<std::size_t> begins_;  // [relations + 1] in heads_
  mutable std::vector<EntityId> heads_;
  mutable std::vector<std::uint64_t> num_edges_;  // [relations]
};

}  // namespace kgwalk::forms
