#include "forms/fitted.h"

#include <algorithm>
#include <array>

#include "graph/values/calendar.h"
#include "graph/values/value_group.h"

namespace kgwalk::forms {

using graph::ValueKind;

namespace {

constexpr std::size_t kSample = 1000;

TypedValue fitted_value(const TypedValue& given, std::uint8_t group, graph::UnitId unit) {
  if (given.kind == ValueKind::kNumber && given.unit == 0 && group > graph::kNumbers)
    return graph::number_value(given.from, unit);
  if (group == graph::kTimes)
    if (const auto year = graph::as_year(given)) return *year;
  if (given.kind == ValueKind::kYear && group == graph::kNumbers)
    return graph::number_value(static_cast<double>(graph::civil_of_ms(given.from).year));
  return given;
}

}  // namespace

std::uint8_t group_of(const Relations& relations, const graph::TypedValues& values) {
  std::array<std::size_t, 256> sizes{};
  for (const RelationId relation : relations) sizes[values.group(relation)] += values.ranked(relation).size();
  sizes[0] = 0;
  const auto most = std::max_element(sizes.begin(), sizes.end());
  return *most > 0 ? static_cast<std::uint8_t>(most - sizes.begin()) : 0;
}

graph::UnitId usual_unit(const Relations& relations, const graph::TypedValues& values) {
  const std::uint8_t group = group_of(relations, values);
  std::array<std::size_t, 256> uses{};
  for (const RelationId relation : relations) {
    if (values.group(relation) != group) continue;
    const auto ranked = values.ranked(relation);
    for (const graph::RankedValue& each : ranked.first(std::min(kSample, ranked.size())))
      ++uses[values.value(relation, each.value).unit];
  }
  return static_cast<graph::UnitId>(std::max_element(uses.begin(), uses.end()) - uses.begin());
}

FittedCondition fitted(const Condition& condition, const Relations& relations,
                       const graph::TypedValues& values) {
  FittedCondition result{.condition = condition};
  if (condition.value.kind == ValueKind::kText) return result;
  const std::uint8_t group = group_of(relations, values);
  const graph::UnitId unit = group > graph::kNumbers ? usual_unit(relations, values) : graph::UnitId{0};
  result.condition.value = fitted_value(condition.value, group, unit);
  if (condition.upper) result.condition.upper = fitted_value(*condition.upper, group, unit);
  result.group = graph::group_of(result.condition.value);
  result.common = std::any_of(relations.begin(), relations.end(),
                              [&](RelationId r) { return values.group(r) == result.group; });
  return result;
}

bool holds(const Qualified& asked, graph::EntityId value, const graph::TypedValues& values) {
  if (!asked.entities.empty())
    return std::find(asked.entities.begin(), asked.entities.end(), value) != asked.entities.end();
  TypedValue said = values.value(value);
  const bool wants_text = asked.condition.value.kind == ValueKind::kText;
  if (said.kind == ValueKind::kText && !wants_text)
    if (auto read = graph::parse_value(said.text)) said = std::move(*read);
  const auto test = [&](Comparison comparison, const TypedValue& given) {
    return graph::compare(said, comparison, given).value_or(false);
  };
  const Condition& condition = asked.condition;
  if (condition.upper)
    return test(Comparison::kAtLeast, condition.value) && test(Comparison::kAtMost, *condition.upper);
  return test(condition.test, condition.value);
}

bool is_qualified(const std::vector<Qualified>& asked, std::uint64_t edge, const graph::TypedValues& values) {
  if (asked.empty()) return true;
  const auto statements = graph::details(values.graph()).qualifiers(edge);
  return std::any_of(statements.begin(), statements.end(), [&](std::span<const graph::Qualifier> said) {
    return std::all_of(asked.begin(), asked.end(), [&](const Qualified& each) {
      return std::any_of(said.begin(), said.end(), [&](const graph::Qualifier& qualifier) {
        const auto& wanted = each.relations;
        return std::find(wanted.begin(), wanted.end(), qualifier.relation) != wanted.end() &&
               holds(each, qualifier.value, values);
      });
    });
  });
}

bool FittedCondition::holds(const TypedValue& value) const noexcept {
  if (graph::group_of(value) != group) return false;
  if (!condition.upper) return graph::compare(value, condition.test, condition.value).value_or(false);
  return graph::compare(value, Comparison::kAtLeast, condition.value).value_or(false) &&
         graph::compare(value, Comparison::kAtMost, *condition.upper).value_or(false);
}

}  // namespace kgwalk::forms
