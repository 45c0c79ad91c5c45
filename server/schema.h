// JSON Schema as far as our requests need it: one description of an input checks it, fills in its defaults,
// reads it from a query, and is what OpenAPI and MCP clients are told.
//
// Understood: type (or a list of types), properties, required, items, enum, minimum, maximum, minLength,
// maxLength, minItems, maxItems, default, description. An object with properties has no others.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kgwalk/json.h"

namespace kgwalk::server {

// `value` with the defaults of what it leaves out. ConfigError that begins with `what` and names all that is
// wrong: an unknown key with the nearest ones, a missing one, a wrong type, a value out of range.
[[nodiscard]] Json fitted(const Json& schema, const Json& value, std::string_view what);

// A query ("?k=3&entity=Jaws") as json: numbers and true or false where the schema wants them. What cannot be
// read stays text, for fitted() to refuse.
[[nodiscard]] Json from_query(const Json& schema, const std::map<std::string, std::string>& query);

}  // namespace kgwalk::server
