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

bool FittedCondition::holds(const TypedValue& value) const noexcept {
  if (graph::group_of(value) != group) return false;
  if (!condition.upper) return graph::compare(value, condition.test, condition.value).value_or(false);
  return graph::compare(value, Comparison::kAtLeast, condition.value).value_or(false) &&
         graph::compare(value, Comparison::kAtMost, *condition.upper).value_or(false);
}

}  // namespace kgwalk::forms
