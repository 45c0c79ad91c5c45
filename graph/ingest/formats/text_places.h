// Where the lines of a text begin and end.
#pragma once

#include <cstddef>
#include <string_view>

namespace kgwalk::graph {

struct TextPlaces {
  std::string_view bytes;

  // Behind the line feed of the line in which `position` lies.
  [[nodiscard]] std::size_t end_of_line(std::size_t position) const {
    const std::size_t newline = bytes.find('\n', position);
    return newline == std::string_view::npos ? bytes.size() : newline + 1;
  }
  // Where line `line` begins, `from_line` beginning at `from`.
  [[nodiscard]] std::size_t begin_of(std::size_t line, std::size_t from_line, std::size_t from) const {
    for (; from_line < line && from < bytes.size(); ++from_line) from = end_of_line(from);
    return from;
  }
  // The line that begins at `position`, without space around it.
  [[nodiscard]] std::string_view line_at(std::size_t position) const {
    const std::string_view line = bytes.substr(position, end_of_line(position) - position);
    const std::size_t begin = line.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\r\n") - begin + 1);
  }
};

// Blank, a comment, or a line with a NUL byte.
[[nodiscard]] inline bool says_nothing(std::string_view line) {
  return line.empty() || line.starts_with('#') || line.find('\0') != std::string_view::npos;
}

}  // namespace kgwalk::graph
