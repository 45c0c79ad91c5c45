// One value of JSON in memory: numbers as they are written, members in their order, no key twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::graph {

// Brackets within brackets; deeper text is refused, so that what walks through a value may call itself.
inline constexpr std::size_t kMaxJsonDepth = 500;

struct JsonNode {
  enum class Kind : std::uint8_t { kNull, kFalse, kTrue, kInteger, kFloat, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  double number = 0;              // of numbers
  std::string text;               // of strings; of numbers as they are written
  std::vector<std::string> keys;  // of objects, one a member
  std::vector<JsonNode> items;    // of arrays; of objects what the keys lead to

  [[nodiscard]] static JsonNode string(std::string_view text);
  [[nodiscard]] static JsonNode array() { return of_kind(Kind::kArray); }
  [[nodiscard]] static JsonNode object() { return of_kind(Kind::kObject); }

  [[nodiscard]] bool is_null() const noexcept { return kind == Kind::kNull; }
  [[nodiscard]] bool is_boolean() const noexcept { return kind == Kind::kTrue || kind == Kind::kFalse; }
  [[nodiscard]] bool is_number() const noexcept { return kind == Kind::kInteger || kind == Kind::kFloat; }
  [[nodiscard]] bool is_string() const noexcept { return kind == Kind::kString; }
  [[nodiscard]] bool is_string(std::string_view wanted) const noexcept {
    return is_string() && text == wanted;
  }
  [[nodiscard]] bool is_array() const noexcept { return kind == Kind::kArray; }
  [[nodiscard]] bool is_object() const noexcept { return kind == Kind::kObject; }
  [[nodiscard]] bool is_scalar() const noexcept { return !is_null() && !is_array() && !is_object(); }

  // What a key of an object leads to; nullptr for other keys and for what is no object.
  [[nodiscard]] const JsonNode* find(std::string_view key) const noexcept;
  [[nodiscard]] JsonNode* find(std::string_view key) noexcept;
  [[nodiscard]] bool has(std::string_view key) const noexcept { return find(key) != nullptr; }
  // Puts a member in, in the place of one with its key.
  void set(std::string_view key, JsonNode value);
  // Puts a value behind those that the key has, as an array.
  void append(std::string_view key, JsonNode value);

 private:
  [[nodiscard]] static JsonNode of_kind(Kind kind) {
    JsonNode node;
    node.kind = kind;
    return node;
  }
};

// The values of a node: those of an array, else the node alone.
[[nodiscard]] std::vector<const JsonNode*> values_of(const JsonNode& node);

struct JsonProblem {
  std::size_t at = 0;  // a position in the text
  std::string why;     // empty: none
};

// Reads a text that is one value; false, and the problem told, when it is none: not JSON, not UTF-8, a key
// twice in one object, deeper than kMaxJsonDepth, a number that no double holds.
[[nodiscard]] bool parse_json(std::string_view text, JsonNode& into, JsonProblem& problem);

}  // namespace kgwalk::graph
