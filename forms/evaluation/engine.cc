#include <algorithm>
#include <array>
#include <cmath>

#include "forms/evaluation/engine_impl.h"
#include "forms/evaluation/evaluator.h"
#include "forms/form_check.h"
#include "forms/rows.h"
#include "graph/values/calendar.h"
#include "graph/values/value_group.h"

namespace kgwalk::forms {
namespace {

using graph::ValueKind;

bool is_ranked(const Set& set) { return set.kind == SetKind::kFirst || set.kind == SetKind::kLast; }

class Answering {
 public:
  Answering(const Query& query, Evaluator& evaluator)
      : query_(query), evaluator_(evaluator), values_(evaluator.values()) {}

  Answer run() {
    switch (query_.kind) {
      case QueryKind::kFind:
        find();
        break;
      case QueryKind::kCount:
        answer_.total = evaluator_.members(query_.set).size();
        answer_.number = graph::number_value(static_cast<double>(answer_.total));
        break;
      case QueryKind::kSum:
      case QueryKind::kAverage:
        total_up();
        break;
      case QueryKind::kWhich:
        choose();
        break;
      case QueryKind::kWhether:
      case QueryKind::kDifference:
        compare_two();
        break;
      case QueryKind::kCheck:
        check();
        break;
      case QueryKind::kRelations:
        relate();
        break;
    }
    return std::move(answer_);
  }

 private:
  void find() {
    const Set& set = query_.set;
    if (is_ranked(set)) return rank();
    answer_.entities = evaluator_.members(set);
    answer_.total = answer_.entities.size();
    if (set.kind == SetKind::kWhere)
      answer_.no_common_value = !fitted(set.condition, set.relations, values_).common;
  }

  void rank() {
    const Set& set = query_.set;
    const std::vector<RankedEntity> ranked = evaluator_.ranking(set);
    answer_.order = set.kind == SetKind::kLast ? Order::kDescending : Order::kAscending;
    for (const RankedEntity& each : ranked) {
      answer_.entities.push_back(each.entity);
      answer_.measured.push_back(measured(each));
    }
    answer_.total = ranked.size();
    answer_.ties = ranked.size() > set.n;
    const bool by_value = set.measure.kind == MeasureKind::kValue;
    answer_.no_common_value = by_value && group_of(set.measure.relations, values_) == 0;
  }

  [[nodiscard]] Measured measured(const RankedEntity& ranked) const {
    if (!ranked.value_id) return {ranked.entity, graph::number_value(ranked.key), std::nullopt};
    return {ranked.entity, values_.value(ranked.relation, *ranked.value_id), ranked.value_id};
  }

  // Each value of each member once, whatever number of the relations lead to it. Years add up as numbers.
  void total_up() {
    const Relations& relations = query_.measure.relations;
    const Ids members = evaluator_.members(query_.set);
    answer_.total = members.size();
    const std::uint8_t group = group_of(relations, values_);
    answer_.no_common_value = group < graph::kNumbers && group != graph::kTimes;
    if (answer_.no_common_value) return;
    double sum = 0;
    std::uint64_t count = 0;
    for (const EntityId member : members) {
      for (const EntityId tail : evaluator_.counted(member, {.relations = relations})) {
        const auto value = value_in(member, tail, group);
        if (!value) continue;
        answer_.no_common_value = group == graph::kTimes && value->kind != ValueKind::kYear;
        if (answer_.no_common_value) return;
        sum +=
            group == graph::kTimes ? static_cast<double>(graph::civil_of_ms(value->from).year) : value->from;
        ++count;
      }
    }
    if (count == 0) return;
    answer_.number =
        graph::number_value(0, group == graph::kTimes ? graph::UnitId{0} : usual_unit(relations, values_));
    const bool average = query_.kind == QueryKind::kAverage;
    answer_.number->from = answer_.number->to = average ? sum / static_cast<double>(count) : sum;
  }

  // A tail as the first of the relations reads it that leads to it and gives a value of the group.
  [[nodiscard]] std::optional<TypedValue> value_in(EntityId head, EntityId tail, std::uint8_t group) const {
    for (const RelationId relation : query_.measure.relations) {
      if (values_.group(relation, tail) != group) continue;
      if (values_.graph().has_edge({head, relation, tail})) return values_.value(relation, tail);
    }
    return std::nullopt;
  }

  // What is measured of the sets compared, in their order; empty where one of them has no value.
  std::vector<RankedEntity> compared(bool greatest) {
    const bool by_value = query_.measure.kind == MeasureKind::kValue;
    const std::uint8_t group = by_value ? group_of(query_.measure.relations, values_) : std::uint8_t{0};
    std::vector<RankedEntity> all;
    for (const Set& set : query_.compared) {
      std::optional<RankedEntity> best;
      for (const EntityId member : evaluator_.members(set)) {
        const auto each = evaluator_.measured(member, query_.measure, group, greatest);
        if (each && (!best || (greatest ? each->key > best->key : each->key < best->key))) best = each;
      }
      if (!best) return {};
      all.push_back(*best);
    }
    return all;
  }

  void choose() {
    const std::vector<RankedEntity> all = compared(query_.greatest);
    answer_.order = query_.greatest ? Order::kDescending : Order::kAscending;
    answer_.no_common_value = all.empty();
    if (all.empty()) return;
    Set any{.kind = SetKind::kOr};
    any.parts = query_.compared;
    const Set best =
        query_.greatest ? last(std::move(any), query_.measure) : first(std::move(any), query_.measure);
    for (const RankedEntity& each : evaluator_.ranking(best)) answer_.entities.push_back(each.entity);
    for (const RankedEntity& each : all) answer_.measured.push_back(measured(each));
    answer_.total = answer_.entities.size();
    answer_.ties = answer_.total > 1;
  }

  void compare_two() {
    const bool difference = query_.kind == QueryKind::kDifference;
    const bool least =
        !difference && (query_.test == Comparison::kLess || query_.test == Comparison::kAtMost);
    const std::vector<RankedEntity> both = compared(!least);
    answer_.no_common_value = both.empty();
    if (both.empty()) return;
    for (const RankedEntity& each : both) answer_.measured.push_back(measured(each));
    const TypedValue& a = answer_.measured[0].value;
    const TypedValue& b = answer_.measured[1].value;
    if (difference)
      answer_.number = difference_of(a, b);
    else if (query_.test == Comparison::kEqual || query_.test == Comparison::kNotEqual)
      answer_.truth = same() == (query_.test == Comparison::kEqual);
    else
      answer_.truth = graph::holds(a, query_.test, b);
  }

  // Counts that are equal, or a value that both have.
  bool same() {
    if (query_.measure.kind == MeasureKind::kCount)
      return answer_.measured[0].value.from == answer_.measured[1].value.from;
    const auto keys = [&](const Set& set) {
      std::vector<std::pair<double, double>> all;
      for (const EntityId member : evaluator_.members(set))
        for (const RelationId relation : query_.measure.relations)
          for (const graph::Edge& edge : row(values_.graph(), member, relation)) {
            const TypedValue value = values_.value(relation, edge.tail);
            if (graph::group_of(value) == graph::group_of(answer_.measured[0].value))
              all.emplace_back(value.from, value.to);
          }
      std::sort(all.begin(), all.end());
      return all;
    };
    const auto a = keys(query_.compared[0]), b = keys(query_.compared[1]);
    return std::any_of(a.begin(), a.end(),
                       [&](const auto& each) { return std::binary_search(b.begin(), b.end(), each); });
  }

  // Years differ by years, other times by days, other values in the unit of the first.
  [[nodiscard]] static TypedValue difference_of(const TypedValue& a, const TypedValue& b) {
    if (a.kind == ValueKind::kYear && b.kind == ValueKind::kYear)
      return graph::number_value(
          static_cast<double>(graph::civil_of_ms(a.from).year - graph::civil_of_ms(b.from).year));
    if (graph::is_time(a.kind) || a.kind == ValueKind::kTime)
      return graph::number_value((a.from - b.from) / graph::kDayMs, *graph::find_unit("d"));
    TypedValue result = a;
    result.from = result.to = a.from - b.from;
    if (a.unit != 0) {
      // A difference of degrees has no offset: it is shown as so many degrees.
      const double zero = graph::number_value(0, a.unit).from;
      result.from = result.to = result.from + zero;
    }
    return result;
  }

  void check() {
    if (!query_.members.empty()) {
      const Ids asked = evaluator_.members(query_.members.front());
      answer_.truth = !asked.empty() && std::all_of(asked.begin(), asked.end(), [&](EntityId id) {
        return evaluator_.contains(query_.set, id);
      });
      return;
    }
    answer_.total = evaluator_.members(query_.set).size();
    answer_.truth = answer_.total > 0;
    if (!query_.condition) return;
    const FittedCondition count{.group = graph::kNumbers, .condition = *query_.condition};
    answer_.truth = count.holds(graph::number_value(static_cast<double>(answer_.total)));
  }

  void relate() {
    for (const EntityId from : evaluator_.members(query_.set))
      for (const graph::Edge& edge : values_.graph().out_edges(from))
        if (evaluator_.contains(query_.members.front(), edge.tail))
          answer_.relations.push_back(edge.relation);
    std::sort(answer_.relations.begin(), answer_.relations.end());
    answer_.relations.erase(std::unique(answer_.relations.begin(), answer_.relations.end()),
                            answer_.relations.end());
    answer_.total = answer_.relations.size();
  }

  const Query& query_;
  Evaluator& evaluator_;
  const graph::TypedValues& values_;
  Answer answer_;
};

void cut_rows(Answer& answer, std::uint64_t max_rows) {
  if (max_rows == 0 || answer.entities.size() <= max_rows) return;
  answer.entities.resize(max_rows);
  if (answer.measured.size() > max_rows) answer.measured.resize(max_rows);
  answer.cut = Cut::kRows;
}

}  // namespace

Engine::Engine(const graph::TypedValues& values) : impl_(std::make_unique<Impl>(values)) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

const graph::TypedValues& Engine::values() const noexcept { return *impl_->values; }

Answer Engine::answer(const Query& query, Bindings before, const Limits& limits) const {
  check_form(query, impl_->values->graph(), before.size());
  Budget budget(limits);
  Evaluator evaluator(*impl_->values, impl_->index, before, budget);
  try {
    Answer answer = Answering(query, evaluator).run();
    if (query.kind == QueryKind::kFind) cut_rows(answer, limits.max_rows);
    return answer;
  } catch (const CutShort& cut) {
    Answer none;
    none.cut = cut.why;
    return none;
  }
}

std::optional<std::vector<EntityId>> Engine::members(const Set& set, Bindings before,
                                                     const Limits& limits) const {
  check_form(set, impl_->values->graph(), before.size());
  Budget budget(limits);
  try {
    return Evaluator(*impl_->values, impl_->index, before, budget).members(set);
  } catch (const CutShort&) {
    return std::nullopt;
  }
}

}  // namespace kgwalk::forms
