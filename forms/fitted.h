// How the values of a family of relations are compared: in which group, and with what made of the value
// given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kgwalk/forms.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

// The group that most values of the relations belong to; 0 where they have none that can be ordered.
[[nodiscard]] std::uint8_t group_of(const Relations& relations, const graph::TypedValues& values);

// The unit that most of the first thousand values bear; 0 where they are plain.
[[nodiscard]] graph::UnitId usual_unit(const Relations& relations, const graph::TypedValues& values);

// A condition as the values of the relations can hold it: a whole number beside times is a year, a year
// beside numbers a number, a plain number beside lengths has their usual unit.
struct FittedCondition {
  std::uint8_t group = 0;  // of the values that are compared; 0: texts
  bool common = true;      // whether the group is that of one of the relations
  Condition condition = {};

  // Whether a value (of the group) holds it.
  [[nodiscard]] bool holds(const TypedValue& value) const noexcept;
};
[[nodiscard]] FittedCondition fitted(const Condition& condition, const Relations& relations,
                                     const graph::TypedValues& values);

// Whether a value of a qualifier is what is asked for. A literal without a datatype is read as people write
// values.
[[nodiscard]] bool holds(const Qualified& asked, graph::EntityId value, const graph::TypedValues& values);
// Whether one statement of the edge says all that is asked for.
[[nodiscard]] bool is_qualified(const std::vector<Qualified>& asked, std::uint64_t edge,
                                const graph::TypedValues& values);

}  // namespace kgwalk::forms
