// What questions are drawn from: facts, the sets that steps lead to, kinds of entities. Bounded at hubs.
// Torch-free.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "listening/candidates/lexicon.h"
#include "runtime/random.h"

namespace kgwalk::listening {

using EntitySet = std::vector<graph::EntityId>;  // ascending

// Draws from one lexicon, which it borrows. Immutable after building.
class GraphDraws {
 public:
  GraphDraws(const Lexicon& lexicon, std::size_t most_answers);

  [[nodiscard]] const Lexicon& lexicon() const noexcept { return lexicon_; }
  [[nodiscard]] const graph::KnowledgeGraph& graph() const noexcept { return lexicon_.graph(); }

  // A fact that is asked about, read forward: half of the time every relation is as likely as another, else
  // every fact.
  [[nodiscard]] graph::Triple fact(Random& random) const;
  // Of a relation with facts that are asked about, forward.
  [[nodiscard]] graph::Triple fact_of(graph::RelationId relation, Random& random) const;
  // Whether it is one, either way: that which gives types is none.
  [[nodiscard]] bool is_asked_about(graph::RelationId relation) const noexcept;
  // Relations with facts that are asked about, forward, ascending; and those of them whose tails are ordered
  // values.
  [[nodiscard]] const std::vector<graph::RelationId>& relations() const noexcept { return relations_; }
  [[nodiscard]] const std::vector<graph::RelationId>& measures() const noexcept { return measures_; }
  [[nodiscard]] bool is_measure(graph::RelationId relation) const noexcept;

  // Numbers, dates and texts: no names that are asked about.
  [[nodiscard]] bool is_value(graph::EntityId entity) const noexcept;
  // Any entity that is asked about or told, and is no value; not one of the empty name.
  [[nodiscard]] graph::EntityId entity(Random& random) const;

  // What a relation leads to; nothing where it is more than the most.
  [[nodiscard]] std::optional<EntitySet> tails(graph::EntityId entity, graph::RelationId relation) const;
  [[nodiscard]] std::optional<EntitySet> tails(const EntitySet& set, graph::RelationId relation) const;
  [[nodiscard]] std::size_t num_tails(graph::EntityId entity, graph::RelationId relation) const noexcept;
  // The relations of an entity that are asked about, both ways, ascending.
  [[nodiscard]] std::vector<graph::RelationId> relations_of(graph::EntityId entity) const;

  // Those and the one that tells its types.
  [[nodiscard]] std::vector<graph::RelationId> told_of(graph::EntityId entity) const;

  [[nodiscard]] EntitySet of_type(const EntitySet& set, std::uint32_t type) const;
  // A type that at least one of them has.
  [[nodiscard]] std::optional<std::uint32_t> some_type(const EntitySet& set, Random& random) const;
  // Types that all of them have, ascending.
  [[nodiscard]] std::vector<std::uint32_t> common_types(const EntitySet& set) const;

 private:
  [[nodiscard]] graph::Triple fact_at(std::uint64_t edge) const;

  const Lexicon& lexicon_;
  std::size_t most_answers_;
  std::vector<std::uint64_t> facts_;   // edges read forward, by relation
  std::vector<std::uint64_t> begins_;  // of each of relations_ in facts_
  std::vector<graph::RelationId> relations_, measures_;
};

}  // namespace kgwalk::listening
