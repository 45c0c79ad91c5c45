// What people type, taken apart: for the conversation's own sources.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

namespace kgwalk {

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// nullopt for anything but digits.
[[nodiscard]] inline std::optional<std::size_t> number_of(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace kgwalk
