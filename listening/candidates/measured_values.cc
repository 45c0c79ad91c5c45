// Values that are said beside those of a relation.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "listening/candidates/candidate_sets.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

// How much of the base unit one of the unit is that the name of a relation ends with, where that measures the
// same as the value: 0.001 of "milliseconds" beside "5 minutes".
std::optional<double> unit_in_name(const std::vector<std::string>& words, const graph::TypedValue& value) {
  if (words.empty() || words.back().size() < 2) return std::nullopt;
  const auto unit = graph::find_unit(words.back());
  if (!unit || *unit == 0) return std::nullopt;
  const double one = graph::number_value(1, *unit).from;
  const bool alike =
      graph::compare(graph::number_value(1, *unit), graph::Comparison::kEqual, value).has_value();
  return alike && graph::number_value(0, *unit).from == 0 ? std::optional(one) : std::nullopt;
}

}  // namespace

HeardValue as_measured(HeardValue heard, RelationId relation, const Lexicon& lexicon) {
  if (!heard.bare) return heard;
  const graph::TypedValues& values = lexicon.values();
  const auto ranked = values.ranked(relation);
  if (ranked.empty() || values.value(relation, ranked.front().value).unit != 0) return heard;
  const std::optional<double> one = unit_in_name(lexicon.relation(relation).words, heard.value);
  heard.value = one ? graph::number_value(heard.value.from / *one) : *heard.bare;
  return heard;
}

forms::Condition condition_of(Asked asked, const HeardValue& value) {
  switch (asked) {
    case Asked::kAfter:
    case Asked::kMore:
      if (value.inclusive) return {graph::Comparison::kAtLeast, value.value};
      return {graph::Comparison::kGreater, value.upper.value_or(value.value)};
    case Asked::kBefore:
    case Asked::kLess:
      return {value.inclusive ? graph::Comparison::kAtMost : graph::Comparison::kLess, value.value};
    default:
      return value.upper ? forms::between(value.value, *value.upper)
                         : forms::Condition{graph::Comparison::kEqual, value.value};
  }
}

std::optional<graph::TypedValue> value_of(const Lexicon& lexicon, EntityId entity, RelationId relation) {
  std::optional<graph::TypedValue> least;
  const std::uint8_t group = lexicon.values().group(relation);
  for (const graph::Edge& edge : lexicon.graph().out_edges(entity)) {
    if (edge.relation != relation || lexicon.values().group(relation, edge.tail) != group) continue;
    graph::TypedValue own = lexicon.values().value(relation, edge.tail);
    if (!least || own.from < least->from) least = std::move(own);
  }
  return least;
}

}  // namespace kgwalk::listening
