// What a conversation has come to, as far as what is said next may mean it: kept from turn to turn, with the
// state of the talk. Torch-free.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/forms.h"
#include "kgwalk/json.h"
#include "kgwalk/query.h"
#include "kgwalk/typed_values.h"
#include "listening/candidates/said_before.h"

namespace kgwalk {

struct Focus {
  listening::SaidBefore before;
  std::optional<forms::Query> question;  // the last that was answered
  std::vector<graph::EntityId> order;    // its answers in the order in which they were told
  std::size_t told = 0;                  // so many of them were named
  std::vector<graph::EntityId> offered;  // to choose from, by the last reply; and
  // What was said and could not be answered, and the name in it in whose place another is heard again: one of
  // those offered, or the next that is named alone.
  std::string offered_for, offered_name;
  std::string said;  // by the assistant, last
};

// By names; FormatError where the graph does not have what is named.
[[nodiscard]] Json to_json(const Focus& focus, const graph::TypedValues& values);
[[nodiscard]] Focus focus_of(const Json& json, const graph::TypedValues& values);

}  // namespace kgwalk
