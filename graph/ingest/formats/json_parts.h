// What keys say of their objects, and what objects within objects are: names in several forms, or maps by
// codes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/formats/json_tree.h"

namespace kgwalk::graph {

// What a key says of its object; the first of those for one thing counts.
enum class KeyUse : std::uint8_t { kId, kAtId, kName, kLabel, kTitle, kType, kProperty };
[[nodiscard]] KeyUse use_of(const std::string& key);
// Whether what it leads to is what the object is known by or called.
[[nodiscard]] constexpr bool says_which(KeyUse use) noexcept { return use <= KeyUse::kTitle; }

// The texts of a name that is an object ({"common": "Peru", "official": "Republic of Peru"}), the usual one
// first, each once. Views into the object; empty where it holds none.
[[nodiscard]] std::vector<std::string_view> texts_of_name(const JsonNode& name);

// Whether the keys of an object are no properties but what its values are filed under: codes of languages or
// currencies ({"nld": "Dutch"}), years ({"2014": 40.1}).
[[nodiscard]] bool is_map_of_codes(const JsonNode& object);

}  // namespace kgwalk::graph
