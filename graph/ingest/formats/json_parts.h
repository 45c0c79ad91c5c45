// What keys say of their objects, and what objects within objects are: names in several forms, or maps by
// codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
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

// By their spelling: objects of one text have few keys.
class KeyUses {
 public:
  [[nodiscard]] KeyUse operator[](const std::string& key) {
    const auto known = uses_.find(key);
    if (known != uses_.end()) return known->second;
    return uses_.emplace(key, use_of(key)).first->second;
  }

 private:
  std::unordered_map<std::string, KeyUse> uses_;
};

inline constexpr std::size_t kNoKey = static_cast<std::size_t>(-1);

// Places of the keys that say what an object is known by.
struct NamingKeys {
  std::size_t id = kNoKey, name = kNoKey;
  std::vector<std::string_view> texts = {};  // of the name, the usual one first
};

[[nodiscard]] NamingKeys naming_keys(const JsonNode& object, KeyUses& uses);

// By what an object is known and called; empty where it does not say it.
struct IdAndName {
  std::string id, name;
};
[[nodiscard]] IdAndName id_and_name(const JsonNode& object);
// Whether an object says what it is called.
[[nodiscard]] bool has_name(const JsonNode& object);

}  // namespace kgwalk::graph
