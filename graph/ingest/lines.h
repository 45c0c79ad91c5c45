// Lines of a text file held in memory, checked: byte order mark, CRLF, NUL bytes, length, final newline.
#pragma once

#include <cstddef>
#include <string_view>

#include "graph/ingest/problem_log.h"

namespace kgwalk::graph {

// Drops a UTF-8 byte order mark in front, saying so in the log.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view bytes, ProblemLog& log);

class LineReader {
 public:
  // `bytes` and `log` must outlive the reader.
  LineReader(std::string_view bytes, std::size_t max_line_bytes, ProblemLog& log);
  // The next good line without its end; false at the end of the file. Bad lines are logged and skipped.
  [[nodiscard]] bool next(std::string_view& line);
  // Number of the line that next() gave, from 1; at the end the number of lines.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  // Bytes read so far.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  [[nodiscard]] bool usable(std::string_view& line);
  std::string_view bytes_;
  std::size_t max_line_bytes_;
  ProblemLog& log_;
  std::size_t position_ = 0;
  std::size_t number_ = 0;
};

}  // namespace kgwalk::graph
