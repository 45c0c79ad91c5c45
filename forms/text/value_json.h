// Values in json: 5, true, {"number": 1.72, "unit": "m"}, {"year": -43}, {"date": "1902-03-14"}, {"text":
// "..."}; and, where they are read, strings as people write values ("14 March 1902", "180 cm").
#pragma once

#include <string_view>

#include "kgwalk/json.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

// ConfigError "WHERE: ..." for what is no value.
[[nodiscard]] graph::TypedValue value_of_json(const Json& json, std::string_view where);
[[nodiscard]] Json value_to_json(const graph::TypedValue& value);

// As XML Schema writes times of its kind: "2005", "2005-06", "2005-06-01", "2005-06-01T21:15:00Z",
// "21:15:00".
[[nodiscard]] std::string iso_text(const graph::TypedValue& time);

}  // namespace kgwalk::forms
