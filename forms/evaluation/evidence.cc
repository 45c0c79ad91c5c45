// The edges that an answer rests on.
#include <algorithm>

#include "forms/evaluation/engine_impl.h"
#include "forms/evaluation/evaluator.h"
#include "forms/form_check.h"
#include "forms/rows.h"

namespace kgwalk::forms {
namespace {

constexpr std::size_t kMaxCounted = 100;

class Evidence {
 public:
  explicit Evidence(Evaluator& evaluator) : evaluator_(evaluator), graph_(evaluator.values().graph()) {}

  // The entity must lie in the set.
  void of_member(const Set& set, EntityId entity) {
    switch (set.kind) {
      case SetKind::kStep:
        return of_step(set, entity);
      case SetKind::kOfType:
        return of_type(set, entity);
      case SetKind::kHaving:
        for (const RelationId relation : set.relations)
          if (const auto edges = row(graph_, entity, relation); !edges.empty())
            return add({entity, relation, edges.front().tail});
        return;
      case SetKind::kAnd:
        for (const Set& part : set.parts) of_member(part, entity);
        return;
      case SetKind::kOr:
        for (const Set& part : set.parts)
          if (evaluator_.contains(part, entity)) return of_member(part, entity);
        return;
      case SetKind::kWhere:
        of_member(set.parts.front(), entity);
        if (const auto edge = evaluator_.fulfilling(set, entity)) add({entity, edge->relation, edge->tail});
        return;
      case SetKind::kBut:
        return of_member(set.parts.front(), entity);
      case SetKind::kWhereCount:
      case SetKind::kFirst:
      case SetKind::kLast:
        of_member(set.parts.front(), entity);
        return of_measure(entity, set.measure, set.kind != SetKind::kFirst);
      case SetKind::kEntities:
      case SetKind::kBefore:
        return;
    }
  }

  void of_measure(EntityId entity, const Measure& measure, bool greatest) {
    if (measure.kind == MeasureKind::kValue) {
      const std::uint8_t group = group_of(measure.relations, evaluator_.values());
      const auto best = evaluator_.measured(entity, measure, group, greatest);
      if (best && best->value_id) add({entity, best->relation, *best->value_id});
      return;
    }
    const Ids counted = evaluator_.counted(entity, measure);
    for (std::size_t i = 0; i < std::min(kMaxCounted, counted.size()); ++i)
      for (const RelationId relation : measure.relations)
        if (graph_.has_edge({entity, relation, counted[i]})) {
          add({entity, relation, counted[i]});
          break;
        }
  }

  [[nodiscard]] std::vector<graph::Triple> take() { return std::move(edges_); }

 private:
  // The first entity of the set before that leads here, by relation as listed, then by id.
  void of_step(const Set& set, EntityId entity) {
    for (const RelationId relation : set.relations)
      for (const graph::Edge& edge : row(graph_, entity, graph_.inverse(relation))) {
        if (!evaluator_.takes(set, edge) || !evaluator_.contains(set.parts.front(), edge.tail)) continue;
        of_member(set.parts.front(), edge.tail);
        return add({edge.tail, relation, entity});
      }
  }

  void of_type(const Set& set, EntityId entity) {
    const Ids types = evaluator_.index().with_subtypes(set.entities);
    const RelationId relation = *evaluator_.index().type_relation();
    for (const graph::Edge& edge : row(graph_, entity, relation))
      if (has_id(types, edge.tail)) {
        add({entity, relation, edge.tail});
        return of_subtype(set, edge.tail);
      }
  }

  // From a type up to one of those asked for, by the shortest way.
  void of_subtype(const Set& set, EntityId type) {
    Ids seen = {type}, from = {type};
    std::vector<std::size_t> came(1, 0);
    const auto asked = [&](EntityId id) {
      return std::find(set.entities.begin(), set.entities.end(), id) != set.entities.end();
    };
    if (asked(type) || !evaluator_.index().subclass_relation()) return;
    const RelationId up = *evaluator_.index().subclass_relation();
    for (std::size_t at = 0; at < seen.size(); ++at)
      for (const graph::Edge& edge : row(graph_, seen[at], up)) {
        if (std::find(seen.begin(), seen.end(), edge.tail) != seen.end()) continue;
        seen.push_back(edge.tail);
        came.push_back(at);
        if (!asked(edge.tail)) continue;
        std::vector<graph::Triple> way;
        for (std::size_t i = seen.size() - 1; i != 0; i = came[i])
          way.push_back({seen[came[i]], up, seen[i]});
        for (auto edge_up = way.rbegin(); edge_up != way.rend(); ++edge_up) add(*edge_up);
        return;
      }
  }

  void add(const graph::Triple& edge) {
    if (std::find(edges_.begin(), edges_.end(), edge) == edges_.end()) edges_.push_back(edge);
  }

  Evaluator& evaluator_;
  const graph::KnowledgeGraph& graph_;
  std::vector<graph::Triple> edges_;
};

void collect(const Query& query, EntityId entity, Evaluator& evaluator, Evidence& evidence) {
  const bool least = (query.kind == QueryKind::kWhich && !query.greatest) ||
                     (query.kind == QueryKind::kWhether &&
                      (query.test == Comparison::kLess || query.test == Comparison::kAtMost));
  for (const Set& set : query.compared) {
    if (!evaluator.contains(set, entity)) continue;
    evidence.of_member(set, entity);
    return evidence.of_measure(entity, query.measure, !least);
  }
  if (!query.compared.empty() || !evaluator.contains(query.set, entity)) return;
  evidence.of_member(query.set, entity);
  if (query.kind == QueryKind::kSum || query.kind == QueryKind::kAverage)
    evidence.of_measure(entity, query.measure, true);
}

}  // namespace

std::vector<graph::Triple> Engine::evidence(const Query& query, EntityId entity, Bindings before) const {
  check_form(query, impl_->values->graph(), before.size());
  if (entity >= impl_->values->graph().num_entities()) return {};
  const Limits limits;
  Budget budget(limits);
  Evaluator evaluator(*impl_->values, impl_->index, before, budget);
  Evidence evidence(evaluator);
  try {
    collect(query, entity, evaluator, evidence);
  } catch (const CutShort&) {
    return {};
  }
  return evidence.take();
}

}  // namespace kgwalk::forms
