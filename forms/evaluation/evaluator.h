// One evaluation of sets: whole sets as ascending ids, or only whether an entity lies in one, whichever is
// cheaper.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "forms/evaluation/budget.h"
#include "forms/evaluation/relation_index.h"
#include "forms/evaluation/sorted_ids.h"
#include "forms/fitted.h"
#include "kgwalk/query.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

// An entity with what it is ordered by.
struct RankedEntity {
  double key;
  EntityId entity;
  std::optional<EntityId> value_id = {};  // the entity that stands for the value; none of counts
  RelationId relation = 0;                // that leads to it
};

// Belongs to one thread. Sets must outlive it: what was found of them is kept under their addresses.
class Evaluator {
 public:
  Evaluator(const graph::TypedValues& values, const RelationIndex& index, Bindings before, Budget& budget)
      : values_(values), graph_(values.graph()), index_(index), before_(before), budget_(budget) {}

  // All throw CutShort.
  [[nodiscard]] Ids members(const Set& set);
  [[nodiscard]] bool contains(const Set& set, EntityId entity);
  // No fewer than its members; cheap.
  [[nodiscard]] std::uint64_t bound(const Set& set);

  // Members of kFirst and kLast, in their order.
  [[nodiscard]] std::vector<RankedEntity> ranking(const Set& set);
  // nullopt where it has no value of `group`. Counts always are.
  [[nodiscard]] std::optional<RankedEntity> measured(EntityId entity, const Measure& measure,
                                                     std::uint8_t group, bool greatest);
  // Each value of the relations that the entity has: fn(relation, id of the value).
  template <class Fn>
  void for_each_value(EntityId entity, const Relations& relations, Fn&& fn);
  // The distinct tails, only those among the measure's set.
  [[nodiscard]] Ids counted(EntityId entity, const Measure& measure);
  // The edge that fulfills the condition of a kWhere, the first by relation as listed, then by id.
  [[nodiscard]] std::optional<graph::Edge> fulfilling(const Set& where, EntityId entity);
  [[nodiscard]] bool count_holds(const Set& where_count, EntityId entity);
  // Whether a step takes this edge, which is one of the graph's, in either direction.
  [[nodiscard]] bool takes(const Set& step, const graph::Edge& edge) const {
    return step.qualified.empty() || is_qualified(step.qualified, graph_.number_of(edge), values_);
  }

  [[nodiscard]] const graph::TypedValues& values() const noexcept { return values_; }
  [[nodiscard]] const RelationIndex& index() const noexcept { return index_; }

 private:
  [[nodiscard]] const Ids& kept(const Set& set);  // members, found once
  [[nodiscard]] const FittedCondition& fitted_of(const Set& where);
  [[nodiscard]] const Ids& types_of(const Set& of_type);
  [[nodiscard]] Ids step_members(const Set& set);
  [[nodiscard]] Ids typed_members(const Set& set);
  [[nodiscard]] Ids having_members(const Set& set);
  [[nodiscard]] Ids and_members(const Set& set);
  [[nodiscard]] Ids but_members(const Set& set);
  [[nodiscard]] Ids where_members(const Set& set);
  [[nodiscard]] std::optional<Ids> where_by_index(const Set& set);
  [[nodiscard]] std::optional<std::vector<RankedEntity>> ranking_by_index(const Set& set, std::uint8_t group);
  [[nodiscard]] bool step_contains(const Set& set, EntityId entity);
  [[nodiscard]] std::uint64_t step_bound(const Set& set);

  const graph::TypedValues& values_;
  const graph::KnowledgeGraph& graph_;
  const RelationIndex& index_;
  Bindings before_;
  Budget& budget_;
  std::unordered_map<const Set*, Ids> kept_, types_;
  std::unordered_map<const Set*, FittedCondition> fitted_;
};

}  // namespace kgwalk::forms
