// What objects within objects are: names in several forms, or maps by codes.
#pragma once

#include <string_view>
#include <vector>

#include "graph/ingest/formats/json_tree.h"

namespace kgwalk::graph {

// The texts of a name that is an object ({"common": "Peru", "official": "Republic of Peru"}), the usual one
// first, each once. Views into the object; empty where it holds none.
[[nodiscard]] std::vector<std::string_view> texts_of_name(const JsonNode& name);

// Whether the keys of an object are no properties but what its values are filed under: codes of languages or
// currencies ({"nld": "Dutch"}), years ({"2014": 40.1}).
[[nodiscard]] bool is_map_of_codes(const JsonNode& object);

}  // namespace kgwalk::graph
