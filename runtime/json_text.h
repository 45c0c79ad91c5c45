// Json as people write it: files with comments, settings "a.b=3", and how the later one wins.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/json.h"

namespace kgwalk {

// Json in which // and /* */ comments are allowed and no object gives a key twice. FormatError names
// source, line, column.
[[nodiscard]] Json parse_json(std::string_view text, std::string_view source);

// The same from a file.
[[nodiscard]] Json read_json_file(const std::string& path);

// "a.b=3" merged into `json` as {"a": {"b": 3}}; the value is json when it parses as such,
// otherwise a string.
void apply_assignment(Json& json, std::string_view assignment);

// Recursive merge: objects are merged, everything else is replaced by `later`.
void merge_json(Json& base, const Json& later);

}  // namespace kgwalk
