// Small text helpers shared by every floor: Unicode folding of names, edit distance, nearest names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk {

// Position of the first byte that is not valid UTF-8 (overlong forms and surrogates are invalid), or nullopt.
[[nodiscard]] std::optional<std::size_t> invalid_utf8_at(std::string_view text);

// The form under which names are compared: NFKC, case-folded, white space trimmed and inner runs made one
// space. Text that is not valid UTF-8 throws ConfigError. Pure ASCII takes a fast path.
[[nodiscard]] std::string fold_name(std::string_view text);

// Optimal string alignment distance in bytes (insert, delete, replace, swap of neighbors), cut off at
// `limit` + 1.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = 64);

// Up to `count` of `names` nearest to `name` (folded), best first, no farther than a third of its length
// (at least 2); those that begin with it are near.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view name,
                                                     std::span<const std::string> names,
                                                     std::size_t count = 3);

// " (did you mean 'a', 'b'?)" or "" when nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view name, std::span<const std::string> names);

// 1234567 -> "1,234,567".
[[nodiscard]] std::string with_commas(long long value);

}  // namespace kgwalk
